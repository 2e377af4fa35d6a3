import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { DiskLive } from "../../../../src/services/disk/live.js"
import { Change, Files } from "../../../../src/services/Files.js"
import { FilesLive } from "../../../../src/services/files/live.js"
import { HomeMemory } from "../../../../src/services/Home.js"
import { HostLive } from "../../../../src/services/host/live.js"
import { IdsLive } from "../../../../src/services/Ids.js"
import { JailLive } from "../../../../src/services/jail/live.js"
import { SecretsMemory } from "../../../../src/services/secrets/memory.js"
import { appearing, contentOf, moving, placeOf, rewritten } from "./versions.js"

/** A shiro for the tests to kill, to starve and to race with: `child.mjs <parent folder> <what> [number]`. */
const [, , parent = "", what = "", number = "0"] = process.argv

/** All fifty files from one version to the next. */
const nextVersion = (version: number) =>
  Effect.flatMap(Files, (files) => {
    const next = version + 1
    const paths = [...rewritten, ...moving.flatMap((name) => [placeOf(name, version), placeOf(name, next)]), ...appearing]
    return files.transact(paths, (held) =>
      Effect.map(Effect.forEach(rewritten, (path) => held.read(path)), (read) => ({
        value: null,
        changes: [
          ...read.map((like) => Change.Rewrite({ like, text: contentOf(like.path, next) })),
          ...moving.map((name) => Change.Move({ from: placeOf(name, version), to: placeOf(name, next) })),
          ...appearing.map((path) =>
            version % 2 === 1 ? Change.Remove({ path }) : Change.Create({ path, text: contentOf(path, next) }))
        ]
      })))
  })
const forever = (version: number): Effect.Effect<never, unknown, Files> =>
  Effect.flatMap(nextVersion(version), () => forever(version + 1))

/** One of each kind of change; `nothing` starts and ends without. */
const small = Effect.flatMap(Files, (files) =>
  files.transact(["edit", "gone", "moved", "new/place", "new/file"], (held) =>
    Effect.map(held.read("edit"), (like) => ({
      value: null,
      changes: [
        Change.Rewrite({ like, text: "new\n" }),
        Change.Remove({ path: "gone" }),
        Change.Move({ from: "moved", to: "new/place" }),
        Change.Create({ path: "new/file", text: "fresh\n" })
      ]
    }))))
const count = Effect.flatMap(Files, (files) =>
  files.transact(["count", "copy"], (held) =>
    Effect.map(Effect.all([held.read("count"), held.read("copy")]), ([one, two]) => {
      const text = `${Number(one.text) + 1}`
      return { value: null, changes: [Change.Rewrite({ like: one, text }), Change.Rewrite({ like: two, text })] }
    })))

const run = Effect.gen(function*() {
  yield* Files
  process.stdout.write("ready\n")
  if (what === "versions") yield* forever(Number(number))
  if (what === "next") yield* nextVersion(Number(number))
  if (what === "small") yield* small
  if (what === "count") yield* Effect.repeatN(count, Number(number) - 1)
})
const layer = FilesLive.pipe(
  Layer.provide(Layer.mergeAll(DiskLive, JailLive(`${parent}/ws`), HomeMemory(`${parent}/home`), IdsLive, HostLive, SecretsMemory()))
)
void Effect.runPromise(run.pipe(
  Effect.provide(layer),
  Effect.matchEffect({
    onSuccess: () => Effect.sync(() => process.stdout.write("done\n")),
    onFailure: (error) =>
      Effect.sync(() => {
        process.stdout.write(`failed ${error instanceof Error ? error.message : String(error)}\n`)
        process.exitCode = 1
      })
  })
))
