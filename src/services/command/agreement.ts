import type { Node as Tree } from "@vscode/tree-sitter-wasm"
import type { Node, Redirect, Script, Word } from "./ast.js"

/** Where simple commands begin (their command words), as a second, independent reading of the line sees it. */
export interface Sighting {
  readonly starts: ReadonlySet<number>
  /** ranges between backquotes and of here-documents, where places can't be compared */
  readonly blind: ReadonlyArray<readonly [number, number]>
  readonly faulty: boolean
}

/**
 * The grammar takes the reserved word for a command; the first word after it (and its options) is meant. In a later part of a
 * pipeline it is no reserved word.
 */
const timed = (name: Tree): number => {
  if (name.parent?.previousSibling?.type.startsWith("|") === true) return name.startIndex
  const words = name.parent?.children.filter((each) => each !== null && each.startIndex > name.startIndex && !/^--?p?$/.test(each.text)) ?? []
  return words[0]?.startIndex ?? name.startIndex
}
const commandTypes = new Set(["command_name", "declaration_command", "unset_command"])

/** What the grammar's tree says. */
export const sighted = (root: Tree): Sighting => {
  const starts = new Set<number>()
  const blind: Array<readonly [number, number]> = []
  const stack: Array<Tree> = [root]
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (commandTypes.has(node.type) && !node.text.startsWith("((")) starts.add(node.type === "command_name" && node.text === "time" ? timed(node) : node.startIndex)
    if (node.type === "test_command" && node.text.startsWith("[") && !node.text.startsWith("[[")) starts.add(node.startIndex)
    if (node.type === "heredoc_body") blind.push([node.startIndex, node.endIndex])
    if (node.type === "command_substitution" && node.text.startsWith("`")) blind.push([node.startIndex, node.endIndex])
    for (const child of node.children) if (child !== null) stack.push(child)
  }
  return { starts, blind, faulty: root.hasError }
}

/** What our own reading says. Here-documents are texts of their own and left out, and so is, below, what stands between backquotes. */
export const seen = (script: Script): ReadonlySet<number> => {
  const starts = new Set<number>()
  const word = (each: Word) => {
    for (const part of each.parts) {
      if (part.is === "process" || (part.is === "command" && part.apart !== true)) list(part.script)
      else if (part.is === "arithmetic") word(part.parts)
      else if (part.is === "parameter") {
        if (part.index !== null) word(part.index)
        if (part.operand !== null) word(part.operand)
      }
    }
  }
  const redirect = ({ operator, target }: Redirect) => operator === "<<" ? undefined : word(target)
  const list = (each: Script) => {
    for (const { node } of each.items) visit(node)
  }
  const visit = (node: Node): void => {
    switch (node.is) {
      case "simple":
        if (node.words[0] !== undefined) starts.add(node.words[0].start)
        node.words.forEach(word)
        node.redirects.forEach(redirect)
        for (const { index, value } of node.assignments) {
          if (index !== null) word(index)
          if ("parts" in value) word(value)
          else value.forEach(word)
        }
        return
      case "group":
        return list(node.body)
      case "pipeline":
        return node.stages.forEach(visit)
      case "either":
        visit(node.left)
        return visit(node.right)
      case "if":
        for (const { body, test } of node.branches) {
          list(test)
          list(body)
        }
        return node.otherwise === null ? undefined : list(node.otherwise)
      case "while":
        list(node.test)
        return list(node.body)
      case "for":
        node.words?.forEach(word)
        return list(node.body)
      case "count":
        word(node.expression)
        return list(node.body)
      case "case":
        word(node.subject)
        for (const { body, patterns } of node.items) {
          patterns.forEach(word)
          list(body)
        }
        return
      case "function":
        return visit(node.body)
      case "test":
        return node.words.forEach(word)
      case "arithmetic":
        return word(node.expression)
      case "coproc":
        return visit(node.body)
      case "redirected":
        node.redirects.forEach(redirect)
        return visit(node.body)
    }
  }
  list(script)
  return starts
}

/** Whether both readings see commands in the same places. */
export const agree = (own: ReadonlySet<number>, other: Sighting): boolean => {
  const hidden = (at: number) => other.blind.some(([from, to]) => at >= from && at < to)
  const mine = [...own].filter((at) => !hidden(at))
  const theirs = [...other.starts].filter((at) => !hidden(at))
  return !other.faulty && mine.length === theirs.length && mine.every((at) => other.starts.has(at))
}
