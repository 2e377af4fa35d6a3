import { type Field, hole } from "../Commands.js"
import { code, field, type Inner, type Runs, unseen } from "./inner.js"
import { has, parseOptions, valueOf } from "./options.js"

/** Shells by base name; `alike`: reads code as bash does, as far as it is used here. */
const shells: Readonly<Record<string, { readonly alike: boolean }>> = {
  bash: { alike: true },
  rbash: { alike: true },
  sh: { alike: true },
  dash: { alike: true },
  ash: { alike: true },
  ksh: { alike: true },
  mksh: { alike: true },
  ksh93: { alike: true },
  zsh: { alike: false },
  fish: { alike: false },
  csh: { alike: false },
  tcsh: { alike: false },
  pwsh: { alike: false },
  xonsh: { alike: false },
  nu: { alike: false }
}
export const isShell = (name: string): boolean => Object.hasOwn(shells, name)

const standardInput = new Set(["-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"])
/** A file name that stands for what is on the standard input. */
export const isInput = (name: string): boolean => standardInput.has(name)
/** A file name that stands for what is on another descriptor. */
export const isDescriptor = (name: string): boolean => /^\/(?:dev|proc\/[\w\0]+)\/fd\/[\d\0]+$/.test(name)
const notKnown = "a shell reads commands that are not known before it runs"

const spec = { short: "oOc", long: ["--rcfile", "--init-file", "--command"], plus: true, posix: true } as const

/** What a shell is told to run: by `-c`, from its input, from a file that cannot be seen. */
export const shellOf = (name: string): Runs | null => {
  if (!isShell(name)) return null
  const { alike } = shells[name] ?? { alike: false }
  const read = (args: ReadonlyArray<Field>): ReadonlyArray<Inner> => {
    // The text of `-c` is the first word that is no option, not what follows it at once.
    const parsed = parseOptions(args, { ...spec, short: "oO", long: ["--rcfile", "--init-file"] })
    const rest = args.slice(parsed.rest)
    const [first, ...others] = rest
    const start = valueOf(parsed, "--rcfile", "--init-file")
    const unlike = [...alike ? [] : unseen(`${name} reads code in its own way`), ...start === null ? [] : startsWith(start)]
    const attached = valueOf(parsed, "--command")
    if (attached !== null) return [...unlike, ...code(attached)]
    if (has(parsed, "c")) {
      const [zero, ...after] = others
      if (first === undefined) return []
      return [...unlike, { is: "code", text: first, arguments: after, ...zero === undefined ? {} : { zero }, same: false, reach: "rules" }]
    }
    if (has(parsed, "", ["--version", "--help"], 5)) return []
    if (first === undefined || has(parsed, "s") || isInput(first.text)) {
      return [...unlike, { is: "input", arguments: first === undefined || has(parsed, "s") ? rest : others, reach: "rules" }]
    }
    return [...unlike, ...fromFile(first, others)]
  }
  return (args) => [...read(args), ...otherwise(args, read)]
}

/** Where an option could stand, a word of which not all is known: what else it may be than what it looks like. */
const vagueOption = (args: ReadonlyArray<Field>): number => {
  const { rest } = parseOptions(args, { short: "oO", long: ["--rcfile", "--init-file"], plus: true, posix: true })
  return args.slice(0, rest + 1).findIndex(({ text }) => text.includes(hole) && /^(?:[-+]?[A-Za-z]*|--)$/.test(text.replaceAll(hole, "")))
}
/** It may be `-c`, or `-` for the input, and without quotes it may be nothing at all. That the guard looks at; rules too where its letters say so. */
const otherwise = (args: ReadonlyArray<Field>, read: (args: ReadonlyArray<Field>) => ReadonlyArray<Inner>): ReadonlyArray<Inner> => {
  const at = vagueOption(args)
  const word = args[at]
  if (word === undefined) return []
  const spelt = /c/.test(word.text)
  const code = read([...args.slice(0, at), field("-c"), ...args.slice(at + 1)])
  const input = read([...args.slice(0, at), field("-"), ...args.slice(at + 1)]).filter(({ is }) => is === "input")
  const gone = [...args.slice(0, at), ...args.slice(at + 1)]
  const without = word.many && word.text === hole ? [...read(gone), ...otherwise(gone, read)] : []
  return [...code.map((each) => spelt ? each : guarded(each)), ...input.map(guarded), ...without.map(guarded)]
}
const guarded = (inner: Inner): Inner => inner.is === "unseen" ? inner : { ...inner, reach: "guard" }
/** A file can't be seen into, but for one that a process substitution makes. */
const fromFile = (file: Field, args: ReadonlyArray<Field>): ReadonlyArray<Inner> => {
  if (isDescriptor(file.text)) return unseen(notKnown)
  if (file.contents === undefined) return []
  const { fetched, sure, text } = file.contents
  const unknown = sure && text !== null ? [] : unseen(notKnown)
  return [...unknown, ...text === null ? [] : code({ ...file, text, fetched }, "rules", args)]
}

/** A file that a shell runs before anything else. */
export const startsWith = (file: Field): ReadonlyArray<Inner> =>
  (isInput(file.text) ? [{ is: "input", arguments: [], reach: "guard" } as const] : fromFile(file, [])).map(guarded)

/** Where `sh` is not bash the two read these differently. */
const bashOnly = /\$'|\$"|&>|\|&|<<<|[<>]\(|\{[^{}\s]*(?:,|\.\.)[^{}\s]*\}|\(\(|\[\[|\bfunction\b|\balias\b|\bcoproc\b|\bselect\b/
export const readsAlike = (name: string, text: string): boolean => name === "bash" || name === "rbash" || !bashOnly.test(text)
