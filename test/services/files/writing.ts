import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { Held } from "../../../src/services/Files.js"
import { Change, Files } from "../../../src/services/Files.js"
import type { Given } from "./contract.js"
import { provider } from "./contract.js"
import { contents, elsewhere, failure, read, textOf, tree } from "./support.js"

const overwrite = (path: string, text: string) => Effect.flatMap(Files, (files) => files.overwrite(path, text))
/** Makes the changes that `plan` gives, with the paths in them locked. */
const transact = <E, R>(paths: ReadonlyArray<string>, plan: (held: Held) => Effect.Effect<ReadonlyArray<Change>, E, R>) =>
  Effect.flatMap(Files, (files) =>
    files.transact(paths, (held) => Effect.map(plan(held), (changes) => ({ changes, value: null }))))
const change = (...changes: ReadonlyArray<Change>) =>
  transact(
    changes.flatMap((each) => each._tag === "Move" ? [each.from, each.to] : each._tag === "Rewrite" ? [each.like.path] : [each.path]),
    () => Effect.succeed(changes)
  )
const edit = (path: string, how: (text: string) => string) =>
  transact([path], (held) => Effect.map(held.read(path), (like) => [Change.Rewrite({ like, text: how(like.text) })]))
const create = (path: string, text = "new") => Change.Create({ path, text })

