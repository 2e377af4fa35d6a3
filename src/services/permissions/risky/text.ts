import type { Field } from "../../Commands.js"
import { hole } from "../../Commands.js"
import { programsOf } from "../../command/programs.js"
import { has, parseOptions } from "../../command/options.js"

const input = { text: null, sure: true, fetched: false, given: false }

const withoutTexts = (program: string) =>
  program.replace(/"(?:[^"\\]|\\[^])*"/g, "\"\"").replace(/(^|[\s(,~!{&|;])\/(?:[^/\\\n]|\\[^])*\//g, "$1//").replace(/#[^\n]*/g, "")

const awkProgram = (program: string): string | null => {
  const code = withoutTexts(program)
  if (program.includes(hole)) return "has a program that is not known"
  if (/\bsystem\s*\(/.test(code)) return "has a program that calls system"
  if (/(^|[^|])\|(?!\|)/.test(code)) return "has a program with a pipe, which runs another one"
  if (/\bprintf?\b[^;}\n]*>/.test(code)) return "has a program that writes a file"
  return /@(?:load|include)/.test(code) ? "has a program that loads another one" : null
}
export const riskyAwk = (words: ReadonlyArray<Field>): string | null => {
  const args = words.slice(1)
  const parsed = parseOptions(args, { short: "vFfile", long: ["--assign", "--field-separator", "--file", "--include", "--load", "--source"], posix: true })
  if (has(parsed, "filE", ["--file", "--include", "--load", "--exec"])) return "takes its program from a file"
  if (args.some(({ many }) => many)) return "has a word that is not known"
  return programsOf("awk", args, input).map(({ text }) => awkProgram(text)).find((why) => why !== null) ?? null
}

/** Reads a sed script command by command; the letter of the first that runs a program or writes a file, `?` where it can't be read. */
const sedCommand = (script: string): string | null => {
  let at = 0
  const delimited = (delimiter: string) => {
    for (at++; at < script.length && script[at] !== delimiter; at++) if (script[at] === "\\") at++
  }
  while (at < script.length) {
    const letter = script[at] ?? ""
    if (/[\s;{}!,\d$+~IM]/.test(letter)) at++
    else if (letter === "/" || letter === "\\") {
      if (letter === "\\") at++
      delimited(script[at] ?? "/")
      at++
    } else if (letter === "#" || "aic".includes(letter)) {
      do at = script.indexOf("\n", at + 1)
      while (at > 0 && script[at - 1] === "\\")
      if (at < 0) return null
    } else if (letter === "s" || letter === "y") {
      const delimiter = script[++at] ?? ""
      delimited(delimiter)
      delimited(delimiter)
      const flags = /^[a-zA-Z\d]*/.exec(script.slice(++at))?.[0] ?? ""
      if (letter === "s" && /[we]/.test(flags)) return "s///w or s///e"
      at += flags.length
    } else if ("weW".includes(letter)) return letter
    else if ("rR:btTvQqlL".includes(letter)) at += /^[^;}\n]*/.exec(script.slice(at))?.[0].length ?? 1
    else if ("=dDgGhHnNpPxzF".includes(letter)) at++
    else return "?"
  }
  return null
}
export const riskySed = (words: ReadonlyArray<Field>): string | null => {
  const args = words.slice(1)
  const parsed = parseOptions(args, { short: "efl", attached: "iE", long: ["--expression", "--file", "--line-length"] })
  if (has(parsed, "i", ["--in-place"])) return "changes files in place"
  if (has(parsed, "f", ["--file"])) return "takes its script from a file"
  if (args.some(({ many, text }) => text.startsWith(hole) || (many && !/^[^\0-]/.test(text)))) return "has a word that is not known"
  for (const { text } of programsOf("sed", args, input)) {
    const found = text.includes(hole) ? "?" : sedCommand(text)
    if (found === "?") return "has a script that cannot be followed"
    if (found !== null) return `has a script with the command ${found}, which writes a file or runs a program`
  }
  return null
}
