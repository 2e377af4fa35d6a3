import { StringDecoder } from "node:string_decoder"
import type { Captured, ProcessSpec } from "../Processes.js"
import { boundedBytes } from "./boundedBytes.js"

const defaultHead = 50_000_000

/** What becomes of one pipe's bytes: kept within bounds, or decoded and handed on, never a character by halves. */
export const collector = (spec: ProcessSpec, onText: ((text: string) => void) | undefined) => {
  const decoder = onText === undefined ? null : new StringDecoder("utf8")
  const kept = boundedBytes(decoder === null ? spec.keepHead ?? defaultHead : 0, decoder === null ? spec.keepTail ?? 0 : 0)
  let total = 0
  const hand = (text: string) => {
    if (text !== "") onText?.(text)
  }
  return {
    total: () => total,
    push: (chunk: Buffer) => {
      total += chunk.length
      if (decoder === null) kept.push(chunk)
      else hand(decoder.write(chunk))
    },
    end: () => hand(decoder?.end() ?? ""),
    captured: (): Captured => decoder === null ? kept.captured() : { head: "", tail: "", dropped: 0 }
  }
}
