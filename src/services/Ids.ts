import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Random from "effect/Random"
import * as Ref from "effect/Ref"

/** Names for sessions, turns and calls. */
export class Ids extends Context.Tag("shiro/Ids")<Ids, {
  /** A fresh UUID version 7 (RFC 9562): sorts by time. */
  readonly next: Effect.Effect<string>
}>() {}

const uuid7 = (millis: number, random: ReadonlyArray<number>) => {
  const time = millis.toString(16).padStart(12, "0")
  const hex = random.map((byte) => byte.toString(16).padStart(2, "0")).join("")
  const variant = ((random[2] ?? 0) & 0x3 | 0x8).toString(16)
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hex.slice(0, 3)}-${variant}${hex.slice(5, 8)}-${hex.slice(8, 20)}`
}

export const IdsLive = Layer.succeed(Ids, Ids.of({
  next: Effect.gen(function*() {
    const millis = yield* Clock.currentTimeMillis
    const random = yield* Effect.replicateEffect(Random.nextIntBetween(0, 256), 10)
    return uuid7(millis, random)
  })
}))

/** Counts up: `00000000-0000-7000-8000-000000000001`, … */
export const IdsMemory = Layer.effect(Ids, Effect.map(Ref.make(0), (count) =>
  Ids.of({
    next: Effect.map(Ref.updateAndGet(count, (n) => n + 1), (n) => `00000000-0000-7000-8000-${n.toString().padStart(12, "0")}`)
  })))
