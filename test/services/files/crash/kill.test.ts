import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fs from "node:fs"
import { Files } from "../../../../src/services/Files.js"
import { SecretsMemory } from "../../../../src/services/secrets/memory.js"
import { filesIn as layerIn, plantAt, temporaryFolder } from "../support.js"
import { builtChild, everythingIn, filesIn, killAfter, openIn, runChild, runTogether, timeOf } from "./processes.js"
import { versionTree } from "./versions.js"

/** 10 in the ordinary run; `SHIRO_KILLS=200` for the long one. */
const kills = Number(process.env["SHIRO_KILLS"] ?? 10)

/** The next start: what died is put in order. */
const startAgain = (parent: string) => Effect.asVoid(Files).pipe(Effect.provide(layerIn(parent)), Effect.provide(SecretsMemory()))
/** Transactions that are not finished, and temporary files. */
const leftovers = (parent: string) => [
  ...Object.keys(everythingIn(`${parent}/ws`)).filter((path) => path.includes(".shiro-")),
  ...openIn(`${parent}/home`)
]
const versionIn = (parent: string) => Number(fs.readFileSync(`${parent}/ws/src/part0/file0.txt`, "utf8").split(/[ \n]/)[1])
const workspace = Effect.tap(temporaryFolder, (parent) =>
  Effect.sync(() => {
    plantAt(`${parent}/ws`, versionTree(0))
    fs.mkdirSync(`${parent}/home`, { mode: 0o700 })
  }))

describe("Transactions over fifty files", () => {
  it.scopedLive(`are all old or all new after kill -9 at ${kills} random moments`, () =>
    Effect.gen(function*() {
      const child = yield* builtChild
      const parent = yield* workspace
      const span = 1.5 * (yield* timeOf(child, [parent, "next", "0"]))
      let interrupted = 0
      for (let kill = 0; kill < kills; kill += 1) {
        const version = versionIn(parent)
        const isKilled = yield* killAfter(child, [parent, "versions", `${version}`], Math.random() * span)
        assert.isTrue(isKilled)
        if (leftovers(parent).length > 0) interrupted += 1
        yield* startAgain(parent)
        assert.deepStrictEqual(filesIn(`${parent}/ws`), versionTree(versionIn(parent)), `kill ${kill}`)
        assert.deepStrictEqual(leftovers(parent), [], `kill ${kill}`)
      }
      if (kills > 10) console.log(`${kills} kills, ${interrupted} of them in the middle of a transaction, ${versionIn(parent)} versions`)
      assert.isAbove(interrupted, 0)
    }), 1_500_000)

  it.scopedLive("are all old, and say so, where a file may not grow that large", () =>
    Effect.gen(function*() {
      const child = yield* builtChild
      const parent = yield* workspace
      const through = ["bash", "-c", "ulimit -f 4; exec \"$@\"", "limited"]
      const { status, stdout } = runChild(child, [parent, "next", "0"], { through })
      assert.strictEqual(status, 1)
      assert.match(stdout, /failed Cannot change src\/part\d\/file\d+\.txt: EFBIG\. Nothing was changed\./)
      assert.deepStrictEqual(filesIn(`${parent}/ws`), versionTree(0))
      assert.deepStrictEqual(leftovers(parent), [])
    }), 60_000)

  it.scopedLive("are all old, and say so, where one folder may not be written to", () =>
    Effect.gen(function*() {
      const child = yield* builtChild
      const parent = yield* workspace
      fs.chmodSync(`${parent}/ws/src/part3`, 0o555)
      // Root may write everywhere, so the child runs as somebody who may not.
      const uid = process.getuid?.() === 0 ? 65_534 : undefined
      const own = (at: string): void => {
        if (uid === undefined) return
        fs.chownSync(at, uid, uid)
        if (fs.statSync(at).isDirectory()) for (const name of fs.readdirSync(at)) own(`${at}/${name}`)
      }
      own(parent)
      const { status, stdout } = runChild(child, [parent, "next", "0"], uid === undefined ? {} : { uid })
      assert.strictEqual(status, 1)
      assert.match(stdout, /failed Cannot change src\/part3\/file\d+\.txt: EACCES\. Nothing was changed\./)
      assert.deepStrictEqual(filesIn(`${parent}/ws`), versionTree(0))
      assert.deepStrictEqual(leftovers(parent), [])
    }), 60_000)

  it.scopedLive("of several processes on the same files lose no update", () =>
    Effect.gen(function*() {
      const child = yield* builtChild
      const parent = yield* temporaryFolder
      plantAt(`${parent}/ws`, { count: "0", copy: "0" })
      const said = yield* runTogether(child, Array.from({ length: 3 }, () => [parent, "count", "10"]))
      assert.deepStrictEqual(said, Array.from({ length: 3 }, () => "ready\ndone\n"))
      assert.deepStrictEqual(filesIn(`${parent}/ws`), { count: "30", copy: "30" })
    }), 120_000)

  it.scopedLive("of a process that lives go on beside one that was killed", () =>
    Effect.gen(function*() {
      const child = yield* builtChild
      const parent = yield* temporaryFolder
      plantAt(`${parent}/ws`, { count: "0", copy: "0" })
      const [said] = yield* Effect.all([
        runTogether(child, [[parent, "count", "25"]]),
        Effect.forEach([80, 160], (millis) => killAfter(child, [parent, "count", "100000"], millis))
      ], { concurrency: "unbounded" })
      assert.deepStrictEqual(said, ["ready\ndone\n"])
      yield* startAgain(parent)
      const { copy, count } = filesIn(`${parent}/ws`)
      assert.strictEqual(copy, count)
      assert.isAtLeast(Number(count), 25)
      assert.deepStrictEqual(leftovers(parent), [])
    }), 120_000)
})
