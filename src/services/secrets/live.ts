import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Config } from "../Config.js"
import { Host } from "../Host.js"
import { Jail } from "../Jail.js"
import { locateRipgrep } from "../search/locate.js"
import { Secrets } from "../Secrets.js"
import { byReading, byRipgrep, existing, globsFor, look } from "./list.js"
import { make } from "./make.js"
import { deniedNames } from "./names.js"

const isExample = (path: string) => /\.env\.example$/i.test(path)

export const SecretsLive = Layer.effect(
  Secrets,
  Effect.gen(function*() {
    const { root } = yield* Jail
    const config = yield* Config
    const host = yield* Host
    const names = deniedNames(config.permissionLayers)
    const rg = yield* locateRipgrep(host)
    const found = rg === null
      ? byReading(root)
      : Effect.flatMap(byRipgrep(rg.path, root, globsFor(names.onlyBuiltIn)), (paths) => paths === null ? byReading(root) : Effect.succeed(paths))
    const read = (paths: ReadonlyArray<string>) =>
      Effect.map(Effect.forEach(paths, (path) => look(root, path), { concurrency: 8 }), (files) => files.filter((file) => file !== null))
    const keys = Object.entries(host.env).flatMap(([name, value]) => name.endsWith("_API_KEY") && value !== undefined ? [value] : [])
    return yield* make({
      deniedName: names.test,
      list: Effect.gen(function*() {
        const paths = yield* found
        const [denied, examples] = yield* Effect.all([read(paths.filter(names.test)), read(paths.filter(isExample))], { concurrency: 2 })
        return { denied, examples: examples.map(({ text }) => text) }
      }),
      ownKeys: [...keys, ...config.values.apiKey === undefined ? [] : [config.values.apiKey]],
      existing: (values) => existing(root, values)
    })
  })
)