/** What every layer of `Files` does when it writes. */
export const writingContract = (name: string, given: Given) => {
  const on = provider(given)

  describe(`Files ${name}, writing`, () => {
    it.live("overwrites, and creates with the folders on the way", () =>
      Effect.gen(function*() {
        assert.deepStrictEqual(yield* overwrite("a", "two"), { value: { path: "a", old: "one" }, notes: [] })
        assert.deepStrictEqual(yield* overwrite("./d/e/f", "new"), { value: { path: "d/e/f", old: null }, notes: [] })
        assert.deepStrictEqual(yield* contents, { a: "two", "d/e/f": "new" })
      }).pipe(on({ a: "one" })))

    it.live("keeps encoding, mark and a link's target", () =>
      Effect.gen(function*() {
        yield* edit("bom", (text) => text.replace("ü", "ö"))
        yield* edit("little", (text) => text.replace("ü", "\u{1F6F0}"))
        yield* overwrite("big", "new\r\n")
        yield* overwrite("binary", "text")
        const done = yield* edit("link", (text) => text + "!")
        assert.deepStrictEqual(done.notes, [])
        const bytes = (text: string, encoding: BufferEncoding) => Buffer.from(text, encoding).toString("latin1")
        const after = yield* contents
        assert.strictEqual(after["bom"], bytes("\uFEFFöl\r\n", "utf8"))
        assert.strictEqual(after["little"], bytes("\uFEFF\u{1F6F0}", "utf16le"))
        assert.strictEqual(after["big"], Buffer.from("\uFEFFnew\r\n", "utf16le").swap16().toString("latin1"))
        assert.deepStrictEqual([after["binary"], after["link"], after["d/real"]], ["text", "-> d/real", "real!"])
      }).pipe(on({
        bom: "\uFEFFül\r\n",
        little: Buffer.from("\uFEFFü", "utf16le"),
        big: Buffer.from("\uFEFFold", "utf16le").swap16(),
        binary: Uint8Array.of(1, 0, 2),
        "d/real": "real",
        link: { link: "d/real" }
      })))

    it.live("creates at the target of a link that dangles inside the workspace", () =>
      Effect.gen(function*() {
        yield* overwrite("link", "new")
        assert.deepStrictEqual(yield* contents, { link: "-> d/none", "d/none": "new" })
        assert.include(yield* failure(change(create("link"))), "link already exists and was left as it is.")
      }).pipe(on({ link: { link: "d/none" } })))

    it.live("keeps mode bits, gives new files the asked ones", () =>
      Effect.gen(function*() {
        yield* change(Change.Create({ path: "run", text: "1", mode: 0o750 }))
        yield* overwrite("run", "2")
        yield* edit("run", (text) => text + "3")
        const like = yield* read("run")
        assert.strictEqual((yield* tree)["run"], "750 23")
        yield* change(Change.Rewrite({ like, text: "4", mode: 0o644 }))
        assert.strictEqual((yield* tree)["run"], "644 4")
      }).pipe(on({})))

    it.live("makes several changes as one, whatever their order", () =>
      Effect.gen(function*() {
        yield* transact(["a", "b", "c", "link", "new/deep/file", "t"], (held) =>
          Effect.map(held.read("a"), (like) => [
            Change.Move({ from: "a", to: "t" }),
            Change.Move({ from: "b", to: "a" }),
            Change.Move({ from: "t", to: "b" }),
            Change.Remove({ path: "c" }),
            create("c", "C"),
            Change.Move({ from: "link", to: "new/link" }),
            create("new/deep/file"),
            Change.Rewrite({ like: { ...like, path: "a" }, text: "changed" })
          ]).pipe(Effect.map((changes) => changes)))
        assert.deepStrictEqual(yield* contents, { a: "changed", b: "A", c: "C", "new/deep/file": "new", "new/link": "-> a" })
      }).pipe(on({ a: "A", b: "B", c: "old", link: { link: "a" } })))

    it.live("moves and removes links themselves", () =>
      Effect.gen(function*() {
        yield* change(Change.Move({ from: "link", to: "d/moved" }), Change.Remove({ path: "out" }))
        assert.deepStrictEqual(yield* contents, { real: "R", "d/moved": "-> real" })
        yield* change(Change.Remove({ path: "d/moved" }))
        assert.deepStrictEqual(yield* tree, { real: "644 R", d: "/" })
      }).pipe(on({ real: "R", link: { link: "real" }, out: { link: "/etc/passwd" } })))

    it.live("never replaces when it creates or moves", () =>
      Effect.gen(function*() {
        const before = yield* tree
        const occupied = (path: string) =>
          `${path} already exists and was left as it is. Nothing was changed. Choose another path, or edit that file.`
        assert.strictEqual(yield* failure(change(create("a"))), occupied("a"))
        assert.strictEqual(yield* failure(change(create("new"), create("new"))), occupied("new"))
        assert.strictEqual(yield* failure(change(create("new/x"), Change.Move({ from: "a", to: "b" }))), occupied("b"))
        assert.strictEqual(yield* failure(change(create("link"))), occupied("link"))
        assert.strictEqual(yield* failure(change(Change.Move({ from: "a", to: "./d/../a" }))), occupied("a"))
        assert.strictEqual(yield* failure(change(create("d"))), "d is a folder. Only regular files can be changed. Nothing was changed.")
        assert.deepStrictEqual(yield* tree, before)
      }).pipe(on({ a: "A", b: "B", "d/x": "x", link: { link: "nowhere" } })))

    it.live("changes nothing where one of several changes cannot be", () =>
      Effect.gen(function*() {
        const before = yield* tree
        const rest = [create("n/m/o"), Change.Remove({ path: "a" })]
        for (
          const [bad, said] of [
            [Change.Remove({ path: "none" }), "No such file: none"],
            [Change.Remove({ path: "d" }), "d is a folder. Only regular files can be changed. Nothing was changed."],
            [Change.Move({ from: "none", to: "x" }), "No such file: none"],
            [Change.Move({ from: "d", to: "x" }), "d is a folder. Only regular files can be changed. Nothing was changed."],
            [create("../x"), "Path escapes workspace: ../x"],
            [create("out/x"), "Path escapes workspace: out/x"],
            [create("b/x"), "Cannot create b/x: ENOTDIR. Nothing was changed."]
          ] as const
        ) assert.strictEqual(yield* failure(change(...rest, bad)), said)
        assert.strictEqual(yield* Effect.flip(transact(["a"], () => Effect.fail("no plan"))), "no plan")
        assert.deepStrictEqual(yield* tree, before)
      }).pipe(on({ a: "A", b: "B", "d/x": "x", out: { link: "/tmp" } })))

    it.live("writes nothing for a plan without changes", () =>
      Effect.gen(function*() {
        const done = yield* Effect.flatMap(Files, (files) => files.transact(["a"], () => Effect.succeed({ changes: [], value: 7 })))
        assert.deepStrictEqual(done, { value: 7, notes: [] })
      }).pipe(on({ a: "A" })))

    it.live("writes to no protected place, however it is spelt", () =>
      Effect.gen(function*() {
        const before = yield* tree
        const paths = [
          ".git/config", ".GIT/hooks/pre-commit", "sub/.git", ".g\u200cit/x", "git~1/x", "link/config", "bare/config", "wt/config",
          ".shiro/config.json", "sub/.Shiro/CONFIG.json"
        ]
        for (const path of paths) {
          for (const attempt of [Effect.asVoid(overwrite(path, "x")), Effect.asVoid(change(create(path)))]) {
            assert.include(yield* failure(attempt), `${path} is protected: `, path)
          }
        }
        assert.include(yield* failure(change(Change.Remove({ path: ".git/HEAD" }))), ".git/HEAD is protected")
        assert.include(yield* failure(change(Change.Move({ from: "bare/HEAD", to: "x" }))), "bare/HEAD is protected")
        assert.include(yield* failure(change(Change.Move({ from: "a", to: ".git/x" }))), ".git/x is protected")
        assert.deepStrictEqual(yield* tree, before)
        yield* change(create(".gitignore"), create(".github/x"), create("sub/HEAD"), create(".shiro/skills/x.md"))
      }).pipe(on({
        a: "A",
        ".git/HEAD": "ref: refs/heads/main",
        link: { link: ".git" },
        "bare/HEAD": "", "bare/objects": { folder: true }, "bare/refs": { folder: true },
        "wt/HEAD": "", "wt/commondir": "..",
        "sub/x": ""
      })))

    it.live("moves no denied file and quotes none", () =>
      Effect.gen(function*() {
        for (const path of [".env", "link"]) assert.strictEqual((yield* overwrite(path, `KEY=${path}`)).value.old, null)
        assert.include(yield* failure(edit(".env", (text) => text)), ".env is denied on read")
        assert.include(yield* failure(change(Change.Move({ from: ".env", to: "x" }))), ".env is denied on read")
        assert.include(yield* failure(change(Change.Move({ from: "a", to: "d/.env" }))), "d/.env is denied on read")
        const like = yield* read("a")
        assert.include(yield* failure(change(Change.Rewrite({ like: { ...like, path: ".env" }, text: "x" }))), ".env is denied on read")
        yield* change(create("d/.env"))
        yield* change(Change.Remove({ path: "d/.env" }))
        assert.deepStrictEqual(yield* contents, { a: "A", ".env": "KEY=link", link: "-> .env" })
      }).pipe(on({ a: "A", ".env": "KEY=1", link: { link: ".env" } }, [".env", "d/.env"])))

    it.live("refuses to write the stand-in for a hidden value where the file has none", () =>
      Effect.gen(function*() {
        const said = (path: string) =>
          `The new text for ${path} holds "[secret hidden]", which stands for a value that was hidden from you. Nothing was changed. Leave that part of the file as it is, or ask the user to write it.`
        assert.strictEqual(yield* failure(overwrite("a", "key=[secret hidden]")), said("a"))
        assert.strictEqual(yield* failure(overwrite("new", "key=[secret hidden]")), said("new"))
        assert.strictEqual(yield* failure(edit("a", () => "[secret hidden]")), said("a"))
        assert.strictEqual(yield* failure(change(create("new", "[secret hidden]"))), said("new"))
        yield* overwrite("docs", "more [secret hidden]")
        yield* edit("docs", (text) => `${text} [secret hidden]`)
        assert.deepStrictEqual(yield* contents, { a: "A", docs: "more [secret hidden] [secret hidden]" })
      }).pipe(on({ a: "A", docs: "how [secret hidden] looks" })))

    it.live("refuses once to overwrite what changed unseen", () =>
      Effect.gen(function*() {
        yield* overwrite("never", "not read before")
        yield* read("a")
        yield* elsewhere("a", "theirs")
        assert.strictEqual(
          yield* failure(overwrite("a", "mine")),
          "a changed on disk since you last read it, so it was not overwritten. Read it again, then send the full content; sending this call again overwrites it."
        )
        assert.strictEqual(yield* textOf("a"), "theirs")
        yield* overwrite("a", "mine")
        yield* elsewhere("a", "theirs again")
        yield* failure(overwrite("a", "mine"))
        yield* elsewhere("a", "a third")
        assert.include(yield* failure(overwrite("a", "mine")), "a changed on disk")
        yield* overwrite("a", "mine")
        yield* elsewhere("a", "mine")
        yield* overwrite("a", "the same content is no change")
      }).pipe(on({ a: "A", never: "N" })))

    it.live("edits what changed unseen and says so, until it is seen", () =>
      Effect.gen(function*() {
        const files = yield* Files
        yield* files.window("a", { offset: 1, limit: 1 })
        assert.strictEqual((yield* files.look("a")).changedSinceSeen, false)
        yield* elsewhere("a", "theirs")
        assert.strictEqual((yield* files.look("a")).changedSinceSeen, true)
        const done = yield* edit("a", (text) => text + "!")
        assert.deepStrictEqual(done.notes, ["a had changed on disk since it was last read here; the change was made to what it is now."])
        assert.deepStrictEqual((yield* edit("a", (text) => text + "!")).notes, [])
        assert.strictEqual((yield* read("a")).changedSinceSeen, false)
        yield* change(Change.Move({ from: "a", to: "b" }))
        yield* elsewhere("b", "theirs")
        assert.strictEqual((yield* read("b")).changedSinceSeen, true)
      }).pipe(on({ a: "A" })))

    it.live("says no where a file was changed between the reading and the writing", () =>
      Effect.gen(function*() {
        const attempt = transact(["a", "b"], (held) =>
          Effect.map(Effect.zipLeft(held.read("a"), elsewhere("a", "theirs")), (like) => [
            create("b"),
            Change.Rewrite({ like, text: "mine" })
          ]))
        assert.strictEqual(
          yield* failure(attempt),
          "Cannot change a: it was changed by somebody else at this very moment. Nothing was changed."
        )
        assert.deepStrictEqual(yield* contents, { a: "theirs" })
      }).pipe(on({ a: "A" })))

    it.live("takes calls on one file one after the other", () =>
      Effect.gen(function*() {
        const count = (path: string) => edit(path, (text) => `${Number(text) + 1}`)
        yield* Effect.all(
          Array.from({ length: 30 }, (_, index) => count(["n", "link", "./d/../n"][index % 3] ?? "n")),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(yield* textOf("n"), "30")
        const swap = (one: string, other: string) =>
          transact([one, other], (held) =>
            Effect.map(Effect.all([held.read(one), held.read(other)]), ([a, b]) => [
              Change.Rewrite({ like: a, text: b.text }),
              Change.Rewrite({ like: b, text: a.text })
            ]))
        yield* Effect.all(Array.from({ length: 20 }, (_, index) => index % 2 === 0 ? swap("x", "y") : swap("y", "x")), { concurrency: "unbounded" })
        assert.deepStrictEqual([yield* textOf("x"), yield* textOf("y")], ["X", "Y"])
      }).pipe(on({ n: "0", link: { link: "n" }, x: "X", y: "Y" })))
  })
}
