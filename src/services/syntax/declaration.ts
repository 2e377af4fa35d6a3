import type { Node } from "@vscode/tree-sitter-wasm"
import { headingOf } from "./heading.js"
import type { Declares, Language } from "./language.js"
import { follow, namedChildren } from "./steps.js"

/** Something that a file declares. Lines are 1-based. */
export interface Declaration {
  /** More than one for `const { a, b } = c`, `int a, b`, CSS selectors. Dots between the parts of a name that stands elsewhere (`Server.start`). */
  readonly names: ReadonlyArray<string>
  readonly kind: string
  /** What its source begins with, on one line */
  readonly heading: string
  /** Names of what it is in, outermost first */
  readonly owners: ReadonlyArray<string>
  /** where its name is */
  readonly line: number
  /** its first line, decorators, attributes and `export` included */
  readonly first: number
  /** the first line of the comments right above it, else `first` */
  readonly documented: number
  readonly last: number
  /** It adds to what is declared elsewhere: an `impl` block. */
  readonly adds: boolean
  readonly members: ReadonlyArray<Declaration>
}

/** Comments and marks that follow each other without a blank line, as rows. */
export interface Run {
  readonly first: number
  readonly mark: number | null
  readonly last: number
}
/** Where a node stands. */
export interface Place {
  readonly owners: ReadonlyArray<string>
  /** kind of what is around */
  readonly inside: string | null
  /** the wrapper that belongs to the next declaration */
  readonly outer: Node | null
  /** the word that the wrapper begins with */
  readonly word: string | null
  /** inside of a function */
  readonly local: boolean
  /** what stands right above */
  readonly run: Run | null
}

const classLike = new Set(["class", "interface", "struct", "trait", "impl", "enum", "record", "union", "object", "annotation"])
/** Kinds of which nothing is told inside of a function. */
const values = new Set(["const", "let", "var", "variable", "field", "object", "value", "static", "using"])

/** The row of its last character; some nodes end with the newline. */
export const lastRow = (node: Node) =>
  node.endPosition.column === 0 && node.endPosition.row > node.startPosition.row ? node.endPosition.row - 1 : node.endPosition.row

const tidied = (text: string, language: Language) =>
  (language.tidy ?? []).reduce((name, [from, to]) => name.replace(from, to), text).replace(/\s+/g, " ").trim()

const leavesOf = (node: Node, leaves: ReadonlyArray<string>): ReadonlyArray<Node> => {
  if (leaves.includes(node.type)) return [node]
  return node.type.includes("pattern") ? namedChildren(node).flatMap((child) => leavesOf(child, leaves)) : []
}

const kindOf = (node: Node, name: Node | undefined, rule: Declares, language: Language, place: Place): string | null => {
  const { by } = rule
  const judged = by === undefined ? [] : by.at === "^" ? [name?.parent ?? node] : follow(node, by.at, language)
  const kind = judged.map((each) => by?.kinds[each.type]).find((each) => each !== undefined) ?? rule.kind
  if (kind === "*") return place.word ?? "variable"
  if (kind === null || place.inside === null || !classLike.has(place.inside)) return kind
  return kind === "function" ? "method" : kind === "variable" ? "field" : kind
}

/** What the node declares, its members still to be found; null if nothing. */
export const declarationAt = (node: Node, rule: Declares, place: Place, language: Language, text: string): Declaration | null => {
  if (rule.needs !== undefined && follow(node, rule.needs, language).length === 0) return null
  const found = rule.called === undefined ? follow(node, rule.name ?? "name", language) : []
  const { leaves } = rule
  const nodes = leaves === undefined ? found : found.flatMap((each) => leavesOf(each, leaves))
  const kind = kindOf(node, nodes[0], rule, language, place)
  if (kind === null || (nodes.length === 0 && rule.called === undefined) || (place.local && values.has(kind))) return null
  const owner = rule.owner === undefined ? undefined : rule.owner.pattern.exec(follow(node, rule.owner.at, language)[0]?.text ?? "")?.[1]
  const texts = rule.called === undefined ? nodes.map((each) => `${rule.before ?? ""}${tidied(each.text, language)}`) : [rule.called]
  if (texts.some((each) => language.reserved?.test(each) === true)) return null
  const names = owner === undefined ? texts : texts.map((each) => `${owner}.${each}`)
  const outer = place.outer ?? node
  const first = Math.min(outer.startPosition.row, place.run?.mark ?? Infinity)
  return {
    names,
    kind: kind === "function" && names.some((each) => each.includes(".")) ? "method" : kind,
    heading: headingOf(outer, node, rule, language, text, place.outer === null ? place.word : null),
    owners: place.owners,
    line: (nodes[0] ?? node).startPosition.row + 1,
    first: first + 1,
    documented: Math.min(first, place.run?.first ?? first) + 1,
    last: lastRow(outer) + 1,
    adds: rule.adds === true,
    members: []
  }
}
