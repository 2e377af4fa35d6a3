import * as Effect from "effect/Effect"
import type { ServerResponse } from "node:http"
import { createServer } from "node:http"

/** A model's answer that comes piece by piece, as the test sends them (chat completions). */
export const heldServer = Effect.acquireRelease(
  Effect.async<{ readonly url: string; readonly asked: () => boolean; readonly send: (text: string) => Effect.Effect<void>; readonly end: Effect.Effect<void>; readonly close: () => void }>((resume) => {
    let answer: ServerResponse | null = null
    const chunk = (delta: object, finish: string | null = null) =>
      `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`
    const server = createServer((request, response) => {
      request.resume()
      request.on("end", () => {
        response.writeHead(200, { "content-type": "text/event-stream" })
        response.write(chunk({ role: "assistant", content: "" }))
        answer = response
      })
    })
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      resume(Effect.succeed({
        url: `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}/v1`,
        asked: () => answer !== null,
        send: (text) => Effect.sync(() => void answer?.write(chunk({ content: text }))),
        end: Effect.sync(() => void answer?.end(`${chunk({}, "stop")}data: [DONE]\n\n`)),
        close: () => {
          server.closeAllConnections()
          server.close()
        }
      }))
    })
  }),
  ({ close }) => Effect.sync(close)
)
