import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { chmod, mkdir, readFile, rename, writeFile } from "node:fs/promises"
import { dirname } from "node:path"
import { configFiles } from "../services/config/live.js"
import { readConfig } from "../services/config/load.js"
import { Home } from "../services/Home.js"
import { Jail } from "../services/Jail.js"

export const files = Effect.gen(function*() {
  return configFiles((yield* Home).folder, (yield* Jail).root)
})

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value)

/** `value` at a dotted path of an object, whatever was there before. */
export const placed = (before: unknown, path: ReadonlyArray<string>, value: unknown): unknown => {
  const [key, ...rest] = path
  return key === undefined ? value : { ...isRecord(before) ? before : {}, [key]: placed(isRecord(before) ? before[key] : undefined, rest, value) }
}

/** The user's own configuration as it is; a bad file is an error, so that it is never written over. */
export const readOwn = Effect.gen(function*() {
  const { own } = yield* files
  const text = yield* Effect.promise(() => readFile(own, "utf8").catch(() => "{}"))
  yield* Either.match(readConfig(own, text), { onLeft: Effect.fail, onRight: () => Effect.void })
  const value: unknown = JSON.parse(text)
  return { own, value }
})

/** Writes the file anew, readable by its owner alone: it may hold a key. */
export const writeOwn = (own: string, json: string) =>
  Effect.promise(async () => {
    await mkdir(dirname(own), { recursive: true, mode: 0o700 })
    await writeFile(`${own}.tmp`, `${json}\n`, { mode: 0o600 })
    await chmod(`${own}.tmp`, 0o600)
    await rename(`${own}.tmp`, own)
  })

/** Sets some keys and keeps the others. */
export const saveOwnConfig = Effect.fnUntraced(function*(values: Readonly<Record<string, unknown>>) {
  const { own, value } = yield* readOwn
  yield* writeOwn(own, JSON.stringify({ ...isRecord(value) ? value : {}, ...values }, null, 2))
})
