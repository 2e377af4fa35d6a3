import type { Node } from "@vscode/tree-sitter-wasm"
import type { Declares, Language } from "./language.js"
import { headingOf } from "./heading.js"
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

/** What to look into: what a file declares at its top, with members; everything; or what holds one of these places (indices). */
export type Sought = "top" | "all" | ReadonlyArray<number>

interface Place {
  readonly owners: ReadonlyArray<string>
  /** kind of what is around */
  readonly inside: string | null
  /** the wrapper that belongs to the next declaration */
  readonly outer: Node | null
  /** the word that the wrapper begins with */
  readonly word: string | null
  /** inside of a function */
  readonly local: boolean
  /** comments and marks right above, as rows */
  readonly run: Run | null
}
/** Comments and marks that follow each other without a blank line. */
interface Run {
  readonly first: number
  readonly mark: number | null
  readonly last: number
}

/** Levels of the tree; deeper lie long chains of operators, not declarations. */
const deepestWalk = 1_000
const classLike = new Set(["class", "interface", "struct", "trait", "impl", "enum", "record", "union", "object", "annotation"])
const data = new Set(["const", "let", "var", "variable", "field", "object", "value", "static", "using"])

/** The row of its last character; some nodes end with the newline. */
const lastRow = (node: Node) => node.endPosition.column === 0 && node.endPosition.row > node.startPosition.row ? node.endPosition.row - 1 : node.endPosition.row

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

/** One file's walk. */
export const declarationsOf = (language: Language, root: Node, text: string, sought: Sought): ReadonlyArray<Declaration> => {
  const within = (node: Node) => typeof sought === "string" || sought.some((index) => index >= node.startIndex && index < node.endIndex)

  const read = (node: Node, rule: Declares, place: Place): Declaration | null => {
    if (rule.needs !== undefined && follow(node, rule.needs, language).length === 0) return null
    const found = rule.called === undefined ? follow(node, rule.name ?? "name", language) : []
    const { leaves } = rule
    const names = leaves === undefined ? found : found.flatMap((each) => leavesOf(each, leaves))
    const kind = kindOf(node, names[0], rule, language, place)
    if (kind === null || (names.length === 0 && rule.called === undefined) || (place.local && data.has(kind))) return null
    const owner = rule.owner === undefined ? undefined : rule.owner.pattern.exec(follow(node, rule.owner.at, language)[0]?.text ?? "")?.[1]
    const outer = place.outer ?? node
    const first = Math.min(outer.startPosition.row, place.run?.mark ?? Infinity)
    const texts = rule.called === undefined ? names.map((name) => `${rule.before ?? ""}${tidied(name.text, language)}`) : [rule.called]
    const qualified = owner === undefined ? texts : texts.map((each) => `${owner}.${each}`)
    const declaration = {
      names: qualified,
      kind: kind === "function" && qualified.some((each) => each.includes(".")) ? "method" : kind,
      heading: headingOf(outer, node, rule, language, text, place.outer === null ? place.word : null),
      owners: place.owners,
      line: (names[0] ?? node).startPosition.row + 1,
      first: first + 1,
      documented: Math.min(first, place.run?.first ?? first) + 1,
      last: lastRow(outer) + 1,
      adds: rule.adds === true
    }
    const inner: Place = {
      owners: [...place.owners, ...qualified.slice(0, 1)],
      inside: kind,
      outer: null,
      word: null,
      local: place.local,
      run: null
    }
    return { ...declaration, members: rule.transparent === true ? [] : membersOf(node, rule, inner) }
  }

  const membersOf = (node: Node, rule: Declares, place: Place): ReadonlyArray<Declaration> => {
    const { by } = rule
    const value = by === undefined || by.at === "^" ? undefined : follow(node, by.at, language)[0]
    // A value that is a function or class is the declaration itself, whatever name it has of its own.
    const valued = value !== undefined && by?.kinds[value.type] !== undefined
    const isLocal = rule.local === true || (valued && (place.inside === "function" || place.inside === "method"))
    return sought === "top" && isLocal ? [] : inChildren(valued ? value : node, { ...place, local: place.local || isLocal })
  }

  const visit = (node: Node, place: Place): ReadonlyArray<Declaration> => {
    if (!within(node)) return []
    const { type } = node
    const rule = language.declares[type]
    const declaration = rule === undefined ? null : read(node, rule, place)
    if (declaration !== null) {
      return rule?.transparent === true ? [declaration, ...inChildren(node, { ...place, outer: null, run: null })] : [declaration]
    }
    if (rule?.transparent === true) return inChildren(node, { ...place, outer: null })
    if (language.wraps.includes(type)) {
      const declaring = namedChildren(node).filter((child) => language.declares[child.type] !== undefined || language.wraps.includes(child.type))
      const first = node.firstChild
      return inChildren(node, {
        ...place,
        outer: declaring.length === 1 ? place.outer ?? node : null,
        word: first !== null && !first.isNamed ? first.type : null
      })
    }
    if (language.holds.includes(type) || node.isError) return inChildren(node, { ...place, outer: null })
    return sought === "top" ? [] : inChildren(node, { ...place, outer: null, run: null, local: true })
  }

  let depth = 0
  const inChildren = (node: Node, place: Place): ReadonlyArray<Declaration> => {
    if (depth === deepestWalk) return []
    depth++
    const found = among(namedChildren(node), node, place)
    depth--
    return found
  }

  const among = (children: ReadonlyArray<Node>, node: Node, place: Place): ReadonlyArray<Declaration> => {
    const found: Array<Declaration> = []
    let { run } = place
    let previous = node === root ? -1 : node.startPosition.row
    for (const child of children) {
      const row = child.startPosition.row
      const isMark = language.marks.includes(child.type)
      if (isMark || language.comments.includes(child.type)) {
        const last = lastRow(child)
        const goesOn = run !== null && row <= run.last + 1
        // A comment behind code on its line is about that code.
        if (goesOn || isMark || row > previous || node === root && previous === -1) {
          run = {
            first: goesOn && run !== null ? run.first : row,
            mark: goesOn && run !== null && run.mark !== null ? run.mark : isMark ? row : null,
            last
          }
        }
        previous = Math.max(previous, last)
        continue
      }
      for (const each of visit(child, { ...place, run: run !== null && row <= run.last + 1 ? run : null })) found.push(each)
      run = null
      previous = lastRow(child)
    }
    return found
  }

  return inChildren(root, { owners: [], inside: null, outer: null, word: null, local: false, run: null })
}
