import { type Field, hole } from "../Commands.js"

/** How a program reads its options, as far as it matters for finding what follows them. */
export interface Options {
  /** short options that take a value, attached or as the next word */
  readonly short?: string
  /** long options that take a value as the next word (with `=` any can) */
  readonly long?: ReadonlyArray<string>
  /** short options whose value can only be attached */
  readonly attached?: string
  /** short options that take the digits attached to them, where there are some */
  readonly digits?: string
  /** words that look like `+x` are options too */
  readonly plus?: boolean
  /** options stop at the first other word */
  readonly posix?: boolean
}

export interface Option {
  /** `-x` or `--name` */
  readonly name: string
  readonly value: Field | null
}
export interface Parsed {
  readonly options: ReadonlyArray<Option>
  /** index of the first word that is no option */
  readonly rest: number
  /** every word that is no option */
  readonly others: ReadonlyArray<Field>
  /** a word that is not known might be an option, or may be none */
  readonly vague: boolean
}

const part = (field: Field, text: string): Field => ({ ...field, text })

const short = (field: Field, spec: Options, next: Field | undefined): { readonly options: ReadonlyArray<Option>; readonly used: boolean } => {
  const options: Array<Option> = []
  const letters = field.text.slice(1)
  for (let at = 0; at < letters.length; at++) {
    const letter = letters[at] ?? ""
    if (letter === hole) continue
    const name = `${field.text[0] ?? "-"}${letter}`
    const rest = letters.slice(at + 1)
    if (spec.short?.includes(letter) === true) {
      return { options: [...options, { name, value: rest === "" ? next ?? null : part(field, rest) }], used: rest === "" }
    }
    if (spec.attached?.includes(letter) === true) return { options: [...options, { name, value: part(field, rest) }], used: false }
    const figures = spec.digits?.includes(letter) === true ? /^(?:x[\da-fA-F]+|\d+)/.exec(rest)?.[0] ?? "" : ""
    options.push({ name, value: figures === "" ? null : part(field, figures) })
    at += figures.length
  }
  return { options, used: false }
}

/** Takes the options out of a program's arguments (its own word is not among `fields`). */
export const parseOptions = (fields: ReadonlyArray<Field>, spec: Options = {}): Parsed => {
  const options: Array<Option> = []
  const others: Array<Field> = []
  let rest = fields.length
  let vague = false
  const other = (at: number) => {
    if (others.length === 0) rest = at
  }
  for (let at = 0; at < fields.length; at++) {
    const field = fields[at]
    if (field === undefined) break
    const { text } = field
    if (text === "--") {
      other(at + 1)
      others.push(...fields.slice(at + 1))
      break
    }
    if (field.many || text.startsWith(hole)) vague = true
    if (text.startsWith("--")) {
      const equals = text.indexOf("=")
      const name = equals < 0 ? text : text.slice(0, equals)
      const takes = equals < 0 && spec.long?.some((each) => each === name) === true
      options.push({ name, value: equals >= 0 ? part(field, text.slice(equals + 1)) : takes ? fields[at + 1] ?? null : null })
      if (takes) at++
    } else if (text.length > 1 && (text.startsWith("-") || (spec.plus === true && text.startsWith("+")))) {
      const found = short(field, spec, fields[at + 1])
      options.push(...found.options)
      if (found.used) at++
    } else {
      other(at)
      others.push(field)
      if (spec.posix === true) {
        others.push(...fields.slice(at + 1))
        break
      }
    }
  }
  return { options, rest, others, vague }
}

/** Whether an option is given in any of its spellings; a long one may be shortened to no less than `least` letters. */
export const has = (parsed: Parsed, short: string, long: ReadonlyArray<string> = [], least = 3): boolean =>
  parsed.options.some(({ name }) =>
    (name.length === 2 && short.includes(name[1] ?? "?")) || long.some((each) => name === each || (name.length >= least + 2 && each.startsWith(name))))

export const valueOf = (parsed: Parsed, ...names: ReadonlyArray<string>): Field | null =>
  parsed.options.findLast(({ name }) => names.includes(name))?.value ?? null
