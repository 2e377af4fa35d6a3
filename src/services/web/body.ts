import * as Effect from "effect/Effect"
import type { Readable } from "node:stream"
import { Transform, Writable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { constants, createBrotliDecompress, createUnzip } from "node:zlib"
import { FetchBroke } from "../Web.js"
import type { Answer } from "./request.js"
import { codeOf } from "./request.js"

export interface Body {
  readonly bytes: Uint8Array
  /** more came than is kept */
  readonly cut: boolean
}

/** Bytes of a body that are kept, packed and unpacked alike. */
export const largestBody = 5_000_000

/** What undoes the encodings, last one first; null if one is unknown. */
const decoders = (encoding: string | null): ReadonlyArray<Transform> | null => {
  const names = (encoding ?? "").toLowerCase().split(",").map((name) => name.trim()).filter((name) => name !== "" && name !== "identity")
  if (names.length > 3) return null
  // Half a stream is half a page, as for browsers.
  const made = names.toReversed().map((name) =>
    name === "br"
      ? createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH })
      : ["gzip", "x-gzip", "deflate"].includes(name)
      ? createUnzip({ finishFlush: constants.Z_SYNC_FLUSH })
      : null)
  const known = made.filter((each) => each !== null)
  return known.length === made.length ? known : null
}

class Enough extends Error {}

/** Takes what there is room for, then ends the pipeline. */
const sink = (chunks: Array<Uint8Array>) => {
  let room = largestBody
  return new Writable({
    write: (chunk: Uint8Array, _encoding, done) => {
      chunks.push(chunk.subarray(0, room))
      room -= chunk.length
      done(room < 0 ? new Enough() : null)
    }
  })
}
/** Packed bytes are counted too: they may unpack to nothing, without end. */
const counter = () => {
  let room = largestBody
  return new Transform({
    transform: (chunk: Uint8Array, _encoding, done) => {
      room -= chunk.length
      if (room < 0) done(new Enough())
      else done(null, chunk)
    }
  })
}

const collect = async (body: Readable, stages: ReadonlyArray<Transform>, signal: AbortSignal): Promise<Body> => {
  const chunks: Array<Uint8Array> = []
  const packed = stages.length === 0 ? [] : [counter(), ...stages]
  const ended = pipeline([body, ...packed, sink(chunks)], { signal })
  const cut = await ended.then(() => false, (cause: unknown) => cause instanceof Enough ? true : Promise.reject(cause))
  return { bytes: Buffer.concat(chunks), cut }
}

/** The body, unpacked while it comes: a small one that unpacks to gigabytes is cut like a large one. */
export const readBody = Effect.fnUntraced(function*(url: string, { body, header }: Answer) {
  const encoding = header("content-encoding")
  const stages = decoders(encoding)
  if (stages === null) {
    return yield* new FetchBroke({ url, why: `it is packed as ${encoding ?? ""}, which was not asked for`, cause: null })
  }
  return yield* Effect.tryPromise({
    try: (signal) => collect(body, stages, signal),
    catch: (cause) => new FetchBroke({ url, why: codeOf(cause), cause })
  })
})
