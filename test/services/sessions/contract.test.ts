import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { spawn } from "node:child_process"
import { HomeMemory } from "../../../src/services/Home.js"
import { IdsLive } from "../../../src/services/Ids.js"
import { JailMemory } from "../../../src/services/Jail.js"
import type { SessionRecord } from "../../../src/services/Sessions.js"
import { Sessions } from "../../../src/services/Sessions.js"
import { SessionsLive } from "../../../src/services/sessions/live.js"
import { SessionsMemory } from "../../../src/services/sessions/memory.js"

const said = (text: string): SessionRecord => ({ type: "message", message: { role: "user", text } })
const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "shiro-sessions-"))),
  (made) => Effect.sync(() => rmSync(made, { recursive: true, force: true }))
)
const live = (home: string, root = "/ws") => SessionsLive.pipe(Layer.provide(Layer.mergeAll(HomeMemory(home), JailMemory(root), IdsLive)))
const liveThere = Layer.unwrapScoped(Effect.map(folder, (home) => live(home)))

const contract = (name: string, layer: Layer.Layer<Sessions>) =>
  describe(`sessions ${name}`, () => {
    it.scopedLive("keeps what is appended, in order, and finds the newest", () =>
      Effect.gen(function*() {
        const sessions = yield* Sessions
        assert.isTrue(Option.isNone(yield* sessions.newest))
        const first = yield* sessions.create
        yield* first.append({ type: "title", title: "one" })
        yield* first.append(said("hello"))
        yield* first.close
        yield* Effect.sleep(5)
        const second = yield* sessions.create
        yield* second.append({ type: "title", title: "two" })
        yield* second.close
        assert.deepStrictEqual((yield* sessions.list).map(({ id, title }) => [id, title]), [[second.id, "two"], [first.id, "one"]])
        assert.deepStrictEqual(yield* sessions.newest, Option.some(second.id))
        yield* Effect.sleep(5)
        const again = yield* sessions.open(first.id)
        assert.deepStrictEqual(again.records.filter(({ type }) => type !== "session"), [{ type: "title", title: "one" }, said("hello")])
        yield* again.append(said("more"))
        yield* again.close
        assert.deepStrictEqual(yield* sessions.newest, Option.some(first.id))
        assert.deepStrictEqual((yield* sessions.show(first.id)).at(-1), said("more"))
      }).pipe(Effect.provide(layer)))

    it.scopedLive("opens by a unique beginning, and says what is wrong with another", () =>
      Effect.gen(function*() {
        const sessions = yield* Sessions
        const first = yield* sessions.create
        yield* first.append(said("a"))
        yield* first.close
        const opened = yield* sessions.open(first.id.slice(0, 30))
        assert.strictEqual(opened.id, first.id)
        yield* opened.close
        const none = yield* Effect.flip(sessions.open("zzz"))
        assert.strictEqual(none.message, "There is no saved session \"zzz\" of this folder. `shiro sessions` lists them.")
        const nothing = yield* Effect.flip(sessions.open(""))
        assert.strictEqual(nothing.message, "There is no saved session of this folder.")
      }).pipe(Effect.provide(layer)))

    it.scopedLive("forgets what is removed", () =>
      Effect.gen(function*() {
        const sessions = yield* Sessions
        const session = yield* sessions.create
        yield* session.append(said("a"))
        yield* session.close
        yield* sessions.remove(session.id)
        assert.deepStrictEqual(yield* sessions.list, [])
        assert.strictEqual((yield* Effect.flip(sessions.open(session.id)))._tag, "NoSuchSession")
      }).pipe(Effect.provide(layer)))

    it.scopedLive("leaves nothing of a session in which nothing was said", () =>
      Effect.gen(function*() {
        const sessions = yield* Sessions
        yield* (yield* sessions.create).close
        assert.deepStrictEqual(yield* sessions.list, [])
      }).pipe(Effect.provide(layer)))
  })

contract("in memory", SessionsMemory.pipe(Layer.provide(IdsLive)))
contract("on disk", liveThere)

const filesBelow = (home: string) => readdirSync(join(home, "sessions"), { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".jsonl")).map((name) => join(home, "sessions", name))

