// The least that a client of the same server can do: send, read the stream, answer every call with fixed text, go on.
// `fetch` and nothing else. node bench/bare.mjs <url> <file with the first request's body>
import { readFileSync } from "node:fs"

const [url, file] = process.argv.slice(2)
const body = JSON.parse(readFileSync(file, "utf8"))
for (;;) {
  const answer = await fetch(`${url}/chat/completions`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) })
  let text = ""
  for await (const part of answer.body) text += Buffer.from(part).toString("utf8")
  const deltas = text.split("\n").filter((line) => line.startsWith("data: {")).flatMap((line) => JSON.parse(line.slice(6)).choices.map((choice) => choice.delta))
  const calls = deltas.flatMap((delta) => delta.tool_calls ?? [])
  if (calls.length === 0) {
    process.stdout.write(`${deltas.map((delta) => delta.content ?? "").join("")}\n`)
    break
  }
  body.messages.push({ role: "assistant", content: null, tool_calls: calls.map(({ index: _, ...call }) => call) })
  for (const call of calls) body.messages.push({ role: "tool", tool_call_id: call.id, content: "1: one\n2: two" })
}
