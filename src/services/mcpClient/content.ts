import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/sdk/types.js"

const size = (base64: string) => `${Math.max(1, Math.round(base64.length * 0.75 / 1024))} KB`

const textOf = (block: ContentBlock): string => {
  switch (block.type) {
    case "text":
      return block.text
    case "image":
    case "audio":
      return `[${block.type} ${block.mimeType}, ${size(block.data)}: not shown]`
    case "resource_link":
      return `[resource ${block.name}: ${block.uri}]`
    case "resource":
      return "text" in block.resource ? block.resource.text : `[resource ${block.resource.uri}, ${size(block.resource.blob)}: not shown]`
  }
}

/** A server's result as text for the model: images become a note; structured content stands in where there is nothing else. */
export const resultText = (result: Pick<CallToolResult, "content" | "structuredContent">): string => {
  const text = result.content.map(textOf).filter((part) => part !== "").join("\n")
  return text === "" && result.structuredContent !== undefined ? JSON.stringify(result.structuredContent, null, 2) : text
}
