import * as fc from "effect/FastCheck"
import { lineText } from "../text/arbitraries.js"

export interface PlantedFile {
  readonly text: string
  readonly executable: boolean
}
/** By path below the tree's folder. */
export type FileTree = Readonly<Record<string, PlantedFile>>
export interface TreePair {
  readonly before: FileTree
  readonly after: FileTree
}

const names = [
  "a.txt", "b.txt", "src/app.ts", "src/deep/er/x.ts", "with space.txt", "täst 漢字.md", "quo\"te.txt", "tab\there", "-dash", "back\\slash", "new\nline",
  "a/b", "b/a", "empty", "dev/null", "x.tar.gz b/x.tar.gz"
]
type Line = readonly [text: string, ending: "\n" | "\r\n"]
const ending = fc.constantFrom<"\n" | "\r\n">("\n", "\r\n")
const line: fc.Arbitrary<Line> = fc.tuple(lineText, fc.oneof({ weight: 5, arbitrary: fc.constant<"\n" | "\r\n">("\n") }, { weight: 2, arbitrary: ending }))
const lines = fc.array(line, { maxLength: 24, size: "max" })

interface FileModel {
  readonly lines: ReadonlyArray<Line>
  readonly terminated: boolean
  readonly bom: boolean
  readonly executable: boolean
}
const model: fc.Arbitrary<FileModel> = fc.record({
  lines,
  terminated: fc.oneof({ weight: 3, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
  bom: fc.oneof({ weight: 9, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  executable: fc.boolean()
})
const planted = ({ bom, executable, lines, terminated }: FileModel): PlantedFile => {
  const text = lines.map(([text, end], index) => index === lines.length - 1 && !terminated ? text : text + end).join("")
  // An empty line at the very start would take the mark's line away.
  return { text: bom && text !== "" ? `\uFEFF${text}` : text, executable }
}

/** A few changes of lines: some replaced, removed, added, or with another ending. */
const changes = fc.array(fc.record({ at: fc.nat(30), gone: fc.nat(3), come: fc.array(line, { maxLength: 3 }) }), { maxLength: 4 })
const changed = (file: FileModel): fc.Arbitrary<FileModel> =>
  fc.record({ edits: changes, terminated: fc.oneof(fc.constant(file.terminated), fc.boolean()), executable: fc.oneof({ weight: 9, arbitrary: fc.constant(file.executable) }, { weight: 1, arbitrary: fc.boolean() }) })
    .map(({ edits, executable, terminated }) => {
      const now = [...file.lines]
      for (const { at, come, gone } of edits) now.splice(Math.min(at, now.length), gone, ...come)
      return { ...file, lines: now, terminated, executable }
    })

const fates = fc.constantFrom("changed", "changed", "changed", "kept", "deleted", "moved", "made")

/** A tree and what became of it: files changed, deleted, moved (with changes) and made. */
export const treePair: fc.Arbitrary<TreePair> = fc.tuple(
  fc.shuffledSubarray(names, { minLength: 6, maxLength: 10 }),
  fc.array(fc.record({ file: model, fate: fates }).chain((each) => fc.tuple(fc.constant(each), changed(each.file))), { minLength: 1, maxLength: 2 })
).map(([free, files]) => {
  const before: Record<string, PlantedFile> = {}
  const after: Record<string, PlantedFile> = {}
  files.forEach(([{ fate, file }, next], index) => {
    const [name = "a.txt", other = "b.txt"] = free.slice(index * 2)
    if (fate !== "made") before[name] = planted(file)
    if (fate === "kept") after[name] = planted(file)
    if (fate === "changed" || fate === "made") after[name] = planted(next)
    if (fate === "moved") after[other] = planted(next)
  })
  return withoutClashes({ before, after })
})

/** A name can't be a file in one tree and a folder in the same or the other. */
const withoutClashes = ({ after, before }: TreePair): TreePair => {
  const all = [...Object.keys(before), ...Object.keys(after)]
  const isFolder = (name: string) => all.some((other) => other.startsWith(`${name}/`))
  const clean = (tree: FileTree): FileTree => Object.fromEntries(Object.entries(tree).filter(([name]) => !isFolder(name)))
  return { before: clean(before), after: clean(after) }
}
