import type { ClientRequest, IncomingMessage } from "node:http"

/**
 * `fetch` over `node:http`, as far as the wires need it. The global one costs a third of a second of start and 40 MB
 * before the first byte goes out (it compiles its HTTP parser from WebAssembly).
 */

/** Nothing came for so long that nothing will. */
const silence = 300_000
const mostRedirects = 5

const timedOut = () => Object.assign(new Error("The server was silent for too long."), { code: "ETIMEDOUT" })

const headersOf = (message: IncomingMessage): Array<[string, string]> =>
  Object.entries(message.headers).flatMap(([name, value]): Array<[string, string]> =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(", ") : value]])

/** The content as it was before it was packed, for servers that pack unasked. */
const unpacked = async (message: IncomingMessage): Promise<NodeJS.ReadableStream> => {
  const packing = message.headers["content-encoding"] ?? "identity"
  if (packing === "identity") return message
  const zlib = await import("node:zlib")
  const unpack = packing === "br" ? zlib.createBrotliDecompress() : zlib.createUnzip()
  message.on("error", (error) => unpack.destroy(error))
  return message.pipe(unpack)
}

const bodyOf = (source: NodeJS.ReadableStream, request: ClientRequest): ReadableStream<Uint8Array> =>
  new ReadableStream<Uint8Array>({
    start: (controller) => {
      let open = true
      const close = (end: () => void) => () => {
        if (!open) return
        open = false
        end()
      }
      source.on("data", (chunk: unknown) => {
        if (!open || !(chunk instanceof Uint8Array)) return
        controller.enqueue(chunk)
        if ((controller.desiredSize ?? 1) <= 0) source.pause()
      })
      source.on("end", close(() => controller.close()))
      source.on("error", (error: Error) => close(() => controller.error(error))())
      source.on("close", close(() => controller.error(Object.assign(new Error("The connection was closed."), { code: "ECONNRESET" }))))
    },
    pull: () => void source.resume(),
    cancel: () => void request.destroy()
  }, { highWaterMark: 16 })

interface Sending {
  readonly url: URL
  readonly method: string
  readonly headers: Record<string, string>
  readonly body: string | undefined
  readonly signal: AbortSignal | undefined
}

/** One exchange; resolves when the answer's head is there. A kept connection that had gone stale is replaced once. */
const exchange = async (sending: Sending, fresh = false): Promise<{ readonly message: IncomingMessage; readonly request: ClientRequest }> => {
  const { body, headers, method, signal, url } = sending
  const { request: send } = url.protocol === "https:" ? await import("node:https") : await import("node:http")
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const request = send(url, { method, headers, ...(signal === undefined ? {} : { signal }), ...(fresh ? { agent: false } : {}) }, (message) =>
      resolve({ message, request }))
    request.setTimeout(silence, () => request.destroy(timedOut()))
    request.on("error", (error: NodeJS.ErrnoException) => {
      if (signal?.aborted === true) reject(signal.reason)
      else if (request.reusedSocket && !fresh && error.code === "ECONNRESET") resolve(exchange(sending, true))
      else reject(error)
    })
    request.end(body)
  })
}

const withLength = (headers: Headers, body: string | undefined): Record<string, string> => ({
  ...Object.fromEntries(headers),
  "accept-encoding": "identity",
  ...(body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) })
})

/** A key goes to no other server than the one it was meant for. */
const mayFollow = (from: URL, to: URL) => to.hostname === from.hostname && (to.protocol === from.protocol || to.protocol === "https:")

export const transport: typeof globalThis.fetch = async (input, init) => {
  let url = new URL(input instanceof Request ? input.url : input)
  const body = typeof init?.body === "string" ? init.body : undefined
  const sending = { method: init?.method ?? "GET", headers: withLength(new Headers(init?.headers), body), body, signal: init?.signal ?? undefined }
  for (let hops = 0;; hops++) {
    const { message, request } = await exchange({ url, ...sending })
    const status = message.statusCode ?? 500
    const target = message.headers.location
    if ((status === 307 || status === 308) && target !== undefined && hops < mostRedirects) {
      const next = new URL(target, url)
      if (mayFollow(url, next)) {
        message.resume()
        url = next
        continue
      }
    }
    const content = status === 204 || status === 304 ? null : bodyOf(await unpacked(message), request)
    return new Response(content, { status, statusText: message.statusMessage ?? "", headers: headersOf(message) })
  }
}
