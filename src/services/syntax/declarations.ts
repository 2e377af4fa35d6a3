import type { Node } from "@vscode/tree-sitter-wasm"
import type { Declaration, Place, Run } from "./declaration.js"
import { declarationAt, lastRow } from "./declaration.js"
import type { Declares, Language } from "./language.js"
import { follow, namedChildren } from "./steps.js"

/** What to look into: what a file declares at its top, with members; everything; or what holds one of these places (indices). */
export type Sought = "top" | "all" | ReadonlyArray<number>

/** Levels of the tree; deeper lie long chains of operators, not declarations. */
const deepestWalk = 1_000

/** One walk over a tree. */
interface Walk {
  readonly language: Language
  readonly text: string
  readonly sought: Sought
  readonly root: Node
  depth: number
}

/** The run that a comment or mark belongs to. */
const runWith = (child: Node, run: Run | null, isMark: boolean): Run => {
  const row = child.startPosition.row
  const goesOn = run !== null && row <= run.last + 1 ? run : null
  return { first: goesOn?.first ?? row, mark: goesOn?.mark ?? (isMark ? row : null), last: lastRow(child) }
}

const inChildren = (node: Node, place: Place, walk: Walk): ReadonlyArray<Declaration> => {
  if (walk.depth === deepestWalk) return []
  walk.depth++
  const { comments, marks } = walk.language
  const found: Array<Declaration> = []
  let { run } = place
  let previous = node === walk.root ? -1 : node.startPosition.row
  for (const child of namedChildren(node)) {
    const row = child.startPosition.row
    const isMark = marks.includes(child.type)
    if (isMark || comments.includes(child.type)) {
      // A comment behind code on its line is about that code.
      if (isMark || row > previous) run = runWith(child, run, isMark)
      previous = Math.max(previous, lastRow(child))
      continue
    }
    for (const each of visit(child, { ...place, run: run !== null && row <= run.last + 1 ? run : null }, walk)) found.push(each)
    run = null
    previous = lastRow(child)
  }
  walk.depth--
  return found
}

const withMembers = (declaration: Declaration, node: Node, rule: Declares, place: Place, walk: Walk): Declaration => {
  const { by } = rule
  const { kind, names } = declaration
  const value = by === undefined || by.at === "^" ? undefined : follow(node, by.at, walk.language)[0]
  // A value that is a function or class is the declaration itself, whatever name it has of its own.
  const valued = value !== undefined && by?.kinds[value.type] !== undefined
  const isLocal = rule.local === true || (valued && (kind === "function" || kind === "method"))
  if (walk.sought === "top" && isLocal) return declaration
  const inner: Place = {
    owners: [...place.owners, ...names.slice(0, 1)],
    inside: kind,
    outer: null,
    word: null,
    local: place.local || isLocal,
    run: null
  }
  return { ...declaration, members: inChildren(valued ? value : node, inner, walk) }
}

const visit = (node: Node, place: Place, walk: Walk): ReadonlyArray<Declaration> => {
  const { language, sought, text } = walk
  if (typeof sought !== "string" && !sought.some((index) => index >= node.startIndex && index < node.endIndex)) return []
  const { type } = node
  const rule = language.declares[type]
  const declaration = rule === undefined ? null : declarationAt(node, rule, place, language, text)
  if (rule !== undefined && declaration !== null && rule.transparent !== true) return [withMembers(declaration, node, rule, place, walk)]
  if (rule?.transparent === true) {
    const inside = inChildren(node, { ...place, outer: null, run: declaration === null ? place.run : null }, walk)
    return declaration === null ? inside : [declaration, ...inside]
  }
  if (language.wraps.includes(type)) {
    const declaring = namedChildren(node).filter((child) => language.declares[child.type] !== undefined || language.wraps.includes(child.type))
    const first = node.firstChild
    return inChildren(node, {
      ...place,
      outer: declaring.length === 1 ? place.outer ?? node : null,
      word: first !== null && !first.isNamed ? first.type : null
    }, walk)
  }
  if (language.holds.includes(type) || node.isError) return inChildren(node, { ...place, outer: null }, walk)
  return sought === "top" ? [] : inChildren(node, { ...place, outer: null, run: null, local: true }, walk)
}

/** What the text declares, in its order, members within. */
export const declarationsOf = (language: Language, root: Node, text: string, sought: Sought): ReadonlyArray<Declaration> =>
  inChildren(root, { owners: [], inside: null, outer: null, word: null, local: false, run: null }, { language, text, sought, root, depth: 0 })