describe("sessions on disk", () => {
  it.scopedLive("are lines of JSON that only their owner reads", () =>
    Effect.gen(function*() {
      const home = yield* folder
      yield* Effect.gen(function*() {
        const session = yield* (yield* Sessions).create
        yield* session.append(said("a\nb"))
        yield* session.append(said("ü 😀"))
        yield* session.close
      }).pipe(Effect.provide(live(home)))
      const [file = ""] = filesBelow(home)
      assert.strictEqual(statSync(file).mode & 0o777, 0o600)
      assert.strictEqual(statSync(join(home, "sessions")).mode & 0o077, 0)
      const lines = readFileSync(file, "utf8").trimEnd().split("\n")
      assert.deepStrictEqual(lines.map((line) => JSON.parse(line).type), ["session", "message", "message"])
    }))

  it.scopedLive("are apart for each workspace", () =>
    Effect.gen(function*() {
      const home = yield* folder
      const add = Effect.gen(function*() {
        const session = yield* (yield* Sessions).create
        yield* session.append(said("x"))
        yield* session.close
        return session.id
      })
      const one = yield* Effect.provide(add, live(home, "/one"))
      yield* Effect.provide(add, live(home, "/two"))
      const newest = yield* Effect.provide(Effect.flatMap(Sessions, (sessions) => sessions.newest), live(home, "/one"))
      assert.deepStrictEqual(newest, Option.some(one))
    }))

  it.scopedLive("give back every whole line wherever the file was cut, and go on from there", () =>
    Effect.gen(function*() {
      const home = yield* folder
      const records = [said("first ü"), said("second 😀"), said("third")]
      const id = yield* Effect.gen(function*() {
        const session = yield* (yield* Sessions).create
        for (const record of records) yield* session.append(record)
        yield* session.close
        return session.id
      }).pipe(Effect.provide(live(home)))
      const [file = ""] = filesBelow(home)
      const whole = readFileSync(file)
      const ends = [...whole.entries()].flatMap(([index, byte]) => byte === 10 ? [index] : [])
      for (let length = (ends[0] ?? 0) + 1; length <= whole.length; length++) {
        writeFileSync(file, whole.subarray(0, length))
        yield* Effect.gen(function*() {
          const sessions = yield* Sessions
          const session = yield* sessions.open(id)
          // A line counts once its last brace is there; the newline may be missing.
          const lines = ends.filter((end) => end <= length).length
          assert.deepStrictEqual(session.records.slice(1), records.slice(0, lines - 1))
          yield* session.append(said("after"))
          yield* session.close
          assert.deepStrictEqual((yield* sessions.show(id)).slice(1), [...records.slice(0, lines - 1), said("after")])
        }).pipe(Effect.provide(live(home)))
      }
    }))

  it.scopedLive("leave out a line that is no record", () =>
    Effect.gen(function*() {
      const home = yield* folder
      const id = yield* Effect.gen(function*() {
        const session = yield* (yield* Sessions).create
        yield* session.append(said("a"))
        yield* session.close
        return session.id
      }).pipe(Effect.provide(live(home)))
      const [file = ""] = filesBelow(home)
      writeFileSync(file, `${readFileSync(file, "utf8")}not json\n{"type":"unheard of"}\n${JSON.stringify(said("b"))}\n`)
      const records = yield* Effect.provide(Effect.flatMap(Sessions, (sessions) => sessions.show(id)), live(home))
      assert.deepStrictEqual(records.slice(1), [said("a"), said("b")])
    }))

  it.scopedLive("are not opened twice, and come free when their process is gone", () =>
    Effect.gen(function*() {
      const home = yield* folder
      const id = yield* Effect.gen(function*() {
        const sessions = yield* Sessions
        const session = yield* sessions.create
        yield* session.append(said("a"))
        const busy = yield* Effect.flip(sessions.open(session.id))
        assert.strictEqual(busy.message, `The session ${session.id} is open in another shiro (process ${process.pid}). End that first, or start without -c.`)
        yield* session.close
        return session.id
      }).pipe(Effect.provide(live(home)))
      const [file = ""] = filesBelow(home)
      const gone = yield* Effect.promise(() => new Promise<number>((resolve) => {
        const child = spawn(process.execPath, ["-e", "0"])
        child.on("exit", () => resolve(child.pid ?? 0))
      }))
      writeFileSync(file.replace(".jsonl", ".lock"), `${gone} 123`)
      const opened = yield* Effect.provide(Effect.flatMap(Sessions, (sessions) => sessions.open(id)), live(home))
      yield* opened.close
      assert.isFalse(existsSync(file.replace(".jsonl", ".lock")))
    }))

  it.scopedLive("find the newest without opening the others", () =>
    Effect.gen(function*() {
      const home = yield* folder
      const add = Effect.gen(function*() {
        const session = yield* (yield* Sessions).create
        yield* session.append(said("x"))
        yield* session.close
        return session.id
      })
      const ids = yield* Effect.provide(Effect.all([add, add, add]), live(home))
      for (const file of filesBelow(home)) {
        // Unreadable for anyone but root, and of no use to who reads it.
        if (!file.includes(ids[1] ?? "-")) writeFileSync(file, "\0")
        chmodSync(file, file.includes(ids[1] ?? "-") ? 0o600 : 0o000)
        utimesSync(file, 1_000, file.includes(ids[1] ?? "-") ? 2_000 : 1_000)
      }
      const newest = yield* Effect.provide(Effect.flatMap(Sessions, (sessions) => sessions.newest), live(home))
      assert.deepStrictEqual(newest, Option.some(ids[1] ?? ""))
    }))

  it.scopedLive("say where they could not be saved", () =>
    Effect.gen(function*() {
      const home = yield* folder
      writeFileSync(join(home, "sessions"), "a file where the folder belongs")
      const trouble = yield* Effect.gen(function*() {
        const session = yield* (yield* Sessions).create
        return yield* Effect.flip(session.append(said("a")))
      }).pipe(Effect.provide(live(home)))
      assert.match(trouble.message, /^Sessions in .* cannot be saved: (ENOTDIR|EEXIST)\./)
    }))
})
