import { createHash } from "node:crypto"

const longest = 64
const safe = (text: string) => text.replace(/[^A-Za-z0-9_-]+/g, "_")

/** Names as every provider takes them: letters, digits, `_`, `-`, at most 64; what would clash or be cut gets a short hash. */
export const uniqueNames = (tools: ReadonlyArray<{ readonly server: string; readonly tool: string }>): ReadonlyArray<string> => {
  const taken = new Set<string>()
  return tools.map(({ server, tool }) => {
    const plain = `mcp__${safe(server)}__${safe(tool)}`
    const mark = createHash("sha256").update(`${server}\0${tool}`).digest("hex").slice(0, 6)
    const name = plain.length <= longest && !taken.has(plain) ? plain : `${plain.slice(0, longest - 7)}_${mark}`
    taken.add(name)
    return name
  })
}
