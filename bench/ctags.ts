// Outline against Universal Ctags: what each finds at the top of the files of a folder. Usage: ctags.ts <folder> [extension…]
import * as Effect from "effect/Effect"
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { Syntax } from "../src/services/Syntax.js"
import { SyntaxLive } from "../src/services/syntax/live.js"
import { flat, placesOf } from "../src/services/syntax/names.js"

interface Tag {
  readonly name: string
  readonly path: string
  readonly line: number
  readonly end: number
  readonly kind: string
  readonly scope: string
  readonly scopeKind: string
}
/** Kinds of ctags that issue 4 asks for: functions, classes, methods, interfaces, types. */
const wanted = new Set([
  "function", "class", "method", "interface", "type", "talias", "typedef", "struct", "enum", "trait", "union", "alias", "implementation", "macro",
  "generator", "getter", "setter", "member", "module", "singletonMethod", "methodSpec", "typealias", "annotation", "prototype", "record"
])
const isText = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null

const folder = process.argv[2] ?? "."
const only = process.argv.slice(3)
const files = execFileSync("git", ["ls-files", "-z"], { cwd: folder, encoding: "utf8", maxBuffer: 1e9 }).split("\0").filter((path) =>
  path !== "" && (only.length === 0 || only.some((extension) => path.endsWith(extension))))

const tagsOf = (): ReadonlyArray<Tag> =>
  execFileSync("ctags", [
    "--output-format=json", "--fields=+nKse", "--kinds-C++=+p", "--kinds-C=+p", "--langmap=C++:+.h", "--langmap=TypeScript:+.mts.cts", "-f", "-", "-L", "-"
  ], { cwd: folder, input: files.join("\n"), encoding: "utf8", maxBuffer: 1e9, stdio: ["pipe", "pipe", "ignore"] }).split("\n").flatMap((line) => {
    const tag: unknown = line === "" ? null : JSON.parse(line)
    if (!isText(tag) || tag["_type"] !== "tag") return []
    return [{
      name: String(tag["name"]),
      path: String(tag["path"]),
      line: Number(tag["line"]),
      end: Number(tag["end"] ?? tag["line"]),
      kind: String(tag["kind"]),
      scope: String(tag["scope"] ?? ""),
      scopeKind: String(tag["scopeKind"] ?? "")
    }]
  })

/** At the top, or a member of what is; no imports, fields, or names that ctags made up. */
const functions = new Set(["function", "method", "member", "generator", "singletonMethod", "getter", "setter"])
const isTop = (tag: Tag, line: string, tags: ReadonlyArray<Tag>) => {
  const language = tag.path.slice(tag.path.lastIndexOf(".") + 1)
  if (!wanted.has(tag.kind) || /^__anon|^Anonymous/i.test(tag.name)) return false
  if (functions.has(tag.scopeKind) || tags.some((each) => functions.has(each.kind) && each.line < tag.line && each.end >= tag.line)) return false
  if (language === "cs" && tag.kind === "typedef") return false
  // It gives TypeScript's local declarations no scope.
  if (/^[mc]?tsx?$/.test(language) && tag.scope === "" && /^\s/.test(line)) return false
  if (tag.kind === "member" && language !== "py") return false
  return tag.kind !== "alias" || (/^[mc]?tsx?$/.test(language) && /\btype\s+\w+[^,}]*(?:=|$)/.test(line))
}

const lastOf = (name: string) => name.replace(/^["']|["']$/g, "").split(/\.|::/).at(-1)?.replace(/\s/g, "")
const main = Effect.gen(function*() {
  const syntax = yield* Syntax
  const byPath = new Map<string, Array<Tag>>()
  for (const tag of tagsOf()) byPath.set(tag.path, [...(byPath.get(tag.path) ?? []), tag])
  let [matched, spurious, declared, compared] = [0, 0, 0, 0]
  for (const path of files) {
    if (!syntax.extensions.some((extension) => path.endsWith(extension))) continue
    const text = readFileSync(join(folder, path), "utf8")
    const outline = yield* Effect.either(syntax.outline(path, text))
    if (outline._tag === "Left") {
      console.log(`! ${path}: ${outline.left.message}`)
      continue
    }
    const found = flat(outline.right.declarations)
    const tags = byPath.get(path) ?? []
    compared++
    declared += found.length
    const lines = text.split("\n")
    for (const tag of tags.filter((each) => isTop(each, lines[each.line - 1] ?? "", tags))) {
      const hit = found.some((each) => each.line <= tag.line + 2 && each.last >= tag.line && each.first <= tag.line
        && each.names.some((name) => name === tag.name || lastOf(name) === lastOf(tag.name)))
      if (hit) matched++
      else console.log(`- ${path}:${tag.line} ${tag.kind} ${tag.name}${tag.scope === "" ? "" : ` (in ${tag.scopeKind} ${tag.scope})`}${outline.right.broken ? " [file does not parse whole]" : ""}`)
    }
    for (const each of found) {
      for (const name of each.names) {
        const word = syntax.wordOf(name)
        const where = lines.slice(each.line - 1, each.line + 2).find((line) => placesOf(line, word).length > 0)
        if (where !== undefined && !syntax.mayDeclare(path, where, word)) console.log(`? ${path}:${each.line} ${each.kind} ${name}: the quick look overlooks it: ${where}`)
      }
      if (["field", "const", "variable", "let", "var", "static", "object"].includes(each.kind)) continue
      if (!tags.some((tag) => each.first <= tag.line && each.last >= tag.line && each.names.some((name) => name === tag.name || lastOf(name) === lastOf(tag.name)))) {
        spurious++
        if (process.env["EXTRA"] !== undefined) console.log(`+ ${path}:${each.line} ${each.kind} ${each.names.join(" ")}`)
      }
    }
  }
  console.log(`${compared} files, ${declared} declarations, ${matched} of ctags' found, ${spurious} that ctags has not`)
})

Effect.runPromise(main.pipe(Effect.provide(SyntaxLive)))
