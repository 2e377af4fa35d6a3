// Puts a stdio MCP server behind streamable HTTP, a process for each session: node mcpBridge.mjs <command> [argument…]
// The conformance suite speaks only HTTP. Prints the address once it listens.
import { randomUUID } from "node:crypto"
import { createServer } from "node:http"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js"

const [command, ...args] = process.argv.slice(2)
const sessions = new Map()

const open = async () => {
  const outside = new StreamableHTTPServerTransport({
    sessionIdGenerator: () => randomUUID(),
    onsessioninitialized: (id) => void sessions.set(id, outside),
    // as the protocol asks of servers on this machine
    enableDnsRebindingProtection: true,
    allowedHosts: [address()]
  })
  const inside = new StdioClientTransport({ command, args, env: process.env })
  // Answers go to the request that they belong to, what the server says by itself to the open stream.
  const asked = new Map()
  outside.onmessage = (message) => {
    if ("method" in message && "id" in message) asked.set(message.id, true)
    void inside.send(message)
  }
  inside.onmessage = (message) => void outside.send(message, "result" in message || "error" in message ? { relatedRequestId: message.id } : related(message, asked)).catch(() => undefined)
  outside.onclose = () => void inside.close()
  await outside.start()
  await inside.start()
  return outside
}
/** A request or notice of the server during one call belongs to that call's stream. */
const related = (message, asked) => {
  const token = message.params?.progressToken
  const [last] = [...asked.keys()].slice(-1)
  return token === undefined && last === undefined ? {} : { relatedRequestId: token ?? last }
}

const address = () => `127.0.0.1:${server.address().port}`
const server = createServer(async (request, response) => {
  let body = ""
  for await (const part of request) body += part
  const parsed = body === "" ? undefined : JSON.parse(body)
  const id = request.headers["mcp-session-id"]
  const known = id === undefined ? undefined : sessions.get(id)
  if (known === undefined && id !== undefined) {
    response.writeHead(404).end()
    return
  }
  const transport = known ?? await open()
  await transport.handleRequest(request, response, parsed)
})
server.listen(Number(process.env["PORT"] ?? 0), "127.0.0.1", () => console.log(`http://${address()}/mcp`))
