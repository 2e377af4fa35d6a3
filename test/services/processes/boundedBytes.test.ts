import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import { boundedBytes } from "../../../src/services/processes/boundedBytes.js"

const fill = (head: number, tail: number, chunks: ReadonlyArray<Uint8Array>) => {
  const bounded = boundedBytes(head, tail)
  for (const chunk of chunks) bounded.push(Buffer.from(chunk))
  return bounded.captured()
}
const inChunks = (bytes: Uint8Array, size: number) =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.subarray(at * size, (at + 1) * size))

describe("boundedBytes", () => {
  it("gives all of what fits, however it was cut into chunks", () => {
    const bytes = new TextEncoder().encode("naïve 😀 text")
    for (const size of [1, 2, 3, 5, 100]) {
      assert.deepStrictEqual(fill(10, 10, inChunks(bytes, size)), { head: "naïve 😀 text", tail: "", dropped: 0 })
    }
  })

  it("shows no character by halves where it drops something", () => {
    const bytes = new TextEncoder().encode("😀😀😀😀😀")
    assert.deepStrictEqual(fill(6, 6, inChunks(bytes, 3)), { head: "😀", tail: "😀", dropped: 12 })
    assert.deepStrictEqual(fill(3, 3, inChunks(bytes, 3)), { head: "", tail: "", dropped: 20 })
  })

  it("shows bytes that are no UTF-8 as replacement characters", () => {
    assert.deepStrictEqual(fill(100, 0, [new Uint8Array([0x61, 0xff, 0xfe, 0x80, 0x62])]), { head: "a���b", tail: "", dropped: 0 })
  })

  it.effect.prop(
    "keeps exactly the first and the last bytes",
    {
      chunks: FastCheck.array(FastCheck.uint8Array({ max: 127, maxLength: 30 }), { maxLength: 30 }),
      head: FastCheck.nat(40),
      tail: FastCheck.nat(40)
    },
    ({ chunks, head, tail }) =>
      Effect.sync(() => {
        const whole = Buffer.concat(chunks)
        const got = fill(head, tail, chunks)
        if (whole.length <= head + tail) {
          assert.deepStrictEqual(got, { head: whole.toString(), tail: "", dropped: 0 })
        } else {
          assert.deepStrictEqual(got, {
            head: whole.subarray(0, head).toString(),
            tail: whole.subarray(whole.length - tail).toString(),
            dropped: whole.length - head - tail
          })
        }
      })
  )
})
