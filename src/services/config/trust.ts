import * as Effect from "effect/Effect"
import { createHash } from "node:crypto"
import { mkdir, readFile, realpath, rename, writeFile } from "node:fs/promises"
import { join } from "node:path"

/** `trust.json` in shiro's home: real path of a folder to the hash of the project configuration that was trusted there. */
const fileIn = (home: string) => join(home, "trust.json")

export const hashOf = (text: string) => createHash("sha256").update(text).digest("hex")

const load = (home: string) =>
  Effect.promise(async (): Promise<Record<string, string>> => {
    const text = await readFile(fileIn(home), "utf8").catch(() => "{}")
    try {
      const value: unknown = JSON.parse(text)
      return typeof value === "object" && value !== null
        ? Object.fromEntries(Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === "string"))
        : {}
    } catch {
      return {}
    }
  })

const real = (folder: string) => Effect.promise(() => realpath(folder).catch(() => folder))

export const isTrusted = Effect.fnUntraced(function*(home: string, folder: string, configText: string) {
  const known = yield* load(home)
  return known[yield* real(folder)] === hashOf(configText)
})

/** Trusts the configuration as it is now, or takes the trust back (`null`). */
export const setTrust = Effect.fnUntraced(function*(home: string, folder: string, configText: string | null) {
  const known = yield* load(home)
  const path = yield* real(folder)
  const others = Object.entries(known).filter(([folder]) => folder !== path)
  const next = Object.fromEntries(configText === null ? others : [...others, [path, hashOf(configText)]])
  yield* Effect.tryPromise(async () => {
    await mkdir(home, { recursive: true, mode: 0o700 })
    const temporary = `${fileIn(home)}.${process.pid}.tmp`
    await writeFile(temporary, JSON.stringify(next, null, 2), { mode: 0o600 })
    await rename(temporary, fileIn(home))
  })
})
