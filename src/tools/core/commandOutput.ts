import * as Effect from "effect/Effect"
import type { Captured } from "../../services/Processes.js"
import { Secrets } from "../../services/Secrets.js"
import { capMiddle, shares } from "../text/cap.js"
import { withoutEscapes } from "../text/escapes.js"

/** Longest secret value that a border of what was kept may divide without a part of it being shown. */
const margin = 16_384

const commonStart = (a: string, b: string): number => {
  let length = 0
  while (length < a.length && length < b.length && a.charCodeAt(length) === b.charCodeAt(length)) length++
  return length
}
const commonEnd = (a: string, b: string): number => {
  let length = 0
  while (length < a.length && length < b.length && a.charCodeAt(a.length - 1 - length) === b.charCodeAt(b.length - 1 - length)) length++
  return length
}

/**
 * One pipe's text, masked before it is cut to what is shown. Where the middle was dropped, a secret may lie across the
 * border, half of it kept: what stays is only what reads the same when `margin` units more of the border are missing.
 */
const masked = Effect.fnUntraced(function*({ dropped, head, tail }: Captured) {
  const { mask } = yield* Secrets
  if (dropped === 0) return { head: withoutEscapes(yield* mask(head + tail)), tail: "", dropped }
  const start = yield* mask(head)
  const end = yield* mask(tail)
  const sureStart = start.slice(0, commonStart(start, yield* mask(head.slice(0, -margin))))
  const sureEnd = end.slice(end.length - commonEnd(end, yield* mask(tail.slice(margin))))
  return {
    head: withoutEscapes(sureStart),
    tail: withoutEscapes(sureEnd),
    dropped: dropped + start.length - sureStart.length + end.length - sureEnd.length
  }
})

const sizeOf = ({ dropped, head, tail }: Captured) => dropped + head.length + tail.length

/** Both pipes as they are shown, together at most `total` units: two thirds for stdout, one for stderr, unless one needs less. */
export const commandOutput = Effect.fnUntraced(function*(pipes: { readonly stdout: Captured; readonly stderr: Captured }, total: number) {
  const stdout = yield* masked(pipes.stdout)
  const stderr = yield* masked(pipes.stderr)
  const [forStdout = 0, forStderr = 0] = shares([sizeOf(stdout), sizeOf(stderr)], total, [2, 1])
  return {
    stdout: capMiddle(stdout.head, stdout.tail, stdout.dropped, forStdout),
    stderr: capMiddle(stderr.head, stderr.tail, stderr.dropped, forStderr)
  }
})
