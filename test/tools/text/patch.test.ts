import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import type { Patch } from "../../../src/tools/text/patch/operation.js"
import { outcomes, readsOf } from "../../../src/tools/text/patch/outcome.js"
import { parsePatch, patchPaths } from "../../../src/tools/text/patch.js"

type Tree = Readonly<Record<string, string>>

const parsed = (text: string): Patch => Either.getOrThrowWith(parsePatch(text), (problem) => new Error(problem))
const problemOf = (text: string) => Either.match(parsePatch(text), { onLeft: (problem) => problem, onRight: () => "" })

/** The tree after the patch; what was read is checked to be declared. */
const applied = (tree: Tree, text: string): { readonly tree: Tree; readonly notes: ReadonlyArray<string> } => {
  const patch = parsed(text)
  const reads = readsOf(patch)
  const result = outcomes(patch, (path) => reads.has(path) ? tree[path] : undefined)
  const { files, notes } = Either.getOrThrowWith(result, (problem) => new Error(problem))
  const after = new Map(Object.entries(tree))
  for (const file of files) {
    if (file.kind === "deleted") after.delete(file.path)
    if (file.kind === "changed" && file.from !== file.path) after.delete(file.from)
  }
  for (const file of files) {
    if (file.kind === "added") after.set(file.path, file.text)
    if (file.kind === "changed") after.set(file.path, file.text ?? tree[file.from] ?? "")
  }
  return { tree: Object.fromEntries(after), notes }
}
const refusal = (tree: Tree, text: string): string => {
  const patch = parsed(text)
  return Either.match(outcomes(patch, (path) => tree[path]), { onLeft: (problem) => problem, onRight: () => "" })
}
const envelope = (...lines: ReadonlyArray<string>) => ["*** Begin Patch", ...lines, "*** End Patch", ""].join("\n")

