import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Shiro, Tools } from "shiro-neko"

export const weather = Tools.make({
  name: "weather",
  set: null,
  description: "Weather at a place, now.",
  input: Schema.Struct({ place: Schema.String.annotations({ description: "a town" }) }),
  touches: "network",
  subjects: ({ place }) => [place],
  body: Effect.fn("weather")(function*({ place }) {
    return yield* Effect.succeed(`Sun in ${place}.`)
  })
})

export const withWeather = (root: string) =>
  Shiro.layer({
    root,
    config: { permission: { weather: "allow" } },
    toolbox: { more: Effect.map(Tools.offer(weather), (offered) => [offered]) }
  })
