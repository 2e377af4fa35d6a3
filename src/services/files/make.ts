import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Call } from "../Call.js"
import { Disk } from "../Disk.js"
import { makeWalk } from "../disk/walk.js"
import type { Done, FileFault, Held, Info, Plan, TextFile } from "../Files.js"
import { BinaryFile, Files, ForeignEncoding, NoSuchFile } from "../Files.js"
import { Home } from "../Home.js"
import { Jail } from "../Jail.js"
import type { Committed, Goal } from "../Journal.js"
import { Journal } from "../Journal.js"
import { hashOf } from "../journal/stage.js"
import { Secrets } from "../Secrets.js"
import type { ReadHere } from "./draft.js"
import { disownedNote, makeDraft } from "./draft.js"
import { decode } from "./encoding.js"
import { faultOfCommit } from "./faults.js"
import { planOverwrite } from "./overwrite.js"
import type { Opened, Reads } from "./reader.js"
import { bytesOf, countLines, inWords, openContent, readWhole, refuseDenied, windowOf } from "./reader.js"
import type { SeenFiles, Sight } from "./seen.js"
import { makeSeen } from "./seen.js"

const statIn = Effect.fnUntraced(function*({ jail, walk }: Reads, given: string) {
  const path = yield* jail.relative(given)
  const { stat } = yield* walk.to(given, false).pipe(inWords(path, "look at"))
  if (stat === null) return yield* new NoSuchFile({ path })
  const { hardLinks, identity, kind, mode, modified, size } = stat
  const info: Info = { path, kind, size, modified, mode, hardLinks, identity }
  return info
}, Effect.scoped)

/** A whole file as text, with what tells later whether it has changed. */
const readText = Effect.fnUntraced(function*(reads: Reads, opened: Opened) {
  const { path } = opened
  const { bytes, stamp } = yield* readWhole(reads, opened).pipe(inWords(path, "read"))
  yield* refuseDenied(reads, opened)
  const decoded = decode(bytes)
  if (decoded.is === "binary") return yield* new BinaryFile({ path, size: bytes.length })
  if (decoded.is === "foreign") return yield* new ForeignEncoding({ path, encoding: decoded.encoding })
  const { bom, encoding, text } = decoded
  const sight: Sight = { stamp, hash: hashOf(bytes) }
  return { file: { path, text, encoding, bom }, at: opened.spot.path, sight }
})

const readAt = Effect.fnUntraced(function*(reads: Reads, seen: SeenFiles, given: string) {
  const { at, file, sight } = yield* Effect.flatMap(openContent(reads, given), (opened) => readText(reads, opened))
  const text: TextFile = { ...file, changedSinceSeen: seen.hasChanged(at, sight) }
  return { text, at, sight }
}, Effect.scoped)

/** The paths to lock: of the name itself, and of where it leads. */
const places = Effect.fnUntraced(function*({ jail, walk }: Reads, given: string) {
  const relative = yield* jail.relative(given)
  const named = yield* Effect.catchTag(walk.to(given, false), "DiskFault", () => Effect.succeed(null))
  if (named === null) return [relative]
  if (named.stat?.kind !== "link") return [named.path]
  // Where a link leads out of the workspace, it can still be removed or moved itself.
  const target = yield* Effect.catchAll(walk.to(given, true), () => Effect.succeed(named))
  return [named.path, target.path]
}, Effect.scoped)

interface Writes extends Reads {
  readonly home: string
  readonly seen: SeenFiles
  readonly journal: Context.Tag.Service<Journal>
}

/** Makes the changes and remembers what is there now as seen. Gives notes. */
const commit = Effect.fnUntraced(function*(
  { journal, seen }: Writes,
  goals: ReadonlyArray<Goal>,
  shown: (path: string) => string
) {
  const none: Committed = { disowned: [], stamps: new Map() }
  const { turn } = yield* Call
  const done = goals.length === 0
    ? none
    : yield* Effect.mapError(journal.commit(goals, { turn }), faultOfCommit(shown))
  for (const { path, want } of goals) if (want.is === "moved") seen.move(want.from, path)
  for (const { path, want } of goals) {
    const stamp = done.stamps.get(path)
    if (want.is === "nothing") seen.forget(path)
    if (want.is === "content" && stamp !== undefined) seen.mark(path, { stamp, hash: hashOf(want.bytes) })
  }
  return [...done.disowned.map((path) => disownedNote(shown(path))), ...yield* journal.news]
})

const runPlan = Effect.fnUntraced(function*<A, E, R>(
  writes: Writes,
  plan: (held: Held) => Effect.Effect<Plan<A>, E, R>
) {
  const read = new Map<string, ReadHere>()
  const held: Held = {
    stat: (path) => statIn(writes, path),
    read: (path) =>
      Effect.map(readAt(writes, writes.seen, path), ({ sight, text }) => {
        read.set(text.path, { stamp: sight.stamp, changedSinceSeen: text.changedSinceSeen })
        return text
      })
  }
  const { changes, value } = yield* plan(held)
  const draft = makeDraft({ ...writes, read })
  yield* Effect.scoped(Effect.forEach(changes, draft.add, { discard: true }))
  const notes = yield* commit(writes, draft.goals(), draft.shown)
  const done: Done<A> = { value, notes: [...draft.notes, ...notes] }
  return done
})

const overwrite = Effect.fnUntraced(function*(writes: Writes, given: string, text: string) {
  const path = yield* writes.jail.relative(given)
  const { goal, notes, old } = yield* planOverwrite(writes, { path, given, text })
  const more = yield* commit(writes, [goal], () => path)
  const done: Done<{ readonly path: string; readonly old: string | null }> = { value: { path, old }, notes: [...notes, ...more] }
  return done
})

/** Everything of the service, on whatever disk there is. */
export const FilesLayer = Layer.effect(Files, Effect.gen(function*() {
  const disk = yield* Disk
  const jail = yield* Jail
  const journal = yield* Journal
  const { folder } = yield* Home
  const home = yield* Effect.catchAll(disk.realPath(folder), () => Effect.succeed(folder))
  const reads: Reads = { disk, walk: makeWalk(disk, jail), jail, secrets: yield* Secrets }
  const seen = makeSeen()
  const writes: Writes = { ...reads, home, seen, journal }

  const locked = <A, E, R>(paths: ReadonlyArray<string>, run: Effect.Effect<A, E, R>): Effect.Effect<A, E | FileFault, R> =>
    Effect.flatMap(Effect.forEach(paths, (path) => places(reads, path)), (found) =>
      journal.locked(found.flat(), Effect.either(run)).pipe(
        Effect.mapError(faultOfCommit((path) => path)),
        Effect.flatten
      ))

  return Files.of({
    stat: (path) => statIn(reads, path),
    read: (path) =>
      Effect.map(readAt(reads, seen, path), ({ at, sight, text }) => {
        seen.mark(at, sight)
        return text
      }),
    look: (path) => Effect.map(readAt(reads, seen, path), ({ text }) => text),
    window: (path, window) =>
      Effect.map(windowOf(reads, path, window), ({ at, sight, ...shown }) => {
        seen.mark(at, sight)
        return shown
      }),
    countLines: (path) => countLines(reads, path),
    bytes: (path, limit) => bytesOf(reads, path, limit),
    transact: (paths, plan) => locked(paths, runPlan(writes, plan)),
    overwrite: (path, text) => locked([path], overwrite(writes, path, text))
  })
}))