describe("an envelope", () => {
  it("adds, updates, moves and deletes", () => {
    const { tree, notes } = applied(
      { "a.txt": "a1\na2\n", "b.txt": "b\n", "f.txt": "f\ng\n", "same.txt": "kept" },
      envelope(
        "*** Update File: a.txt", "@@", "-a1", "+A1", " a2", "*** Delete File: b.txt", "*** Add File: c/new.txt", "+fresh", "+",
        "*** Update File: f.txt", "*** Move to: g.txt", "@@", "-f", "+F", "*** Update File: same.txt", "*** Move to: d/same.txt"
      )
    )
    assert.deepStrictEqual(tree, { "a.txt": "A1\na2\n", "c/new.txt": "fresh\n\n", "g.txt": "F\ng\n", "d/same.txt": "kept" })
    assert.deepStrictEqual(notes, [])
  })

  it("names every path, targets of moves included", () => {
    const patch = parsed(envelope("*** Add File: a b.txt", "*** Update File: c", "*** Move to: d", "*** Delete File: e", "*** Update File: c2", "+x"))
    assert.deepStrictEqual(patchPaths(patch), ["a b.txt", "c", "d", "e", "c2"])
  })

  it("takes no content line for a marker", () => {
    const { tree } = applied(
      { "format.md": "intro\n*** End Patch\nold tail\n" },
      envelope(
        "*** Add File: doc.md", "+first", "+*** End Patch", "+*** Add File: sneaky.txt", "+last", "*** Update File: format.md", "@@", " intro",
        " *** End Patch", "-old tail", "+new tail"
      )
    )
    assert.deepStrictEqual(tree, {
      "doc.md": "first\n*** End Patch\n*** Add File: sneaky.txt\nlast\n",
      "format.md": "intro\n*** End Patch\nnew tail\n"
    })
  })

  it("is found in what models put around it", () => {
    const expected = { "a": "x\n" }
    for (
      const text of [
        envelope("*** Add File: a", "+x").trimEnd(),
        `\n\n${envelope("*** Add File: a", "+x")}\n\n`,
        `\`\`\`diff\n${envelope("*** Add File: a", "+x")}\`\`\``,
        `apply_patch <<'EOF'\n${envelope("*** Add File: a", "+x")}EOF\n`,
        `cat <<"PATCH" | apply_patch\n${envelope("*** Add File: a", "+x")}PATCH`,
        "*** Add File: a\n+x\n",
        "*** Begin Patch \n*** Add File: a  \n+x\n\n*** End Patch  ",
        envelope("*** Add File: a", "+x").replaceAll("\n", "\r\n"),
        envelope("--- /dev/null", "+++ b/a", "@@ -0,0 +1 @@", "+x")
      ]
    ) assert.deepStrictEqual(applied({}, text).tree, expected, text)
  })

  it("takes blank lines without a prefix for context, and between parts for nothing", () => {
    const file = { a: "one\n\ntwo\n", b: "x\n" }
    const patch = envelope("*** Update File: a", "@@", " one", "", "-two", "+TWO", "", "*** Update File: b", "-x", "+y", "")
    assert.deepStrictEqual(applied(file, patch).tree, { a: "one\n\nTWO\n", b: "y\n" })
    assert.deepStrictEqual(applied({}, envelope("*** Add File: a", "+1", "", "+2", "")).tree, { a: "1\n\n2\n" })
  })

  it("takes unified headers inside of a section", () => {
    const patch = envelope("*** Update File: a", "--- a/a", "+++ b/a", "@@ -2,1 +2,1 @@ function f", "-x", "+y")
    assert.deepStrictEqual(applied({ a: "x\nx\nx\n" }, patch).tree, { a: "x\ny\nx\n" })
  })

  it("finds the place below its @@ lines", () => {
    const file = "class A\n  def run\n    go 1\n  def stop\n    go 2\nclass B\n  def run\n    go 1\n  def stop\n    go 2\n"
    const nested = envelope("*** Update File: a", "@@ class B", "@@   def run", "-    go 1", "+    go 9")
    assert.strictEqual(applied({ a: file }, nested).tree["a"], file.replace(/go 1(?=[^1]*$)/, "go 9"))
    const partly = envelope("*** Update File: a", "@@ class A", "-    go 2", "+    go 9")
    assert.strictEqual(applied({ a: file }, partly).tree["a"], file.replace("go 2", "go 9"))
    const below = envelope("*** Update File: a", "@@ class B", "+  # note")
    assert.strictEqual(applied({ a: file }, below).tree["a"], file.replace("class B\n", "class B\n  # note\n"))
    assert.include(refusal({ a: file }, envelope("*** Update File: a", "@@   def run", "-    go 1", "+    go 9")), "lines 3 and 8")
    assert.include(refusal({ a: file }, envelope("*** Update File: a", "@@   def run", "+    go 9")), "lines 2 and 7")
    assert.include(refusal({ a: file }, envelope("*** Update File: a", "@@ class C", "+x")), "no line of the file matches @@ class C")
  })

  it("refuses context that is in several places, and names the lines", () => {
    const message = refusal({ "src/a": "x\ny\nx\ny\nx\n" }, envelope("*** Update File: src/a", "@@", " x", "-y", "+z"))
    assert.strictEqual(
      message,
      "src/a, hunk 1 (line 3 of the patch): its context is at lines 1 and 3, so its place is ambiguous. Add context lines, or a @@ line above them, that only one place has"
    )
    const atEnd = envelope("*** Update File: a", "@@", "-x", "+z", "*** End of File")
    assert.strictEqual(applied({ a: "x\ny\nx\n" }, atEnd).tree["a"], "x\ny\nz\n")
  })

  it("finds a place by ignoring trailing, then all white space, and reports it", () => {
    const trailing = applied({ a: "one  \ntwo\n" }, envelope("*** Update File: a", "@@", " one", "-two", "+2"))
    assert.deepStrictEqual(trailing, { tree: { a: "one  \n2\n" }, notes: ["a, hunk 1 at line 1: found by ignoring trailing white space"] })
    const all = applied({ a: "\tif (x) {\n\t\ty()\n\t}\n" }, envelope("*** Update File: a", "@@", "   if (x) {", "-    y()", "+\t\tz()", "   }"))
    assert.deepStrictEqual(all, { tree: { a: "\tif (x) {\n\t\tz()\n\t}\n" }, notes: ["a, hunk 1 at line 1: found by ignoring all white space"] })
    const exactFirst = applied({ a: "x \nx\n" }, envelope("*** Update File: a", "-x", "+y"))
    assert.deepStrictEqual(exactFirst, { tree: { a: "x \ny\n" }, notes: [] })
  })

  it("keeps line endings, each untouched line's in a mixed file too", () => {
    const patch = envelope("*** Update File: a", "@@", " a", "-b", "+B", "+B2", " c")
    assert.strictEqual(applied({ a: "a\r\nb\r\nc\r\nd\r\n" }, patch).tree["a"], "a\r\nB\r\nB2\r\nc\r\nd\r\n")
    assert.strictEqual(applied({ a: "a\r\nb\nc\r\nd\n" }, patch).tree["a"], "a\r\nB\nB2\nc\r\nd\n")
    assert.strictEqual(applied({ a: "a\nb\nc\r\n" }, envelope("*** Update File: a", "@@", " c", "+d")).tree["a"], "a\nb\nc\r\nd\r\n")
  })

  it("keeps the final newline or its absence and never glues", () => {
    const patch = envelope("*** Update File: a", "@@", " world", "+tail")
    assert.strictEqual(applied({ a: "hello\nworld" }, patch).tree["a"], "hello\nworld\ntail")
    assert.strictEqual(applied({ a: "hello\nworld\n" }, patch).tree["a"], "hello\nworld\ntail\n")
    assert.strictEqual(applied({ a: "hello\nworld" }, envelope("*** Update File: a", "@@", " hello", "-world")).tree["a"], "hello")
    assert.strictEqual(applied({ a: "x" }, envelope("*** Update File: a", "+y")).tree["a"], "x\ny")
    assert.strictEqual(applied({ a: "" }, envelope("*** Update File: a", "+y")).tree["a"], "y\n")
    assert.strictEqual(applied({ a: "x" }, envelope("*** Update File: a", "-x")).tree["a"], "")
  })

  it("may update one file in two parts, move it, and make a deleted one anew", () => {
    const twice = envelope("*** Update File: a", "-1", "+one", "*** Update File: a", " one", "+two", "*** Update File: a", "*** Move to: b")
    assert.deepStrictEqual(applied({ a: "1\n" }, twice).tree, { b: "one\ntwo\n" })
    assert.deepStrictEqual(applied({ a: "1\n" }, envelope("*** Delete File: a", "*** Add File: a", "+2")).tree, { a: "2\n" })
    const chain = envelope("*** Update File: b", "*** Move to: c", "*** Update File: a", "*** Move to: b")
    assert.deepStrictEqual(applied({ a: "1\n", b: "2\n" }, chain).tree, { b: "1\n", c: "2\n" })
    const refill = envelope("*** Update File: a", "*** Move to: b", "*** Add File: a", "+2")
    assert.deepStrictEqual(applied({ a: "1\n" }, refill).tree, { a: "2\n", b: "1\n" })
    const replaced = envelope("*** Delete File: b", "*** Update File: a", "*** Move to: b")
    assert.deepStrictEqual(applied({ a: "1\n", b: "2\n" }, replaced).tree, { b: "1\n" })
    assert.deepStrictEqual(applied({ a: "1\n" }, envelope("*** Update File: a", "*** Move to: a", "-1", "+2")).tree, { a: "2\n" })
  })

  it("refuses parts that contradict each other", () => {
    assert.include(refusal({ a: "1\n" }, envelope("*** Delete File: a", "*** Update File: a", "-1", "+2")), "line 3 of the patch: a was deleted or moved")
    assert.include(refusal({}, envelope("*** Add File: a", "+1", "*** Add File: a", "+2")), "a is in an earlier part of the patch too")
    assert.include(refusal({ b: "" }, envelope("*** Add File: a", "+1", "*** Update File: b", "*** Move to: a")), "a is in an earlier part")
    assert.include(refusal({ a: "1\n2\n3\n" }, envelope("*** Update File: a", "@@", " 1", "-2", "@@", "-2", " 3")), "overlaps a hunk above")
  })

  it("shows what is nearest to lines that are not there", () => {
    const message = refusal({ "e.txt": "first value\nsecond value\n" }, envelope("*** Update File: e.txt", "@@", "-second valeu", "+x"))
    assert.strictEqual(
      message,
      "e.txt, hunk 1 (line 3 of the patch): its context and removed lines are not in the file.\nMost similar:\n2: second value"
    )
    assert.include(refusal({ a: "const other = 1\n" }, envelope("*** Update File: a", "-const one = 1", "+const other = 1")), "already there, at line 1")
  })

  it("says by line what it can't read", () => {
    assert.strictEqual(problemOf("hello"), "it has neither a `*** Begin Patch` envelope nor the `---` and `+++` lines of a unified diff")
    assert.strictEqual(problemOf("*** Begin Patch\n*** Add File: a\n+x\n"), "it has no *** End Patch line, so it may have been cut short")
    assert.strictEqual(problemOf("*** Begin Patch\n*** End Patch"), "it names no file")
    assert.include(problemOf(envelope("*** Add File: a", "x")), "line 3 of the patch: under *** Add File: every line begins with +")
    assert.include(problemOf(envelope("*** Update File: a", "@@", "x")), "line 4 of the patch: a line of a hunk begins with")
    assert.include(problemOf(envelope("*** Update File: a")), "changes nothing")
    assert.include(problemOf(envelope("*** Update File: a", "@@", " x")), "changes nothing")
    assert.include(problemOf(envelope("*** Update File:", "+x")), "names no file")
    assert.include(problemOf(envelope("*** Update File: a", "*** Move to:")), "names no path")
    assert.include(problemOf(envelope("*** Delete File: a", "-x")), "nothing follows *** Delete File: a")
    assert.include(problemOf(envelope("*** Rename File: a")), "expected *** Add File:")
    assert.include(problemOf(envelope("*** Update File: a", "+x", "*** Rename to: b")), "unknown or misplaced marker")
    assert.include(problemOf(`${envelope("*** Add File: a", "+x")}*** Add File: b\n+y\n`), "line 5 of the patch: text outside")
    assert.include(problemOf(`And then some prose.\n${envelope("*** Add File: a", "+x")}`), "line 1 of the patch: text outside")
  })
})

