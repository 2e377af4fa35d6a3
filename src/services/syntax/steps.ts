import type { Node } from "@vscode/tree-sitter-wasm"
import type { Language, Steps } from "./language.js"

const isNode = (node: Node | null): node is Node => node !== null
export const namedChildren = (node: Node): ReadonlyArray<Node> => node.namedChildren.filter(isNode)

const children = (node: Node, step: string): ReadonlyArray<Node> => {
  if (step === "*") return namedChildren(node)
  const fields = node.childrenForFieldName(step).filter(isNode)
  // Commas between several are in the field too.
  const byField = fields.length === 1 ? fields : fields.filter((child) => child.isNamed)
  return byField.length > 0 ? byField : namedChildren(node).filter((child) => child.type === step)
}

/** As deep as the field goes, through wrappers that have no field for it. */
const deepest = (node: Node, field: string, language: Language): Node => {
  let at = node
  while (true) {
    if (language.whole?.includes(at.type) === true) return at
    const next = at.childForFieldName(field) ?? (language.around?.includes(at.type) === true ? at.lastNamedChild : null)
    if (next === null) return at
    at = next
  }
}

/** The nodes that the steps lead to. */
export const follow = (node: Node, steps: Steps, language: Language): ReadonlyArray<Node> =>
  steps.split(" ").reduce<ReadonlyArray<Node>>((nodes, step) => {
    if (!step.endsWith("+")) return nodes.flatMap((each) => children(each, step))
    const field = step.slice(0, -1)
    return nodes.flatMap((each) => children(each, field)).map((each) => deepest(each, field, language))
  }, [node])
