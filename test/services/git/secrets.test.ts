import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { gitBlame } from "../../../src/tools/git/gitBlame.js"
import { gitDiff } from "../../../src/tools/git/gitDiff.js"
import { gitShow } from "../../../src/tools/git/gitShow.js"
import { call } from "../../../src/tools/pipeline.js"
import { answering, everyTool } from "../../support/gitTools.js"
import type { Work } from "../../support/gitWork.js"
import { secretlyAt, work } from "../../support/gitWork.js"

// Numbers are never masked, so what keeps these back is the denial alone.
const old = "1111111111"
const now = "2222222222"
const commit = "git add -fA; git commit -qm"
const start = `echo PIN=${old} > .env; seq 20 > a; ${commit} one; echo PIN=${now} > .env; echo x >> a; ${commit} two`

const leaks = (text: string) => text.includes(old) || text.includes(now)
const all = (at: Work, path: string, ref: string) => {
  const model = answering("m")
  return everyTool(path, ref).pipe(
    Effect.map((said) => ({ said, text: [...said.map(({ text }) => text), ...model.asked.map(({ prompt }) => prompt)].join("\n") })),
    Effect.provide(secretlyAt(at, at.root)),
    Effect.provide(model.layer)
  )
}
const shown = (at: Work, refs: ReadonlyArray<string>) =>
  Effect.forEach(refs, (ref) => Effect.merge(Effect.mapError(call(gitShow, { ref }), ({ message }) => message))).pipe(Effect.provide(secretlyAt(at, at.root)))
const show = (at: Work, ref: string) => Effect.map(shown(at, [ref]), (texts) => texts.join(""))