describe("a unified diff", () => {
  it("is told apart by itself and changes, makes, deletes and renames files", () => {
    const { tree, notes } = applied(
      { "a.txt": "1\n2\n3\n", "old name.txt": "x\ny\nz\n", "gone.txt": "bye\n", "r.txt": "r\n" },
      [
        "diff --git a/a.txt b/a.txt", "index 01e79c3..48d4ccb 100644", "--- a/a.txt", "+++ b/a.txt", "@@ -1,3 +1,3 @@", " 1", "-2", "+two", " 3",
        "diff --git a/gone.txt b/gone.txt", "deleted file mode 100644", "index b023018..0000000", "--- a/gone.txt", "+++ /dev/null", "@@ -1 +0,0 @@", "-bye",
        "diff --git a/new.txt b/new.txt", "new file mode 100755", "index 0000000..587be6b", "--- /dev/null", "+++ b/new.txt", "@@ -0,0 +1 @@", "+n",
        "diff --git a/empty b/empty", "new file mode 100644", "index 0000000..e69de29",
        "diff --git a/old name.txt b/new name.txt", "similarity index 66%", "rename from old name.txt", "rename to new name.txt",
        "--- a/old name.txt\t", "+++ b/new name.txt\t", "@@ -1,3 +1,3 @@", " x", "-y", "+Y", " z",
        "diff --git a/r.txt b/s.txt", "similarity index 100%", "rename from r.txt", "rename to s.txt", ""
      ].join("\n")
    )
    assert.deepStrictEqual(tree, { "a.txt": "1\ntwo\n3\n", "new.txt": "n\n", "empty": "", "new name.txt": "x\nY\nz\n", "s.txt": "r\n" })
    assert.deepStrictEqual(notes, [])
  })

  it("needs neither git's lines nor prefixes", () => {
    assert.deepStrictEqual(applied({ "src/a": "1\n" }, "--- src/a\t2024-01-01 10:00:00\n+++ src/a\t2024-01-02 10:00:00\n@@ -1 +1 @@\n-1\n+2\n").tree, { "src/a": "2\n" })
    assert.deepStrictEqual(applied({ "b/a": "1\n" }, "diff --git b/a b/a\n--- b/a\n+++ b/a\n@@ -1 +1 @@\n-1\n+2\n").tree, { "b/a": "2\n" })
    assert.deepStrictEqual(applied({ "a": "1\n" }, "diff --git i/a w/a\n--- i/a\n+++ w/a\n@@ -1 +1 @@\n-1\n+2\n").tree, { "a": "2\n" })
  })

  it("reads quoted names", () => {
    const text = "diff --git \"a/t\\303\\244\\\"\\n.txt\" \"b/t\\303\\244\\\"\\n.txt\"\n--- \"a/t\\303\\244\\\"\\n.txt\"\n+++ \"b/t\\303\\244\\\"\\n.txt\"\n@@ -1 +1 @@\n-1\n+2\n"
    assert.deepStrictEqual(patchPaths(parsed(text)), ["tä\"\n.txt"])
  })

  it("counts lines, so that content may look like headers", () => {
    const text = "--- a/q.sql\n+++ b/q.sql\n@@ -1,2 +1,2 @@\n--- a comment\n-+++ x\n+++ b comment\n+@@ y\n"
    assert.deepStrictEqual(applied({ "q.sql": "-- a comment\n+++ x\n" }, text).tree, { "q.sql": "++ b comment\n@@ y\n" })
  })

  it("is read with wrong or missing counts too", () => {
    const file = { a: "1\n2\n3\n4\n5\n6\n7\n8\n" }
    const wrong = "--- a/a\n+++ b/a\n@@ -1,9 +1,2 @@\n 1\n-2\n+two\n 3\n@@ -6,1 +6,1 @@\n 6\n-7\n+seven\n"
    assert.strictEqual(applied(file, wrong).tree["a"], "1\ntwo\n3\n4\n5\n6\nseven\n8\n")
    assert.strictEqual(applied(file, "--- a/a\n+++ b/a\n@@\n 1\n-2\n+two\n").tree["a"], "1\ntwo\n3\n4\n5\n6\n7\n8\n")
    assert.strictEqual(applied(file, "```diff\n--- a/a\n+++ b/a\n@@ ... @@\n-8\n+eight\n```\n").tree["a"], "1\n2\n3\n4\n5\n6\n7\neight\n")
  })

  it("uses line numbers to choose between places, and reports one found elsewhere", () => {
    const file = { a: "x\ny\nx\ny\nx\ny\n" }
    assert.deepStrictEqual(applied(file, "--- a/a\n+++ b/a\n@@ -3,2 +3,2 @@\n x\n-y\n+z\n"), { tree: { a: "x\ny\nx\nz\nx\ny\n" }, notes: [] })
    assert.include(refusal(file, "--- a/a\n+++ b/a\n@@ -2,2 +2,2 @@\n x\n-y\n+z\n"), "lines 1 and 3")
    const far = applied({ a: "1\n2\n3\n4\nx\n" }, "--- a/a\n+++ b/a\n@@ -1 +1 @@\n-x\n+z\n")
    assert.deepStrictEqual(far, { tree: { a: "1\n2\n3\n4\nz\n" }, notes: ["a, hunk 1 at line 5: found at line 5, not 1"] })
    const drifted = applied({ a: "new\nx\ny\nx\ny\nq\nx\ny\n" }, "--- a/a\n+++ b/a\n@@ -5,1 +5,1 @@\n-q\n+Q\n@@ -6,2 +6,2 @@\n x\n-y\n+z\n")
    assert.strictEqual(drifted.tree["a"], "new\nx\ny\nx\ny\nQ\nx\nz\n")
  })

  it("follows the marks about the final newline", () => {
    const patch = (...lines: ReadonlyArray<string>) => `--- a/a\n+++ b/a\n${lines.join("\n")}\n`
    const none = "\\ No newline at end of file"
    assert.strictEqual(applied({ a: "1\n2" }, patch("@@ -1,2 +1,2 @@", " 1", "-2", none, "+3")).tree["a"], "1\n3\n")
    assert.strictEqual(applied({ a: "1\n2\n" }, patch("@@ -1,2 +1,2 @@", " 1", "-2", "+3", none)).tree["a"], "1\n3")
    assert.strictEqual(applied({ a: "1\n2" }, patch("@@ -1,2 +1,2 @@", "-1", "+0", " 2", none)).tree["a"], "0\n2")
    assert.strictEqual(applied({}, "--- /dev/null\n+++ b/a\n@@ -0,0 +1 @@\n+x\n\\ No newline at end of file\n").tree["a"], "x")
  })

  it("takes endings from a patch that has them, else from around", () => {
    assert.strictEqual(applied({ a: "1\n2\n" }, "--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n-1\n+1\r\n 2\n").tree["a"], "1\r\n2\n")
    assert.strictEqual(applied({ a: "1\r\n2\r\n" }, "--- a/a\n+++ b/a\n@@ -1,2 +1,3 @@\n 1\n+x\n 2\n").tree["a"], "1\r\nx\r\n2\r\n")
    assert.strictEqual(applied({ a: "1\n2\n" }, "--- a/a\r\n+++ b/a\r\n@@ -1,2 +1,3 @@\r\n 1\r\n+x\r\n 2\r\n").tree["a"], "1\nx\n2\n")
  })

  it("passes over what stands around it in a mail", () => {
    const text = "From 1234 Mon Sep 17 00:00:00 2001\nSubject: [PATCH] x\n\n---\n a | 2 +-\n\ndiff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-1\n+2\n-- \n2.39.5\n\n"
    assert.deepStrictEqual(applied({ a: "1\n" }, text).tree, { a: "2\n" })
  })

  it("copies a file", () => {
    const text = "diff --git a/a b/b\nsimilarity index 50%\ncopy from a\ncopy to b\n--- a/a\n+++ b/b\n@@ -1,2 +1,2 @@\n-1\n+one\n 2\n"
    assert.deepStrictEqual(applied({ a: "1\n2\n" }, text).tree, { a: "1\n2\n", b: "one\n2\n" })
  })

  it("takes copies and renames from the files as they were before all of it", () => {
    const edit = (path: string) => `diff --git a/${path} b/${path}\nindex 1..2 100644\n--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-1\n+2\n`
    const copy = "diff --git a/a b/b\nsimilarity index 100%\ncopy from a\ncopy to b\n"
    const move = "diff --git a/a b/c\nsimilarity index 100%\nrename from a\nrename to c\n"
    assert.deepStrictEqual(applied({ a: "1\n" }, edit("a") + copy).tree, { a: "2\n", b: "1\n" })
    assert.deepStrictEqual(applied({ a: "1\n" }, move + copy).tree, { b: "1\n", c: "1\n" })
    const swap = "diff --git a/a b/b\nrename from a\nrename to b\ndiff --git a/b b/a\nrename from b\nrename to a\n"
    assert.deepStrictEqual(applied({ a: "1\n", b: "2\n" }, swap).tree, { a: "2\n", b: "1\n" })
  })

  it("takes a second part for the same file after the first", () => {
    const part = (before: string, after: string) => `--- a/a\n+++ b/a\n@@ -1 +1 @@\n-${before}\n+${after}\n`
    assert.deepStrictEqual(applied({ a: "1\n" }, part("1", "2") + part("2", "3")).tree, { a: "3\n" })
  })

  it("checks that a deleted file has just the content that the patch deletes", () => {
    const text = "--- a/a\n+++ /dev/null\n@@ -1 +0,0 @@\n-1\n"
    assert.deepStrictEqual(applied({ a: "1\n" }, text).tree, {})
    assert.include(refusal({ a: "1\n2\n" }, text), "a has more content than the patch deletes")
  })

  it("refuses binaries, links, submodules and what it can't read, by line", () => {
    assert.include(problemOf("diff --git a/x b/x\nBinary files a/x and b/x differ\n"), "x is binary")
    assert.include(problemOf("diff --git a/x b/x\nnew file mode 120000\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+target\n\\ No newline at end of file\n"), "link or a submodule")
    assert.include(problemOf("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-1\n+2\nwhat is this\n"), "line 6 of the patch")
    assert.include(problemOf("--- a/x\n+++ b/x\n"), "x has no hunk that changes anything")
    assert.include(problemOf("--- /dev/null\n+++ b/x\n@@ -0,0 +1,2 @@\n+a\n b\n"), "all of its lines begin with +")
  })
})
