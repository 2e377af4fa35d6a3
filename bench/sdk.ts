// The model's SDK alone, for what a step costs before shiro adds anything: the same requests and tools, `streamText` and nothing
// around it. node sdk.mjs <url> <file with the first request's body>
import { createOpenAICompatible } from "@ai-sdk/openai-compatible"
import { jsonSchema, stepCountIs, streamText, tool } from "ai"
import type { ToolSet } from "ai"
import { readFileSync } from "node:fs"
import { tune } from "../src/cli/tune.js"

tune()
interface First {
  readonly messages: ReadonlyArray<{ readonly role: string; readonly content: string }>
  readonly tools: ReadonlyArray<{ readonly function: { readonly name: string; readonly description: string; readonly parameters: object } }>
}
const [url = "", file = ""] = process.argv.slice(2)
const first: First = JSON.parse(readFileSync(file, "utf8"))
const textOf = (role: string) => first.messages.filter((message) => message.role === role).map(({ content }) => content).join("\n")
const tools: ToolSet = {}
for (const { function: { description, name, parameters } } of first.tools) {
  tools[name] = tool({ description, inputSchema: jsonSchema<unknown>({ ...parameters }), execute: async () => "1: one\n2: two" })
}
const result = streamText({
  model: createOpenAICompatible({ name: "custom", baseURL: url })("m"),
  tools,
  system: textOf("system"),
  prompt: textOf("user"),
  stopWhen: stepCountIs(100)
})
for await (const text of result.textStream) process.stdout.write(text)
process.stdout.write("\n")
