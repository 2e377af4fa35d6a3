import { type Field } from "../Commands.js"
import { parseOptions, valueOf } from "./options.js"
import { downloaders } from "./outputs.js"

const base = (path: string) => path.replace(/[?#][^]*$/, "").replace(/\/+$/, "").replace(/^[^]*\//, "")
/** A path as another word of the line may spell it. */
export const plainPath = (path: string) => path.replace(/^(?:\.\/)+/, "")

/** The files that a command saves downloads to. `fetched`: what it reads was downloaded. */
export const savedBy = (name: string, args: ReadonlyArray<Field>, fetched: boolean): ReadonlyArray<string> => {
  if (name === "tee" && fetched) return args.map(({ text }) => text).filter((text) => !text.startsWith("-"))
  if (!downloaders.has(name)) return []
  const parsed = parseOptions(args, { short: name === "curl" ? "oAbBcCdDeEFhHKmnPQrtTuUwxXyYz" : "OoaePitQTUABDIlRX", long: ["--output", "--output-document", "--output-dir", "--directory-prefix"] })
  const given = parsed.options.flatMap(({ name: option, value }) =>
    value !== null && (option === "-o" || option === "-O" || option === "--output" || option === "--output-document") ? [value.text] : [])
  const urls = parsed.others.map(({ text }) => base(text)).filter((text) => text !== "")
  const byName = name === "curl" ? parsed.options.some(({ name: option }) => option === "-O" || option.startsWith("--remote-name")) : given.length === 0
  const folder = (name === "curl" ? valueOf(parsed, "--output-dir") : valueOf(parsed, "-P", "--directory-prefix"))?.text ?? ""
  return [...given, ...byName ? urls : []].map((file) => folder === "" ? file : `${folder.replace(/\/+$/, "")}/${file}`)
}

/** Copies of programs and links to them, by the name that they get. */
export const renamed = (name: string, args: ReadonlyArray<Field>): ReadonlyArray<readonly [string, Field]> => {
  if (!/^(?:cp|mv|ln|install)$/.test(name)) return []
  const { others } = parseOptions(args, { short: "tmgoS" })
  const target = others.at(-1)?.text ?? ""
  return others.slice(0, -1).filter(({ text }) => /^(?:\/|\0)/.test(text) && /\w$/.test(text)).flatMap((program) =>
    [[plainPath(target), program] as const, [plainPath(`${target.replace(/\/+$/, "")}/${base(program.text)}`), program] as const])
}

/** Where a command puts what is in one of these files: a copy, a new name, a link. */
export const movedTo = (name: string, args: ReadonlyArray<Field>, files: ReadonlySet<string>): ReadonlyArray<string> => {
  if (files.size === 0 || !/^(?:cp|mv|ln|install)$/.test(name)) return []
  const { others } = parseOptions(args, { short: "tmgoS" })
  const target = others.at(-1)?.text ?? ""
  return others.slice(0, -1).filter(({ text }) => files.has(plainPath(text))).flatMap(({ text }) => [target, `${target.replace(/\/+$/, "")}/${base(text)}`])
}
