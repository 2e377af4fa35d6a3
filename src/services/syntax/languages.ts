import type { Language } from "./language.js"
import { compiled } from "./languages/compiled.js"
import { ecmascript } from "./languages/ecmascript.js"
import { scripting } from "./languages/scripting.js"

export const languages: ReadonlyArray<Language> = [...ecmascript, ...scripting, ...compiled]

const byExtension = new Map(languages.flatMap((language) => language.extensions.map((extension) => [extension, language] as const)))
const byFile = new Map(languages.flatMap((language) => (language.files ?? []).map((file) => [file, language] as const)))
const byInterpreter = new Map(
  languages.flatMap((language) => (language.interpreters ?? []).map((interpreter) => [interpreter, language] as const))
)

const nameOf = (path: string) => path.slice(path.lastIndexOf("/") + 1)
/** `python` of `#!/usr/bin/env -S python3.11 -u`. */
const interpreterOf = (text: string): string => {
  const words = text.slice(2, text.indexOf("\n")).split(/\s+/).map(nameOf)
  return words.find((word) => word !== "" && word !== "env" && !word.startsWith("-"))?.replace(/[\d.]+$/, "") ?? ""
}

/** The language of a file: by its extension, its name, or its first line; null where it is none that is known. */
export const languageOf = (path: string, text: string): Language | null => {
  const name = nameOf(path)
  const dot = name.lastIndexOf(".")
  const found = byFile.get(name) ?? (dot > 0 ? byExtension.get(name.slice(dot).toLowerCase()) : undefined)
  if (found !== undefined || !text.startsWith("#!")) return found ?? null
  return byInterpreter.get(interpreterOf(text)) ?? null
}
