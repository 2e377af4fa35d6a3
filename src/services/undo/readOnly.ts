import type { Analysis, Field, Simple } from "../Commands.js"

/** Programs that change no file whatever they are given, and those that do only with the options matched here. */
const programs: Readonly<Record<string, RegExp | null>> = {
  ls: null, cat: null, head: null, tail: null, wc: null, pwd: null, echo: null, printf: null, true: null, false: null, test: null, "[": null, ":": null,
  cd: null, which: null, type: null, stat: null, du: null, df: null, date: /^(?:-s|--set)/, whoami: null, id: null, uname: null, hostname: null, basename: null, dirname: null,
  realpath: null, readlink: null, file: /^(?:-[a-zA-Z]*C|--compile)/, cut: null, tr: null, nl: null, od: null, cmp: null, diff: /^--output/, comm: null,
  md5sum: null, sha1sum: null, sha256sum: null, seq: null, sleep: null, ps: null, grep: null, egrep: null, fgrep: null,
  rg: /^--(?:pre|hostname-bin)/, find: /^-(?:exec|ok|delete|fprint|fls)/, sort: /^(?:-[a-zA-Z]*[oT]|--o|--t|--compress)/, jq: null
}
/** Sub-commands of git that read, as far as the options that are matched here do not make them write. */
const gitReads = new Set(["status", "log", "show", "diff", "blame", "rev-parse", "ls-files", "ls-tree", "cat-file", "describe", "shortlog", "grep"])
const gitOption = /^(?:--output|-o|-O|--open-files|--ext-diff|--textconv)/

const isKnown = ({ glob, literal, many, text }: Field) => literal && !many && glob === null && !text.includes("\0")

const isHarmless = ({ sets, words }: Simple): boolean => {
  const [first, ...args] = words
  if (first === undefined || !isKnown(first) || sets.length > 0) return false
  if (first.text === "git") {
    const [command, ...rest] = args
    return command !== undefined && isKnown(command) && gitReads.has(command.text) && rest.every((arg) => isKnown(arg) && !gitOption.test(arg.text))
  }
  if (!Object.hasOwn(programs, first.text)) return false
  const bad = programs[first.text] ?? null
  return bad === null || args.every((arg) => isKnown(arg) && !bad.test(arg.text))
}

/** Whether a line is known to change no file. What is not known for sure is not. */
export const isReadOnly = ({ bomb, commands, unread, writes }: Analysis): boolean =>
  unread === null && bomb === null && commands.length > 0
  && writes.every(({ path }) => isKnown(path) && path.text === "/dev/null")
  && commands.every(isHarmless)
