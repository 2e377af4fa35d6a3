import { type Field } from "../../Commands.js"
import { type Program, programsOf } from "../../command/programs.js"
import { ask, type Finding, refuse, type Rule } from "./finding.js"

const withoutTexts = (code: string) =>
  code.replace(/("""|''')[^]*?\1/g, "\"\"").replace(/"(?:[^"\\\n]|\\[^])*"|'(?:[^'\\\n]|\\[^])*'/g, "\"\"").replace(/`(?:[^`\\]|\\[^])*`/g, "\"\"")

const removes: Readonly<Record<string, RegExp>> = {
  python: /\b(?:rmtree|removedirs|send2trash)\s*\(|\bos\s*\.\s*(?:remove|unlink|rmdir)\s*\(|\.\s*(?:unlink|rmdir)\s*\(|\bimport\s+(?:\w+\s*,\s*)*(?:remove|unlink|rmtree)\b/,
  node: /\b(?:rmSync|rmdirSync|unlinkSync|rimraf(?:Sync)?)\s*\(|\b(?:fs|fsp|promises|fsPromises|Deno)\s*(?:\)\s*)?(?:\.\s*promises)?\s*\.\s*(?:rm|rmdir|unlink|remove|removeSync|emptyDir|emptyDirSync)\s*\(|require\s*\(\s*""\s*\)\s*(?:\.\s*promises)?\s*\.\s*(?:rm|rmdir|unlink|remove|removeSync)\s*\(/,
  perl: /\b(?:unlink|rmtree|remove_tree|rmdir)\b/,
  ruby: /\bFileUtils\s*\.\s*(?:rm|remove|safe_unlink)\w*|\b(?:File|Dir|Pathname)\s*\.\s*(?:delete|unlink|rmdir)\b|\bPathname\b[^]*\.\s*(?:delete|unlink)\b|\.\s*rmtree\b|\b(?:rm_rf|rm_r)\b/,
  php: /\b(?:unlink|rmdir)\s*\(/,
  tcl: /\bfile\s+delete\b/,
  other: /\b(?:os\.remove|unlink|file\.remove|rm|delete)\s*\(|\bFile\s*\.\s*rm\w*!?|\(\s*delete-(?:directory|file)\b/
}
/** The same by name in a text, where a language looks names up at run time. */
const byText: Readonly<Record<string, RegExp>> = {
  node: /\brequire\s*\(\s*["'`](?:rimraf|del|trash)["'`]\s*\)|\{[^}]*\b(?:rmSync|unlinkSync|rmdirSync|rm|unlink|rmdir)\b[^}]*\}\s*(?:=|from\b)/,
  php: /["'](?:unlink|rmdir)["']/
}
const evaluates = /\b(?:exec|eval|Function|instance_eval)\s*\(/
const downloads = /\b(?:urlopen|requests\s*\.\s*get|httpx\s*\.\s*get|fetch\s*\(|Net::HTTP|URI\.open|LWP)/
const lookedUp = /(?:getattr\s*\([^\n]*?|\[\s*)["'`](?:rmtree|rmSync|unlinkSync|rmdirSync|unlink|rmdir|rm|remove|removedirs)["'`]/
const forks = /\bfork\b[^;\n]*\bwhile\b|\bwhile\b[^\n]*(?:\n[^\n]*)?\bfork\b|\bloop\s*\{[^}]*\bfork\b/

const judged = ({ language, text }: Program): Finding | null => {
  if (language === "awk" || language === "sed") return null
  const code = withoutTexts(language === "perl" || language === "ruby" ? text.replace(/(\b(?:unless|if|and|or|not|split|grep)\s*\(?\s*|=~\s*)\/[\w\s|^$.*-]*\//g, "$1\"\"") : text)
  if (forks.test(code)) return refuse("a fork bomb", "it makes the machine stand still")
  const evaluated = evaluates.test(code)
  if (evaluated && downloads.test(text)) return ask("a one-line program that runs a download", "nobody has seen what it does")
  return removes[language]?.test(code) === true || lookedUp.test(text) || byText[language]?.test(text) === true || (evaluated && removes[language]?.test(text) === true)
    ? ask(`a one-line ${language === "other" ? "" : `${language} `}program that removes files`, "what it removes cannot be brought back")
    : null
}

/** Programs written on the line itself. */
export const programs: Rule = ({ args, name, simple }) => {
  const list: ReadonlyArray<Field> = args
  for (const program of programsOf(name, list, simple.input)) {
    const found = judged(program)
    if (found !== null) return found
  }
  return null
}
