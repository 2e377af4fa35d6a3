import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { GitMemory } from "../../../src/services/git/memory.js"
import type { MemoryRepository } from "../../../src/services/git/memory.js"
import { JailMemory } from "../../../src/services/Jail.js"
import { ModelScripted } from "../../../src/services/model/live.js"
import { PermissionsMemory } from "../../../src/services/permissions/memory.js"
import { SecretsMemory } from "../../../src/services/secrets/memory.js"
import { gitCommitMessage } from "../../../src/tools/git/gitCommitMessage.js"
import { call } from "../../../src/tools/pipeline.js"
import { answering } from "../../support/gitTools.js"
import { gitAt, work } from "../../support/gitWork.js"
import { modelServer } from "../../support/modelServer.js"
import { modelAt } from "../../support/wires.js"

const commits = Array.from({ length: 18 }, (_, at) => ({
  author: "Ann", date: "2024-01-01", message: `subject ${at + 1}\n\nbody ${at + 1}`, files: { a: `${at}\n` }
}))
const given = (repository: MemoryRepository, secrets = SecretsMemory()) =>
  Layer.mergeAll(GitMemory(repository).pipe(Layer.provide(Layer.merge(JailMemory(), secrets))), secrets, PermissionsMemory())
const staged: MemoryRepository = { commits, index: { a: "new\n" } }

describe("git_commit_message", () => {
  it.effect("shows the model the staged diff and the fifteen latest subjects, and returns the message only", () =>
    Effect.gen(function*() {
      const { asked, layer } = answering("```\nbump the port\n```\n")
      assert.strictEqual(yield* call(gitCommitMessage, {}).pipe(Effect.provide(given(staged)), Effect.provide(layer)), "bump the port")
      const [{ prompt = "" } = {}] = asked
      assert.include(prompt, "subject 18\nsubject 17\n")
      assert.deepStrictEqual(prompt.match(/subject \d+/g)?.length, 15)
      assert.include(prompt, "-17\n+new")
      assert.notInclude(prompt, "body")
    }))

  it.effect("fails where nothing is staged, without asking the model", () =>
    Effect.gen(function*() {
      const { asked, layer } = answering("x")
      const error = yield* call(gitCommitMessage, {}).pipe(Effect.flip, Effect.provide(given({ commits, workTree: { a: "later\n" } })), Effect.provide(layer))
      assert.strictEqual(error.message, "Nothing is staged, so there is nothing to write a commit message for. Stage changes with git add first.")
      assert.strictEqual(asked.length, 0)
    }))

  it.effect("sends neither denied content nor known secret values", () =>
    Effect.gen(function*() {
      const { asked, layer } = answering("m")
      const repository = { commits, index: { "a": "token s3cr3t-value-1\n", ".env": "KEY=s3cr3t-value-2\n" } }
      yield* call(gitCommitMessage, {}).pipe(Effect.provide(given(repository, SecretsMemory([".env"], ["s3cr3t-value-1"]))), Effect.provide(layer))
      const [{ prompt = "" } = {}] = asked
      assert.notInclude(prompt, "s3cr3t")
      assert.include(prompt, "+token [secret hidden]")
      assert.include(prompt, ".env (new, +1 -0): denied on read")
    }))

  it.effect("cuts an oversized diff before it goes out", () =>
    Effect.gen(function*() {
      const { asked, layer } = answering("m")
      const long = Array.from({ length: 20_000 }, (_, at) => `line ${at}\n`).join("")
      yield* call(gitCommitMessage, {}).pipe(Effect.provide(given({ commits, index: { a: long } })), Effect.provide(layer))
      assert.isBelow(asked[0]?.prompt.length ?? Infinity, 21_000)
      assert.match(asked[0]?.prompt ?? "", /\[truncated [\d,]+ chars\]/)
    }))

  it.effect("says that an empty answer is none", () =>
    Effect.gen(function*() {
      const error = yield* call(gitCommitMessage, {}).pipe(Effect.flip, Effect.provide(given(staged)), Effect.provide(answering(" \n").layer))
      assert.include(error.message, "answered with no text. Nothing was committed.")
    }))

  it.effect("answers by a script", () =>
    Effect.gen(function*() {
      const text = yield* call(gitCommitMessage, {}).pipe(Effect.provide(given(staged)), Effect.provide(ModelScripted([{ text: "bump the server port to 9090" }])))
      assert.strictEqual(text, "bump the server port to 9090")
    }))

  it.scopedLive("over the wire sees the staged diff of a real repository, and never commits", () =>
    Effect.gen(function*() {
      const at = yield* work("echo port 8080 > conf; git add .; git commit -qm 'add the port'; echo port 9090 > conf; git add .; echo port 7070 > conf")
      const before = at.sh("git rev-parse HEAD; git diff --staged; git diff")
      const serving = yield* modelServer([{ text: "bump the server port to 9090" }])
      const text = yield* call(gitCommitMessage, {}).pipe(Effect.provide(gitAt(at, at.root)), Effect.provide(modelAt(serving, "openai")))
      assert.strictEqual(text, "bump the server port to 9090")
      assert.strictEqual(at.sh("git rev-parse HEAD; git diff --staged; git diff"), before)
      const sent = serving.requests.map(({ text }) => text).join("\n")
      for (const part of ["add the port", "-port 8080", "+port 9090"]) assert.include(sent, part)
      assert.notInclude(sent, "7070")
      assert.deepStrictEqual(serving.faults(), [])
    }))
})
