import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import type { FileFault, Info, TextFile } from "../../services/Files.js"
import { Change, Files } from "../../services/Files.js"
import { Jail } from "../../services/Jail.js"
import { renamed, unified } from "../text/diff.js"
import type { Operation, Patch } from "../text/patch/operation.js"
import type { Outcome, Outcomes } from "../text/patch/outcome.js"
import { outcomes, readsOf } from "../text/patch/outcome.js"
import { parsePatch, patchPaths } from "../text/patch.js"
import * as Tool from "../Tool.js"
import { inOrder } from "./patchOrder.js"
import { report } from "./patchReport.js"

/** A patch of which a part does not fit. No file was changed. */
export class PatchRefused extends Schema.TaggedError<PatchRefused>()("PatchRefused", { problem: Schema.String }) {
  override get message() {
    const [first, ...more] = this.problem.split("\n")
    return [`${first}${first?.endsWith(".") === true ? "" : "."} No file was changed.`, ...more].join("\n")
  }
}
const refuse = (problem: string) => new PatchRefused({ problem })

/** The patch with its paths as the workspace spells them, so that one file has one name. */
const normalised = Effect.fnUntraced(function*(text: string) {
  const jail = yield* Jail
  const patch = yield* Either.mapLeft(parsePatch(text), refuse)
  return yield* Effect.forEach(patch, (operation): Effect.Effect<Operation, FileFault> =>
    Effect.flatMap(jail.relative(operation.path), (path) =>
      operation.kind === "add" || operation.kind === "delete" || operation.to === null
        ? Effect.succeed({ ...operation, path })
        : Effect.map(jail.relative(operation.to), (to) => ({ ...operation, path, to }))))
})

interface Followed extends Outcomes {
  readonly files: ReadonlyArray<Outcome>
  readonly sources: ReadonlyMap<string, TextFile>
}

/** Reads what the patch needs and follows it, changing nothing. */
const follow = Effect.fnUntraced(function*<E>(patch: Patch, read: (path: string) => Effect.Effect<TextFile, E>) {
  const sources = new Map<string, TextFile>()
  for (const path of readsOf(patch)) sources.set(path, yield* read(path))
  // A patch may show a byte order mark at the start of a file's first line; the text of a file has none.
  const bare = patch.map((operation) => sources.get(operation.path)?.bom === true ? withoutMark(operation) : operation)
  const { files, notes } = yield* Either.mapLeft(outcomes(bare, (path) => sources.get(path)?.text), refuse)
  const followed: Followed = { files, notes, sources }
  return followed
})

const withoutMark = (operation: Operation): Operation =>
  operation.kind === "add" ? operation : {
    ...operation,
    hunks: operation.hunks.map((hunk) => ({
      ...hunk,
      lines: hunk.lines.map((line) => line.text.startsWith("\uFEFF") ? { ...line, text: line.text.slice(1) } : line)
    }))
  }

/** The new file that a copy makes: with the mode and the byte order mark of what it is a copy of. */
const copied = Effect.fnUntraced(function*<E>(
  file: Outcome & { readonly kind: "added" },
  like: TextFile | undefined,
  stat: (path: string) => Effect.Effect<Info, E>
) {
  const { copyOf, mode, path, text } = file
  if (copyOf === null || like === undefined) return Change.Create({ path, text, ...(mode === null ? {} : { mode }) })
  if (like.encoding !== "utf-8") return yield* refuse(`${copyOf} is ${like.encoding}, which can't be copied by a patch`)
  return Change.Create({ path, text: like.bom ? `\uFEFF${text}` : text, mode: mode ?? (yield* stat(copyOf)).mode })
})

/** As one transaction's changes: content first, then removals, moves into what is free, new files. */
const changesOf = Effect.fnUntraced(function*<E>({ files, sources }: Followed, stat: (path: string) => Effect.Effect<Info, E>) {
  const rewrites: Array<Change> = []
  const moves: Array<{ readonly from: string; readonly to: string }> = []
  for (const file of files) {
    if (file.kind !== "changed") continue
    const like = sources.get(file.from)
    const text = file.text ?? like?.text
    if (like !== undefined && text !== undefined && (text !== like.text || file.mode !== null)) {
      rewrites.push(Change.Rewrite({ like, text, ...(file.mode === null ? {} : { mode: file.mode }) }))
    }
    if (file.from !== file.path) moves.push({ from: file.from, to: file.path })
  }
  const ordered = yield* Either.mapLeft(inOrder(moves), refuse)
  const created = yield* Effect.forEach(files.flatMap((file) => file.kind === "added" ? [file] : []), (file) =>
    copied(file, file.copyOf === null ? undefined : sources.get(file.copyOf), stat))
  return [
    ...rewrites,
    ...files.flatMap((file) => file.kind === "deleted" ? [Change.Remove({ path: file.path })] : []),
    ...ordered.map((move) => Change.Move(move)),
    ...created
  ]
})

const previewOf = ({ files, sources }: Followed): string =>
  files.map((file) => {
    if (file.kind === "added") return unified(null, file)
    if (file.kind === "deleted") return `deleted file ${file.path}\n`
    const before = sources.get(file.from)
    const move = file.from === file.path ? "" : renamed(file.from, file.path)
    return before === undefined || file.text === null ? move : move + unified(before, { path: file.path, text: file.text })
  }).join("")

const patchText = Schema.String.pipe(Schema.filter((text) =>
  Either.match(parsePatch(text), { onLeft: (problem) => `The patch can't be read: ${problem}`, onRight: () => true })))

export const applyPatch = Tool.make({
  name: "apply_patch",
  set: "edit-plus",
  description: "Change several files, all or none. An envelope: *** Begin Patch, then for each file *** Add File: path (every line with +), "
    + "*** Update File: path (*** Move to: path if it moves; hunks of @@ and lines with a space, - or + before them) or "
    + "*** Delete File: path, then *** End Patch. Or a unified diff.",
  input: Schema.Struct({ patch: patchText }),
  touches: "writes",
  subjects: ({ patch }) => Either.match(parsePatch(patch), { onLeft: () => ["*"], onRight: (read) => patchPaths(read).map((path) => ({ path })) }),
  preview: Effect.fn("apply_patch.preview")(function*({ patch }) {
    return previewOf(yield* follow(yield* normalised(patch), (yield* Files).look))
  }),
  body: Effect.fn("apply_patch")(function*({ patch }) {
    const operations = yield* normalised(patch)
    const { notes, value } = yield* (yield* Files).transact(patchPaths(operations), (held) =>
      Effect.gen(function*() {
        const followed = yield* follow(operations, (path) =>
          held.read(path).pipe(Effect.catchTag("NoSuchFile", (error) => refuse(error.message))))
        return { changes: yield* changesOf(followed, held.stat), value: report(followed.files, (path) => followed.sources.get(path)?.text, followed.notes) }
      }))
    return [value, ...notes].join("\n")
  })
})
