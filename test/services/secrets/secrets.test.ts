import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Layer from "effect/Layer"
import { execFileSync } from "node:child_process"
import { appendFileSync, linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ConfigMemory } from "../../../src/services/Config.js"
import { HostMemory } from "../../../src/services/Host.js"
import { Jail, makeJail } from "../../../src/services/Jail.js"
import { Secrets } from "../../../src/services/Secrets.js"
import { SecretsLive } from "../../../src/services/secrets/live.js"
import { makeMask } from "../../../src/services/secrets/mask.js"
import { deniedNames } from "../../../src/services/secrets/names.js"
import { textsToHide, valuesIn } from "../../../src/services/secrets/values.js"

describe("denied names", () => {
  const { test } = deniedNames([])
  it.each([".env", "a/.env", "prod.env", ".env.local", "x/.env.production", "key.pem", "A/KEY.PEM", ".ENV", ".Env.Local"])("hold %s", (path) => {
    assert.isTrue(test(path))
  })
  it.each([".env.example", "a/.ENV.example", "env", ".environment", "pem", "readme.md", "src/env.ts"])("leave %s", (path) => {
    assert.isFalse(test(path))
  })
  it("are lifted by an allow that names the file, not by one that begins with a star", () => {
    const by = (rules: Record<string, string>, narrowsOnly = false) => deniedNames([{ source: "own", narrowsOnly, rules: { read_file: rules } }]).test
    assert.isTrue(by({ "*": "allow" })("fixtures/.env"))
    assert.isTrue(by({ "*.env": "allow" })("fixtures/.env"))
    assert.isFalse(by({ "fixtures/*": "allow" })("fixtures/.env"))
    assert.isTrue(by({ "fixtures/*": "allow" }, true)("fixtures/.env"))
    assert.isTrue(by({ "notes/*": "deny" })("notes/a.md"))
  })
})

describe("values", () => {
  const hidden = (text: string, examples: ReadonlyArray<string> = []) => textsToHide(valuesIn(text), new Set(examples), () => false)
  it("are taken from assignments in every spelling", () => {
    assert.includeMembers([...hidden("A=plain-value-1\nexport B=\"quo ted#2\"\nC: yaml-value-3\nD='sin gle 4' # note\nE=tail-5555 # note")], [
      "plain-value-1", "quo ted#2", "yaml-value-3", "tail-5555"
    ])
  })
  it("leave ordinary words, numbers, hosts, plain addresses and short ones in sight", () => {
    assert.deepStrictEqual([...hidden("A=development\nB=123456789\nC=db.internal.example.com\nD=https://example.com/path\nE=short1\nF=localhost:5432\nG=true")], [])
  })
  it("include the password of an address", () => {
    assert.include(hidden("DB=postgres://me:hunter2hunter2@db/x"), "hunter2hunter2")
  })
  it("leave what the example file shows", () => {
    assert.deepStrictEqual([...hidden("A=change-me-1", ["change-me-1"])], [])
  })
  it("include each line of a key", () => {
    assert.deepStrictEqual([...hidden("-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBg+kqhkiG9w0\nBAQEFAASCBKcwggSj/gEAAo1\n-----END PRIVATE KEY-----\n")].filter((text) => !text.includes("%")), [
      "MIIEvQIBADANBg+kqhkiG9w0", "BAQEFAASCBKcwggSj/gEAAo1"
    ])
  })
})

describe("the mask", () => {
  const secret = FastCheck.string({ minLength: 8, maxLength: 20 }).filter((text) => !"[secret hidden]".includes(text))
  it("lets nothing of a secret through a stream, however it is cut, and nothing else change", () => {
    FastCheck.assert(FastCheck.property(
      FastCheck.array(secret, { minLength: 1, maxLength: 3 }), FastCheck.array(FastCheck.oneof(FastCheck.nat(2), FastCheck.string({ maxLength: 6 })), { maxLength: 12 }), FastCheck.array(FastCheck.nat(7)),
      (secrets, pieces, cuts) => {
        const sorted = [...secrets].sort((one, other) => other.length - one.length)
        const mask = makeMask(sorted)
        const text = pieces.map((piece) => typeof piece === "number" ? secrets[piece % secrets.length] ?? "" : piece).join("")
        const stream = mask.stream()
        let out = ""
        let at = 0
        for (const cut of cuts) {
          out += stream.push(text.slice(at, at + cut))
          at += cut
        }
        out += stream.push(text.slice(at)) + stream.end()
        assert.strictEqual(out, mask.text(text))
      }
    ))
  })
  it("shows at once what cannot be the beginning of a secret", () => {
    const stream = makeMask(["correct-horse-battery"]).stream()
    assert.strictEqual(stream.push("line one\n"), "line one\n")
    assert.strictEqual(stream.push("say correct-ho"), "say ")
    assert.strictEqual(stream.push("rse-battery!"), "[secret hidden]!")
  })
})

describe("secrets on disk", () => {
  const folder = Effect.acquireRelease(
    Effect.sync(() => realpathSync(mkdtempSync(join(tmpdir(), "shiro-secrets-")))),
    (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
  )
  const given = (root: string, ripgrep: string | undefined) =>
    SecretsLive.pipe(Layer.provide(Layer.mergeAll(
      Layer.succeed(Jail, makeJail(root)), ConfigMemory(), HostMemory({ env: { PATH: process.env["PATH"], SHIRO_RIPGREP: ripgrep, OPENAI_API_KEY: "sk-own-key-123" } })
    )))

  for (const [engine, ripgrep] of [["ripgrep", undefined], ["reading every folder", "off"]] as const) {
    it.scopedLive(`are found by ${engine}, ignored ones too, known by inode and blob, and looked for again after a change`, () =>
      Effect.gen(function*() {
        const root = yield* folder
        mkdirSync(join(root, "svc"))
        writeFileSync(join(root, ".gitignore"), ".env*\n")
        writeFileSync(join(root, ".env"), "TOKEN=abc-leak-123\n")
        writeFileSync(join(root, "svc/.env.local"), "OTHER=abc-leak-456\nPATHLIKE=svc/.env.local\n")
        writeFileSync(join(root, ".env.example"), "TOKEN=changeme-1\n")
        execFileSync("mkfifo", [join(root, "pipe.env")])
        symlinkSync("/dev/zero", join(root, "zero.env"))
        linkSync(join(root, ".env"), join(root, "innocent.txt"))
        yield* Effect.gen(function*() {
          const secrets = yield* Secrets
          assert.deepStrictEqual([...yield* secrets.deniedPaths].sort(), [".env", "svc/.env.local"])
          const { dev, ino } = statSync(join(root, "innocent.txt"), { bigint: true })
          assert.isTrue(yield* secrets.deniedIdentity(`${dev}:${ino}`))
          const blob = execFileSync("git", ["hash-object", join(root, ".env")], { encoding: "utf8" }).trim()
          assert.isTrue((yield* secrets.deniedBlobs).has(blob))
          assert.strictEqual(yield* secrets.mask("a abc-leak-456 b sk-own-key-123 changeme-1 svc/.env.local"), "a [secret hidden] b [secret hidden] changeme-1 svc/.env.local")
          appendFileSync(join(root, ".env"), "LATER=abc-later-789\n")
          assert.strictEqual(yield* secrets.mask("abc-later-789"), "abc-later-789")
          yield* secrets.changed
          assert.strictEqual(yield* secrets.mask("abc-later-789"), "[secret hidden]")
        }).pipe(Effect.provide(given(root, ripgrep)))
      }))
  }
})
