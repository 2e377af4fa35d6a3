import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as fs from "node:fs"
import { Jail, makeJail } from "../../../src/services/Jail.js"
import { JailLive } from "../../../src/services/jail/live.js"
import { temporaryFolder } from "../files/support.js"

const outcome = (jail: Context.Tag.Service<Jail>, path: string) =>
  Effect.map(Effect.either(jail.relative(path)), (found) => found._tag === "Left" ? found.left.message : found.right)
const each = (jail: Context.Tag.Service<Jail>, expected: Readonly<Record<string, string | null>>) =>
  Effect.forEach(Object.entries(expected), ([path, want]) =>
    Effect.map(outcome(jail, path), (found) => assert.strictEqual(found, want ?? `Path escapes workspace: ${path}`)), { discard: true })

describe("The jail", () => {
  it.effect("normalises paths and refuses those that leave the root", () =>
    each(makeJail("/ws", ["/alias/ws"]), {
      "": ".", ".": ".", "./a/../b": "b", "a//b/": "a/b", "/ws": ".", "/ws/": ".", "/ws/a/./b": "a/b", "/alias/ws/a": "a", "/ws/../ws/a": "a",
      "..x": "..x", ".../a": ".../a", "a~": "a~", "~1.txt": "~1.txt", "a\\b": "a\\b",
      "..": null, "../ws": null, "a/../..": null, "/ws-evil": null, "/ws/../x": null, "/": null, "/etc/passwd": null,
      "~": null, "~/x": null, "~root/x": null, "a\0b": null
    }))

  it.effect("allows every absolute path when the root is the root of all", () =>
    each(makeJail("/"), { "/etc/passwd": "etc/passwd", "/": ".", "../x": null }))

  it.effect("knows the spellings of Windows", () =>
    each(makeJail("C:\\Work\\ws", [], "win32"), {
      "a\\b": "a/b", "C:\\Work\\ws\\a": "a", "c:/work/WS/a/b": "a/b", ".\\a\\..\\b": "b",
      "..\\x": null, "C:\\Work\\ws-evil": null, "C:\\Work": null, "D:\\Work\\ws\\a": null, "\\\\server\\share\\x": null, "/x": null,
      "C:x": null, "a:stream": null, "con": null, "d/NUL.txt": null, "a.": null, "a ": null
    }))

  it.effect.prop("never lets a path out, and takes its own answer for itself", {
    parts: Schema.Array(Schema.Literal("a", "b", "..", ".", "", "~", "..c", "ws", "ws-evil")),
    absolute: Schema.Boolean
  }, ({ absolute, parts }) =>
    Effect.gen(function*() {
      const jail = makeJail("/ws")
      const path = `${absolute ? "/ws/" : ""}${parts.join("/")}`
      const found = yield* Effect.option(jail.relative(path))
      if (found._tag === "None") return
      assert.isFalse(found.value.split("/").includes(".."))
      assert.isFalse(found.value.startsWith("/"))
      if (!found.value.startsWith("~")) assert.strictEqual(yield* jail.relative(found.value), found.value)
    }))

  it.scopedLive("is around the real path of the root, and takes absolute paths by the other name too", () =>
    Effect.gen(function*() {
      const parent = yield* temporaryFolder
      fs.mkdirSync(`${parent}/ws`)
      fs.symlinkSync("ws", `${parent}/link`)
      fs.writeFileSync(`${parent}/file`, "")
      const jail = Context.get(yield* Layer.build(JailLive(`${parent}/link`)), Jail)
      assert.strictEqual(jail.root, `${parent}/ws`)
      yield* each(jail, { [`${parent}/link/a`]: "a", [`${parent}/ws/a`]: "a", [`${parent}/file`]: null })
      const said = (root: string) => Effect.map(Effect.flip(Layer.build(JailLive(root))), ({ message }) => message)
      assert.strictEqual(yield* said(`${parent}/none`), `${parent}/none cannot be worked in: there is no such folder.`)
      assert.strictEqual(yield* said(`${parent}/file`), `${parent}/file cannot be worked in: ENOTDIR.`)
    }))
})