describe("content of denied files", () => {
  it.scopedLive("does not come out of any git tool, and its place is named", () =>
    Effect.gen(function*() {
      const at = yield* work(`${start}; echo PIN=${old}${now} > .env; echo y >> a; git add a .env; echo PIN=${now}${now} > .env; echo z >> a`)
      const { said, text } = yield* all(at, ".env", "HEAD")
      assert.isFalse(leaks(text))
      const of = (name: string) => said.find((each) => each.name === name)?.text ?? ""
      assert.strictEqual(of("git_diff path"), ".env (modified, +1 -1): denied on read, its content is not shown.")
      assert.match(of("git_show"), /\n\n\.env \(modified, \+1 -1\): denied on read, its content is not shown\.\ndiff --git a\/a b\/a\n/)
      assert.include(of("git_status"), ".env  (staged modified, modified)")
      for (const name of ["git_show_file", "git_blame", "git_show ref:path"]) {
        assert.include(of(name), ".env is denied on read")
      }
    }))

  it.scopedLive("stays hidden in another letter case and in folders", () =>
    Effect.gen(function*() {
      const at = yield* work(`mkdir -p k; echo PIN=${now} > k/prod.ENV; echo PIN=${now} > k/server.pem; ${commit} one; echo x >> k/prod.ENV; echo x >> k/server.pem`)
      const inputs = [{}, { path: "k" }, { path: "k/prod.ENV" }]
      for (const text of yield* Effect.forEach(inputs, (input) => call(gitDiff, input)).pipe(Effect.provide(secretlyAt(at, at.root)))) {
        assert.include(text, "k/prod.ENV (modified, +1 -0): denied on read")
        assert.isFalse(leaks(text))
      }
      assert.isFalse(leaks(yield* show(at, "HEAD")))
    }))

  it.scopedLive("stays hidden where the file was renamed, also in a diff of one of its names only", () =>
    Effect.gen(function*() {
      const at = yield* work(`seq 30 | sed 's/$/ ${now}/' > .env; ${commit} one; git mv .env config.txt; echo more >> config.txt; git add .`)
      const inputs = [{ staged: true }, { staged: true, path: "config.txt" }, { staged: true, path: ".env" }]
      for (const text of yield* Effect.forEach(inputs, (input) => call(gitDiff, input)).pipe(Effect.provide(secretlyAt(at, at.root)))) {
        assert.strictEqual(text, "config.txt (renamed from .env, +1 -0): denied on read, its content is not shown.")
      }
      const blamed = yield* call(gitBlame, { path: "config.txt" }).pipe(Effect.provide(secretlyAt(at, at.root)))
      assert.include(blamed, "  30: [a line of .env, denied on read]")
      assert.include(blamed, "  31: more")
      assert.isFalse(leaks(blamed))
      at.sh(`${commit} two`)
      assert.isFalse(leaks(yield* show(at, "HEAD")))
    }))

  it.scopedLive("stays hidden where its blob has another name", () =>
    Effect.gen(function*() {
      const at = yield* work(`${start}; cp .env notes.txt; git add notes.txt`)
      const staged = yield* call(gitDiff, { staged: true }).pipe(Effect.provide(secretlyAt(at, at.root)))
      assert.strictEqual(staged, "notes.txt (new, +1 -0): denied on read, its content is not shown.")
      const error = yield* call(gitBlame, { path: "notes.txt" }).pipe(Effect.flip, Effect.provide(secretlyAt(at, at.root)))
      assert.include(error.message, "notes.txt is denied on read")
    }))

  it.scopedLive("stays hidden behind a hard link", () =>
    Effect.gen(function*() {
      const at = yield* work(`${start}; echo n > notes.txt; ${commit} three; echo PIN=${now}${old} > .env; ln -f .env notes.txt`)
      const text = yield* call(gitDiff, {}).pipe(Effect.provide(secretlyAt(at, at.root)))
      assert.include(text, "notes.txt (modified, +1 -1): denied on read")
      assert.isFalse(leaks(text))
      const error = yield* call(gitBlame, { path: "notes.txt" }).pipe(Effect.flip, Effect.provide(secretlyAt(at, at.root)))
      assert.include(error.message, "notes.txt is denied on read")
    }))

  it.scopedLive("does not come out by blob id, be it the present content or an old one", () =>
    Effect.gen(function*() {
      const at = yield* work(start)
      const [present = "", past = "", plain = ""] = at.sh("git rev-parse HEAD:.env HEAD~1:.env HEAD:a").split("\n")
      const refs = [present, past, past.slice(0, 10), `${past}^{}`, "HEAD:.env", "HEAD:./.env", "HEAD:a/../.env", ":.env", ":0:.env", "HEAD^{/one}:.env", "@{0}:.env"]
      assert.deepStrictEqual((yield* shown(at, refs)).map(leaks), refs.map(() => false))
      assert.strictEqual((yield* show(at, plain)).split("\n").length, 22)
      const loose = at.sh(`echo PIN=${old}${now} | git hash-object -w --stdin`).trim()
      assert.include(yield* show(at, loose), "can't be told whether it is secret")
      at.sh(`git tag -a blobtag -m x ${past}`)
      assert.isFalse(leaks(yield* show(at, "blobtag")))
      at.sh(`git replace $(git rev-parse HEAD:a) ${past}`)
      assert.isFalse(leaks(yield* show(at, "HEAD:a")))
    }))

  it.scopedLive("does not come out of stashes and merges", () =>
    Effect.gen(function*() {
      const at = yield* work(`${start}; echo PIN=${old}${old} > .env; echo PIN=${now} > new.env; git stash -q -u
        git checkout -qb side HEAD~1; echo PIN=${now}3 > .env; ${commit} side; git checkout -q main; git merge -q side || true`)
      const conflict = yield* call(gitDiff, {}).pipe(Effect.provide(secretlyAt(at, at.root)))
      assert.strictEqual(conflict, ".env (modified): denied on read, its content is not shown.")
      at.sh(`echo PIN=${old}${now} > .env; echo z >> a; ${commit} merged`)
      const texts = yield* shown(at, ["stash", "stash^2", "stash^3", "stash@{0}", "HEAD"])
      assert.deepStrictEqual(texts.map(leaks), texts.map(() => false))
      assert.include(texts.at(-1), ".env (modified): denied on read")
      // A merge that moves the content to another name.
      at.sh(`git checkout -q main; git reset -q --hard HEAD~1; git merge -q --no-commit side || true; git rm -qf --cached .env; mv .env moved.txt; seq 40 | sed 's/$/ ${now}/' >> moved.txt; ${commit} again`)
      assert.isFalse(leaks(yield* show(at, "HEAD:.env")))
    }))

  it.scopedLive("stays hidden where a folder takes the place of a file", () =>
    Effect.gen(function*() {
      const at = yield* work(`echo f > d; ${commit} one; rm d; mkdir d; echo PIN=${now} > d/.env; echo ok > d/ok; ${commit} two`)
      const text = yield* show(at, "HEAD")
      assert.isFalse(leaks(text))
      assert.include(text, "+ok")
      assert.include(text, "-f")
    }))

  it.scopedLive("an empty denied file does not hide other empty files", () =>
    Effect.gen(function*() {
      const at = yield* work("touch .env b; git add -f .env b")
      const text = yield* call(gitDiff, { staged: true }).pipe(Effect.provide(secretlyAt(at, at.root)))
      assert.include(text, "diff --git a/b b/b")
    }))

  it.scopedLive("an example file is shown", () =>
    Effect.gen(function*() {
      const at = yield* work(`echo PIN= > .env.example; ${commit} one`)
      assert.include(yield* show(at, "HEAD"), "+PIN=")
      assert.include(yield* call(gitBlame, { path: ".env.example" }).pipe(Effect.provide(secretlyAt(at, at.root))), "1: PIN=")
    }))
})
