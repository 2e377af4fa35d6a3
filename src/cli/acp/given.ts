import type { ContentBlock, McpServer } from "@agentclientprotocol/sdk"
import { fileURLToPath } from "node:url"
import type { ConfigValues } from "../../services/config/schema.js"

/** What an editor hands over, in our own terms. */

const pairs = (entries: ReadonlyArray<{ readonly name: string; readonly value: string }>) =>
  Object.fromEntries(entries.map(({ name, value }) => [name, value]))

/** The editor's MCP servers as if they stood in the configuration. */
export const serversOf = (servers: ReadonlyArray<McpServer>): NonNullable<ConfigValues["mcpServers"]> =>
  Object.fromEntries(servers.map((server) => [
    server.name,
    "command" in server
      ? { command: server.command, args: server.args, env: pairs(server.env) }
      : { url: server.url, type: server.type, headers: pairs(server.headers) }
  ]))

const placeOf = (uri: string) => {
  try {
    return uri.startsWith("file:") ? fileURLToPath(uri) : uri
  } catch {
    return uri
  }
}

const blockText = (block: ContentBlock): string => {
  switch (block.type) {
    case "text":
      return block.text
    case "resource_link":
      return ` ${placeOf(block.uri)} `
    case "resource":
      return "text" in block.resource
        ? `\n<file path="${placeOf(block.resource.uri)}">\n${block.resource.text}\n</file>\n`
        : `\n[${placeOf(block.resource.uri)} is not text and was left out]\n`
    case "image":
    case "audio":
      return `\n[${block.type} left out: shiro takes text only]\n`
  }
}

/** A prompt's blocks as one text. */
export const promptText = (blocks: ReadonlyArray<ContentBlock>): string => blocks.map(blockText).join("").trim()
