import type { Node } from "@vscode/tree-sitter-wasm"
import type { Declares, Language } from "./language.js"
import { follow, namedChildren } from "./steps.js"

const longest = 140

/** Where the declaration's words begin: behind the decorators, attributes and annotations that it holds. */
const begin = (node: Node, language: Language): number => {
  for (let at = 0; at < node.childCount; at++) {
    const child = node.child(at)
    if (child === null || language.marks.includes(child.type) || language.comments.includes(child.type)) continue
    if (!namedChildren(child).some((each) => language.marks.includes(each.type))) return child.startIndex
    const inner = begin(child, language)
    if (inner < child.endIndex) return inner
  }
  return node.endIndex
}

/** The source from its first word up to its body, on one line and cut. `word`: what it begins with but shares with others. */
export const headingOf = (outer: Node, node: Node, rule: Declares, language: Language, text: string, word: string | null): string => {
  const from = begin(outer, language)
  const body = (rule.body ?? ["body"]).flatMap((steps) => follow(node, steps, language))[0]
  const comment = namedChildren(node).find((child) => language.comments.includes(child.type) && child.startIndex > from)
  const until = Math.min(body?.startIndex ?? outer.endIndex, comment?.startIndex ?? outer.endIndex)
  // Long enough for any heading, short enough for a file that is one declaration.
  const source = text.slice(from, Math.min(until, from + 4_000)).trim()
  const words = body === undefined ? source.split("\n", 1)[0] ?? "" : source
  const line = (word === null ? words : `${word} ${words}`).replace(/\s+/g, " ").replace(/\s*(?:[{:;,(=]\s*)*$/, "")
  return line.length > longest ? `${line.slice(0, longest).trimEnd()}…` : line
}
