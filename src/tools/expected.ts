import type { JsonSchema } from "../services/Toolbox.js"
import { isRecord } from "./records.js"

const words = new Map([["string", "text"], ["integer", "whole number"], ["number", "number"], ["boolean", "true | false"], ["array", "list"], ["object", "object"]])

/** What a JSON Schema wants at a path, in words: `"a" | "b"`, `text (relative to the workspace root)`; null where it does not say. */
export const expectedAt = (schema: JsonSchema, path: ReadonlyArray<PropertyKey>): string | null => {
  const node = path.reduce<unknown>((at, key) => {
    if (!isRecord(at)) return undefined
    if (typeof key === "number") return at["items"]
    return isRecord(at["properties"]) ? at["properties"][String(key)] : undefined
  }, schema)
  if (!isRecord(node)) return null
  const what = Array.isArray(node["enum"]) ? node["enum"].map((each) => JSON.stringify(each)).join(" | ") : words.get(String(node["type"])) ?? null
  return what === null || typeof node["description"] !== "string" ? what : `${what} (${node["description"]})`
}
