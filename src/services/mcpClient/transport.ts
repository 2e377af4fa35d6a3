import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js"
import type { ConfigValues } from "../config/schema.js"

export type ServerConfig = NonNullable<ConfigValues["mcpServers"]>[string]

/** The most a server may send in one message. */
const mostBytes = 8 * 1024 * 1024

/** `${NAME}` in what the user wrote stands for the environment's value. */
const expand = (text: string, env: Readonly<Record<string, string | undefined>>) =>
  text.replace(/\$\{([A-Za-z_]\w*)\}/g, (whole, name: string) => env[name] ?? whole)

const expandAll = (record: Readonly<Record<string, string>> | undefined, env: Readonly<Record<string, string | undefined>>) =>
  Object.fromEntries(Object.entries(record ?? {}).map(([key, value]) => [key, expand(value, env)]))

/** `fetch` whose bodies end with an error once they are too large. */
const bounded = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
  const response = await fetch(input, init)
  if (response.body === null || (response.headers.get("content-type") ?? "").includes("event-stream")) return response
  let seen = 0
  const body = response.body.pipeThrough(new TransformStream<Uint8Array, Uint8Array>({
    transform: (part, controller) => {
      seen += part.byteLength
      if (seen > mostBytes) controller.error(new Error(`it sent more than ${mostBytes / 1024 / 1024} MB`))
      else controller.enqueue(part)
    }
  }))
  return new Response(body, { status: response.status, statusText: response.statusText, headers: response.headers })
}

export interface Opened {
  readonly transport: Transport
  /** the last of what a local server wrote to its stderr */
  readonly lastWords: () => string
}

/** The way to one server: a child process over its pipes, streamable HTTP, or SSE. */
export const openTransport = async (config: ServerConfig, root: string, env: Readonly<Record<string, string | undefined>>): Promise<Opened> => {
  if ("command" in config) {
    const { getDefaultEnvironment, StdioClientTransport } = await import("@modelcontextprotocol/sdk/client/stdio.js")
    const transport = new StdioClientTransport({
      command: expand(config.command, env),
      args: (config.args ?? []).map((arg) => expand(arg, env)),
      env: { ...getDefaultEnvironment(), ...expandAll(config.env, env) },
      cwd: config.cwd ?? root,
      stderr: "pipe",
      maxBufferSize: mostBytes
    })
    let words = ""
    transport.stderr?.on("data", (part: Buffer) => {
      words = (words + part.toString("utf8")).slice(-2000)
    })
    return { transport, lastWords: () => words.trim() }
  }
  const url = new URL(expand(config.url, env))
  const headers = expandAll(config.headers, env)
  if (config.type === "sse") {
    const { SSEClientTransport } = await import("@modelcontextprotocol/sdk/client/sse.js")
    return { transport: new SSEClientTransport(url, { requestInit: { headers }, fetch: bounded }), lastWords: () => "" }
  }
  const { StreamableHTTPClientTransport } = await import("@modelcontextprotocol/sdk/client/streamableHttp.js")
  return { transport: new StreamableHTTPClientTransport(url, { requestInit: { headers }, fetch: bounded }), lastWords: () => "" }
}
