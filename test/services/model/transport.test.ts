import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http"
import { createServer } from "node:http"
import { gzipSync } from "node:zlib"
import { refusalOf } from "../../../src/services/model/refusal.js"
import { transport } from "../../../src/services/model/transport.js"

const serving = (handle: RequestListener) =>
  Effect.acquireRelease(
    Effect.promise(() => new Promise<{ readonly url: string; readonly close: () => void; readonly cut: () => void }>((resolve) => {
      const server = createServer(handle)
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        const port = typeof address === "object" && address !== null ? address.port : 0
        resolve({ url: `http://127.0.0.1:${port}`, cut: () => server.closeAllConnections(), close: () => {
          server.close()
          server.closeAllConnections()
        } })
      })
    })),
    ({ close }) => Effect.sync(close)
  )
const bodyOf = async (request: IncomingMessage) => {
  let text = ""
  for await (const chunk of request) text += String(chunk)
  return text
}
const send = (url: string, body = "{}", signal?: AbortSignal) =>
  transport(url, { method: "POST", headers: { authorization: "Bearer k" }, body, ...(signal === undefined ? {} : { signal }) })
const echo = (request: IncomingMessage, response: ServerResponse) =>
  void bodyOf(request).then((text) => response.end(`${request.method} ${request.headers["authorization"]} ${text}`))

describe("the transport", () => {
  it.scopedLive("sends what it is given, in bytes, and gives back status, headers and content", () =>
    Effect.gen(function*() {
      const { url } = yield* serving((request, response) => {
        response.setHeader("x-said", "yes")
        response.statusCode = 201
        echo(request, response)
      })
      const answer = yield* Effect.promise(() => send(url, "ü😀"))
      assert.deepStrictEqual([answer.status, answer.ok, answer.headers.get("x-said")], [201, true, "yes"])
      assert.strictEqual(yield* Effect.promise(() => answer.text()), "POST Bearer k ü😀")
    }))

  it.scopedLive("unpacks what a server packed unasked", () =>
    Effect.gen(function*() {
      const { url } = yield* serving((_, response) => {
        response.setHeader("content-encoding", "gzip")
        response.end(gzipSync("plain text"))
      })
      assert.strictEqual(yield* Effect.promise(() => send(url).then((answer) => answer.text())), "plain text")
    }))

  it.scopedLive("follows a redirect on the same host, and carries a key to no other", () =>
    Effect.gen(function*() {
      const seen: Array<string> = []
      const { url } = yield* serving((request, response) => {
        seen.push(request.url ?? "")
        if (request.url === "/near") response.writeHead(307, { location: "/there" }).end()
        else if (request.url === "/far") response.writeHead(307, { location: "http://localhost:9/there" }).end()
        else echo(request, response)
      })
      assert.strictEqual(yield* Effect.promise(() => send(`${url}/near`, "x").then((answer) => answer.text())), "POST Bearer k x")
      assert.strictEqual((yield* Effect.promise(() => send(`${url}/far`))).status, 307)
      assert.deepStrictEqual(seen, ["/near", "/there", "/far"])
    }))

  it.scopedLive("sends again at once where a kept connection had gone stale", () =>
    Effect.gen(function*() {
      let count = 0
      const { url } = yield* serving((request, response) => {
        count += 1
        // The second request on the kept connection finds it dead.
        if (count === 2) request.socket.destroy()
        else echo(request, response)
      })
      for (let times = 0; times < 2; times++) {
        assert.strictEqual(yield* Effect.promise(() => send(url, "x").then((answer) => answer.text())), "POST Bearer k x")
      }
      assert.strictEqual(count, 3)
    }))

  it.scopedLive("fails with the system's word where the connection is refused or breaks", () =>
    Effect.gen(function*() {
      const { close, url } = yield* serving((_, response) => {
        response.write("begun")
        setTimeout(() => response.destroy(), 20)
      })
      const broken = yield* Effect.promise(() => send(url).then((answer) => answer.text()).then(() => null, (error: unknown) => error))
      assert.strictEqual(refusalOf(broken, 0).said, "ECONNRESET")
      close()
      const refused = yield* Effect.promise(() => send(url).then(() => null, (error: unknown) => error))
      assert.strictEqual(refusalOf(refused, 0).said, "ECONNREFUSED")
    }))

  it.scopedLive("ends when it is aborted, before the answer and in the middle of it", () =>
    Effect.gen(function*() {
      const closed: Array<string> = []
      const { url } = yield* serving((request, response) => {
        response.on("close", () => closed.push(request.url ?? ""))
        if (request.url === "/begun") response.write("begun")
      })
      const early = new AbortController()
      const waiting = send(`${url}/silent`, "{}", early.signal).then(() => "answered", () => "aborted")
      yield* Effect.sleep(30)
      early.abort()
      assert.strictEqual(yield* Effect.promise(() => waiting), "aborted")
      const late = new AbortController()
      const answer = yield* Effect.promise(() => send(`${url}/begun`, "{}", late.signal))
      const reading = answer.text().then(() => "ended", () => "aborted")
      late.abort()
      assert.strictEqual(yield* Effect.promise(() => reading), "aborted")
      while (closed.length < 2) yield* Effect.sleep(5)
      assert.deepStrictEqual(closed.toSorted(), ["/begun", "/silent"])
    }))
})
