import type { ToolCallContent, ToolCallLocation, ToolKind } from "@agentclientprotocol/sdk"
import { isAbsolute, join } from "node:path"
import { pathsIn } from "../../services/agent/digest.js"
import type { Touches } from "../../services/Permissions.js"
import { fenced } from "../output/transcript.js"

/** How a call looks in an editor. */

const kinds: Readonly<Record<Touches, ToolKind>> = { reads: "read", writes: "edit", executes: "execute", network: "fetch", ownState: "think" }

/** Of what a tool touches; finer where the protocol has a word for it. */
export const kindOf = (name: string, touches: Touches | undefined): ToolKind =>
  name.startsWith("delete_file") ? "delete"
  : name === "move_file" ? "move"
  : touches === "reads" && /^(grep|glob|find_|tree|list_dir|recent_)/.test(name) ? "search"
  : touches === undefined || name.startsWith("mcp__") ? "other"
  : kinds[touches]

const fieldsOf = (input: unknown) =>
  typeof input === "object" && input !== null ? new Map<string, unknown>(Object.entries(input)) : new Map<string, unknown>()
const absolute = (root: string, path: string) => isAbsolute(path) ? path : join(root, path)

export const locationsOf = (input: unknown, root: string): Array<ToolCallLocation> => {
  const fields = fieldsOf(input)
  const first = ["offset", "startLine", "line"].map((key) => fields.get(key)).find((value) => typeof value === "number")
  return [...new Set(pathsIn(input))].map((path) => ({
    path: absolute(root, path),
    ...typeof first === "number" && Number.isInteger(first) && first > 0 ? { line: first } : {}
  }))
}

const editOf = (path: string, edit: unknown): ReadonlyArray<ToolCallContent> => {
  const fields = fieldsOf(edit)
  const before = fields.get("oldString")
  const after = fields.get("newString")
  return typeof before === "string" && typeof after === "string" ? [{ type: "diff", path, oldText: before, newText: after }] : []
}

/** The diffs that an input itself tells, for calls that run without a question. */
export const diffsIn = (input: unknown, root: string): ReadonlyArray<ToolCallContent> => {
  const fields = fieldsOf(input)
  const path = fields.get("path")
  const edits = fields.get("edits")
  return typeof path !== "string" ? [] : [input, ...Array.isArray(edits) ? edits : []].flatMap((edit: unknown) => editOf(absolute(root, path), edit))
}

/** Editors show content as markdown: what a tool printed is fenced, what a helper or a server wrote is not. */
export const textContent = (name: string, text: string): Array<ToolCallContent> =>
  text === "" ? [] : [{ type: "content", content: { type: "text", text: name === "task" || name.startsWith("mcp__") ? text : fenced(text.replace(/\n+$/, "")) } }]
