import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Tool from "../Tool.js"

/** `2026-12-01T10:15:00.000+01:00 (Tuesday)`, in the machine's zone. */
export const currentTime = Tool.make({
  name: "current_time",
  set: null,
  description: "The date and time now, with weekday and zone.",
  input: Schema.Struct({}),
  touches: "reads",
  subjects: () => ["*"],
  body: Effect.fn("current_time")(function*() {
    // Large, and of no use to most runs.
    const DateTime = yield* Effect.promise(() => import("effect/DateTime"))
    const now = DateTime.setZone(DateTime.unsafeMake(yield* Clock.currentTimeMillis), DateTime.zoneMakeLocal())
    return `${DateTime.formatIsoZoned(now)} (${DateTime.format(now, { weekday: "long", locale: "en-US" })})`
  })
})
