import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Arbitrary from "effect/Arbitrary"
import * as FastCheck from "effect/FastCheck"
import * as Schema from "effect/Schema"
import { filterNames, hardened, parseConfig } from "../../../src/services/git/hardening.js"
import { toWorkspace } from "../../../src/services/git/guard.js"
import { parseRaw } from "../../../src/services/git/names.js"
import { quoted, sectionOf, splitSections } from "../../../src/services/git/sections.js"
import { parseStatus } from "../../../src/services/git/status.js"
import { work } from "../../support/gitWork.js"

/** Names that git, a shell or a parser could trip over. */
const name = FastCheck.stringOf(FastCheck.constantFrom("a", "B", "-", " ", "\"", "'", "\\", "\n", "\t", "é", "日", "\u2028", ":", "*", "#", "?", "1", "u", "\r"), { minLength: 1, maxLength: 6 })
  .filter((each) => each !== "-" && each.trim() !== "")
const kinds = ["staged new", "staged modified", "staged deleted", "modified", "deleted", "staged and modified", "untracked", "staged renamed", "unchanged"] as const

describe("the status parser", () => {
  it.scopedLive("tells of generated repositories what was done to them", () =>
    Effect.gen(function*() {
      const files = FastCheck.sample(FastCheck.uniqueArray(FastCheck.tuple(name, FastCheck.constantFrom(...kinds)), { minLength: 12, maxLength: 12, selector: ([each]) => each.toLowerCase() }), { numRuns: 5, seed: 20240305 })
      for (const changes of files) {
        const at = yield* work()
        const sh = (path: string) => `'./${path.replaceAll("'", `'\\''`)}'`
        const old = (path: string) => `${path}.old`
        const before = changes.filter(([, kind]) => kind !== "untracked" && kind !== "staged new")
        const first = before.map(([path, kind], at) => `seq ${at * 100 + 1} ${at * 100 + 30} > ${sh(kind === "staged renamed" ? old(path) : path)}`)
        const then: Readonly<Record<(typeof kinds)[number], (path: string) => string>> = {
          "staged new": (path) => `echo new > ${sh(path)}; git add ${sh(path)}`,
          "staged modified": (path) => `echo x >> ${sh(path)}; git add ${sh(path)}`,
          "staged deleted": (path) => `git rm -q ${sh(path)}`,
          "modified": (path) => `echo x >> ${sh(path)}`,
          "deleted": (path) => `rm ${sh(path)}`,
          "staged and modified": (path) => `echo x >> ${sh(path)}; git add ${sh(path)}; echo y >> ${sh(path)}`,
          "untracked": (path) => `echo u > ${sh(path)}`,
          "staged renamed": (path) => `git mv ${sh(old(path))} ${sh(path)}`,
          "unchanged": () => "true"
        }
        at.sh([...first, "git add -A", "git commit -q --allow-empty -m one", "export GIT_LITERAL_PATHSPECS=1", ...changes.map(([path, kind]) => then[kind](path))].join("\n"))
        const expected = changes.flatMap(([path, kind]): ReadonlyArray<readonly [string, ReadonlyArray<string>]> => {
          if (kind === "unchanged") return []
          if (kind === "staged and modified") return [[path, ["staged modified", "modified"]]]
          return [[path, [kind === "staged renamed" ? `staged renamed from ${old(path)}` : kind]]]
        })
        const { branch, entries } = parseStatus(at.sh("git status --porcelain=v2 --branch -z --untracked-files=all"))
        assert.strictEqual(branch, "main")
        assert.deepStrictEqual(new Map(entries.map(({ path, states }) => [path, states])), new Map(expected))
      }
    }))

  it("reads conflicts, submodules and what it does not know", () => {
    const text = ["# branch.oid (initial)", "# branch.head topic with", "u DU N... 1 2 3 4 a b c x y", "1 .M SC.. 160000 160000 160000 a b sub", "2 RM N... 1 2 3 a b R100 new", "old name", "! ignored", ""].join("\0")
    assert.deepStrictEqual(parseStatus(text), {
      branch: "topic with",
      commit: null,
      entries: [
        { path: "x y", states: ["conflict: deleted by us"], untracked: false },
        { path: "sub", states: ["modified"], untracked: false },
        { path: "new", states: ["staged renamed from old name", "modified"], untracked: false }
      ]
    })
  })

  it.prop("never fails, whatever text it gets", [Schema.String], ([text]) => {
    parseStatus(text)
    parseRaw(text)
    splitSections(text, true)
    parseConfig(text)
  })
})

describe("names of a diff", () => {
  it("are read with their other names and counts", () => {
    const [plain, renamed, merged, conflict] = parseRaw([
      ":100644 100644 aa bb M", "a b", ":100644 100644 cc dd R087", "old", "new", "::100644 100644 100644 e1 e2 e3 MR", "m0", "m", "m",
      ":000000 100644 00 00 U", "c", ":100644 100644 ff 00 M", "c", "1\t2\ta b", "-\t-\t", "old", "new", ""
    ].join("\0"))
    assert.deepStrictEqual(plain, { path: "a b", from: [], letters: "M", blobs: ["aa", "bb"], counted: true, added: 1, removed: 2 })
    assert.deepStrictEqual(renamed, { path: "new", from: ["old"], letters: "R", blobs: ["cc", "dd"], counted: true, added: null, removed: null })
    assert.deepStrictEqual(merged, { path: "m", from: ["m0"], letters: "MR", blobs: ["e1", "e2", "e3"], counted: false, added: null, removed: null })
    assert.deepStrictEqual(conflict, { path: "c", from: [], letters: "U", blobs: ["00", "00", "ff", "00"], counted: false, added: null, removed: null })
  })

  it("are matched to bodies by the exact header that git writes", () => {
    const text = "diff --git MARKa/x MARKb/x\n+diff --git MARKa/y MARKb/y\n \rdiff --git MARKa/y MARKb/y\ndiff --git \"MARKa/\\n\" \"MARKb/\\n\"\n+n\n"
    const { broken, whole } = splitSections(text, false)
    const of = (path: string) => sectionOf(whole, "MARK", { path, topPath: path, from: null, combined: false })
    assert.strictEqual(of("x"), "diff --git a/x b/x\n+diff --git a/y b/y\n \rdiff --git a/y b/y\n")
    assert.strictEqual(of("\n"), "diff --git \"a/\\n\" \"b/\\n\"\n+n\n")
    assert.isNull(of("y"))
    assert.strictEqual(broken.size, 0)
    const cut = splitSections(text, true)
    assert.strictEqual(cut.whole.size, 1)
    assert.strictEqual(cut.broken.size, 1)
  })

  it.scopedLive("are quoted as git quotes them", () =>
    Effect.gen(function*() {
      const at = yield* work()
      const names = FastCheck.sample(FastCheck.uniqueArray(name, { minLength: 40, maxLength: 40, selector: (each) => each.toLowerCase() }), { numRuns: 1, seed: 7 }).flat()
      at.sh(names.map((each) => `touch './${each.replaceAll("'", `'\\''`)}'`).join("\n"))
      const git = at.sh("git -c core.quotePath=false ls-files -o").split("\n").filter((line) => line !== "")
      assert.deepStrictEqual(names.map(quoted).sort(), git.sort())
    }))
})

describe("places in a repository", () => {
  it.prop("lead from the workspace to the file", [Arbitrary.make(Schema.Array(Schema.Literal("a", "b", "c")).pipe(Schema.maxItems(3))), Arbitrary.make(Schema.NonEmptyArray(Schema.Literal("a", "b", "c")))], ([here, there]) => {
    const parts: Array<string> = [...here]
    const relative = toWorkspace(here.join("/"), there.join("/"))
    for (const part of relative.split("/")) {
      if (part === "..") parts.pop()
      else if (part !== ".") parts.push(part)
    }
    assert.deepStrictEqual(parts, [...there])
  })
})

describe("the environment of git", () => {
  it("has nothing of the caller's that git or its helpers obey, and empties every filter", () => {
    const config = parseConfig("filter.lfs.clean\nx\0filter.a.b=c.process\ny\0blame.ignorerevsfile\n/etc/passwd\0")
    const env = hardened({ PATH: "/bin", GIT_DIR: "/x", GIT_EXTERNAL_DIFF: "x", PAGER: "x", LANG: "de_DE" }, { safeDirectories: ["/ws"], settings: [["core.autocrlf", "true"]] }, "/home/me", filterNames(config.map(([key]) => key)))
    assert.deepStrictEqual([env["PATH"], env["GIT_DIR"], env["GIT_EXTERNAL_DIFF"], env["PAGER"], env["LANG"]], ["/bin", undefined, undefined, undefined, undefined])
    const count = Number(env["GIT_CONFIG_COUNT"])
    const pairs = Array.from({ length: count }, (_, at) => `${env[`GIT_CONFIG_KEY_${at}`]}=${env[`GIT_CONFIG_VALUE_${at}`]}`)
    for (const pair of ["core.fsmonitor=false", "core.hooksPath=/dev/null", "safe.directory=/ws", "core.autocrlf=true", "filter.lfs.clean=", "filter.a.b=c.process=", "filter.a.b=c.required=false"]) {
      assert.include(pairs, pair)
    }
  })
})
