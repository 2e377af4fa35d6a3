import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { readdir, rm, stat, unlink, writeFile } from "node:fs/promises"
import { Call } from "../Call.js"
import { Commands } from "../Commands.js"
import { CommandsOnDemand } from "../command/onDemand.js"
import { makeProgram } from "../git/program.js"
import { readUser } from "../git/user.js"
import { Home } from "../Home.js"
import { Host } from "../Host.js"
import { Ids } from "../Ids.js"
import { Jail } from "../Jail.js"
import { Journal } from "../Journal.js"
import { Snapshots } from "../Snapshots.js"
import { appeared, changedSince, newFolders, stepsOf } from "./changes.js"
import { hold, isHeld, writeHeld } from "./held.js"
import { makeFindGround } from "./place.js"
import { isReadOnly } from "./readOnly.js"
import type { Shadow } from "./shadow.js"
import { openShadow } from "./shadow.js"
import type { Ground } from "./store.js"
import { StoreTrouble } from "./store.js"
import type { Known, Survey } from "./survey.js"
import { isUnchanged, makeLook, mayRead, mostBytes, sizeOf, surveyOf } from "./survey.js"
import { once } from "../once.js"

/** How long a look may take, before a command and after it. */
export const budgetMillis = 8_000
/** How often in a row that may take too long before it is given up. */
const mostTries = 2
const keptFor = 14 * 24 * 3_600_000
const pruneEvery = 24 * 3_600_000

const some = (paths: ReadonlyArray<string>) => paths.length > 5 ? `${paths.slice(0, 5).join(", ")} and ${paths.length - 5} more` : paths.join(", ")
const lostNote = (path: string) => `${path} was changed by a command, and its earlier content is not there any more.`
const leftNote = (path: string) => `${path} was changed by a command and is not put back: it was over 10 MB, or could not be read.`
const unsureNote = (path: string) => `${path} was ignored before, or came from elsewhere, and is left as the command left it.`
const noSnapshot = (why: string) => `Undo does not cover what this command changes: ${why}.`

/** The store as it is open now, and what is in it. */
interface Open {
  readonly ground: Ground
  readonly shadow: Shadow
  known: Known
}

/** The time as the file system has it, which clocks of programs differ from; marks the store as used on the way. */
const timeAt = (folder: string) =>
  Effect.tryPromise({
    try: async () => {
      const marker = `${folder}/used`
      await unlink(marker).catch(() => undefined)
      await writeFile(marker, "", { mode: 0o600 })
      return (await stat(marker, { bigint: true })).ctimeNs
    },
    catch: (cause) => new StoreTrouble({ cause })
  })

const isSamePlace = (one: Ground, other: Ground) => JSON.stringify(one) === JSON.stringify(other)

/** Brings the store up to date with a look at the workspace. Commands that run now may go on changing it meanwhile. */
const save = Effect.fnUntraced(function*({ ground, known, shadow }: Open, survey: Survey) {
  const look = makeLook(ground.root)
  const size = (path: string) => {
    const facts = survey.there.get(path)
    return facts === undefined ? 0 : sizeOf(facts)
  }
  const isKept = (path: string) =>
    size(path) <= mostBytes && (survey.there.get(path)?.is === "link" || mayRead(`${ground.root}/${path}`) || look(path) === null)
  const kept = survey.dirty.filter(isKept)
  const left = survey.dirty.filter((path) => !isKept(path))
  const dropped = left.filter((path) => known.there.has(path) && !known.left.has(path))
  const taken = dropped.length > 0 || known.began === 0n ? null : hold(ground.root, known.held, kept, survey.there)
  const all = [...new Set([...kept, ...[...known.held.keys()].filter((path) => survey.there.has(path) && !left.includes(path))])]
  const missed = taken?.missed ?? (yield* shadow.save([...survey.gone, ...dropped], all, size))
  const afterwards = makeLook(ground.root)
  const torn = new Set(kept.filter((path) => !isUnchanged(survey.there.get(path), afterwards(path))))
  const there = new Map(survey.there)
  for (const path of missed) if (torn.has(path) && !known.there.has(path)) there.delete(path)
  return { there, torn, held: taken?.held ?? new Map(), left: new Set([...left, ...missed.filter((path) => !torn.has(path))]) }
})

/** Writes contents as they are known into a folder; gives their names there. */
const writeKept = Effect.fnUntraced(function*({ known: { held }, shadow }: Open, paths: ReadonlyArray<string>, folder: string) {
  const own = yield* Effect.try({ try: () => writeHeld(held, paths, folder), catch: (cause) => new StoreTrouble({ cause }) })
  const others = paths.filter((path) => !held.has(path))
  return others.length === 0 ? own : new Map([...own, ...yield* shadow.write(others, folder)])
})

/** Removes stores that have not been used for long, and contents in this one. Once a day. */
const prune = Effect.fnUntraced(function*(shadow: Shadow, home: string) {
  const now = yield* Clock.currentTimeMillis
  const marker = `${home}/undo/pruned`
  const isDue = yield* Effect.promise(() => stat(marker).then(({ mtimeMs }) => now - mtimeMs > pruneEvery, () => true))
  if (!isDue) return
  yield* Effect.promise(async () => {
    await writeFile(marker, "", { mode: 0o600 })
    for (const name of await readdir(`${home}/undo`)) {
      if (name === "pruned") continue
      const folder = `${home}/undo/${name}`
      if (now - (await stat(`${folder}/used`)).mtimeMs > keptFor) await rm(folder, { recursive: true, force: true })
      // Runs that were killed leave their own index behind.
      for (const format of ["sha1", "sha256"]) {
        for (const own of (await readdir(`${folder}/${format}`).catch(() => [])).filter((each) => each.startsWith("index."))) {
          const file = `${folder}/${format}/${own}`
          if (now - (await stat(file)).mtimeMs > pruneEvery) await unlink(file)
        }
      }
    }
  }).pipe(Effect.catchAllDefect(() => Effect.void))
  yield* shadow.prune(now - keptFor)
})

/** The workspace's store, and looks at the workspace that bring it up to date. */
const makeKeeper = Effect.gen(function*() {
  const { env, homeFolder } = yield* Host
  const { root } = yield* Jail
  const journal = yield* Journal
  const home = (yield* Home).folder
  const own = yield* (yield* Ids).next
  const git = yield* makeProgram(root)
  const user = yield* once(readUser(git, env))
  const findGround = yield* makeFindGround(root, home)
  let open: Open | null = null
  yield* Effect.addFinalizer(() => open === null ? Effect.void : open.shadow.close)

  /** `among`: the others still rely on what is open. */
  const opened = Effect.fnUntraced(function*(among: boolean) {
    if (among && open !== null) return open
    const ground = yield* findGround
    if (open !== null && isSamePlace(open.ground, ground)) return open
    if (open !== null) yield* open.shadow.close
    const shadow = yield* openShadow(git, env, homeFolder, yield* user, ground, own)
    open = { ground, shadow, known: { there: new Map(), left: new Set(), torn: new Set(), held: new Map(), began: 0n } }
    return open
  })
  const look = Effect.fnUntraced(function*({ known, shadow }: Open, all: boolean) {
    const ignored = all ? shadow.trackedButIgnored : Effect.succeed("")
    // For the store's index what is held has changed, or is not there at all.
    const more = Effect.map(ignored, (listed) => [listed, ...known.held.keys()].join("\0"))
    const survey = yield* surveyOf(root, yield* Effect.all({ files: shadow.files, touched: shadow.touched, more }, { concurrency: 3 }), known)
    return { ...survey, dirty: survey.dirty.filter((path) => !isHeld(known.held, path, survey.there.get(path))) }
  })

  /** What the command has done becomes part of the turn. */
  const record = Effect.fnUntraced(function*(place: Open, now: Survey) {
    const { known } = place
    const kindOf = appeared(known, now)
    const seen = changedSince(known, now).map((path) => {
      const facts = now.there.get(path)
      return { path, how: known.there.has(path) || facts === undefined ? "changed" as const : kindOf(facts) }
    })
    const changed = seen.filter(({ how }) => how === "changed" || how === "made").map(({ path }) => path)
    const unsure = seen.filter(({ how }) => how === "unsure").map(({ path }) => path)
    let notes: ReadonlyArray<string> = []
    if (changed.length + unsure.length === 0) return notes
    const left = changed.filter((path) => known.left.has(path))
    const kept = changed.filter((path) => !known.left.has(path))
    const created = changed.filter((path) => !known.there.has(path))
    yield* journal.record({ turn: (yield* Call).turn, folders: newFolders(known, created) }, (folder) =>
      Effect.map(writeKept(place, kept.filter((path) => known.there.has(path)), folder), (names) => {
        const { lost, steps } = stepsOf({ before: known, now, changed: kept, root, folder, names })
        if (lost.length > 0) notes = [`Undo cannot put back ${some(lost)}: what was in them is not there any more.`]
        return { steps, beyond: [...lost.map(lostNote), ...left.map(leftNote), ...unsure.map(unsureNote)] }
      }))
    return notes
  })
  /** The next look brings the store up to date, unless others are to be told apart from this one before that. */
  const after = Effect.fnUntraced(function*(place: Open, among: boolean) {
    const survey = yield* look(place, false)
    const notes = yield* record(place, survey)
    if (among) place.known = { ...place.known, ...yield* save(place, survey) }
    return notes
  })
  /** `among`: other commands run now. What they have changed so far is their turn's, not how things were. */
  const before = Effect.fnUntraced(function*(among: boolean) {
    const place = yield* opened(among)
    if (among) yield* after(place, true)
    else {
      const began = yield* timeAt(place.ground.folder)
      const survey = yield* look(place, true)
      place.known = { ...yield* save(place, survey), began }
    }
    return place
  })
  return { before, after: (place: Open, among: boolean) => Effect.zipLeft(after(place, among), prune(place.shadow, home)) }
})

const make = Effect.gen(function*() {
  const commands = yield* Commands
  const keeper = yield* makeKeeper
  const oneAtATime = yield* Effect.makeSemaphore(1)
  const told = new Set<string>()
  let running = 0
  let tooSlow = 0

  /** One of the commands that run. */
  const makeCounted = () => {
    let counts = false
    const count = (now: boolean) => {
      if (now !== counts) running += now ? 1 : -1
      counts = now
    }
    return { begin: () => count(true), end: Effect.sync(() => count(false)) }
  }

  /** `run` is made when its turn has come, by how many commands run then. */
  const within = <A, E, R>(run: () => Effect.Effect<A, E, R>, done: () => void) =>
    Effect.timeoutOption(Effect.interruptible(Effect.suspend(run)), budgetMillis).pipe(
      Effect.map(Option.match({
        onNone: () => {
          tooSlow += 1
          const last = tooSlow >= mostTries ? ", and is not tried again in this run" : ""
          return { found: null, why: `looking at the workspace took longer than ${budgetMillis / 1000} s${last}` }
        },
        onSome: (found) => {
          tooSlow = 0
          done()
          return { found, why: "" }
        }
      })),
      oneAtATime.withPermits(1)
    )
  const worded = (error: { readonly message: string }) => Effect.succeed({ found: null, why: error.message.replace(/\.$/, "") })
  const leftOut = (left: ReadonlySet<string>): ReadonlyArray<string> => {
    const fresh = [...left].filter((path) => !told.has(path))
    for (const path of fresh) told.add(path)
    return fresh.length === 0 ? [] : [`Undo does not cover files over 10 MB or that cannot be read: ${some(fresh)}.`]
  }

  return Snapshots.of({
    around: Effect.fn("Snapshots.around")(function*(line, run) {
      if (tooSlow >= mostTries || isReadOnly(yield* commands.analyse(line))) return { value: yield* run, notes: [] }
      return yield* Effect.uninterruptibleMask((restore) =>
        Effect.gen(function*() {
          const counted = makeCounted()
          const first = yield* restore(within(() => keeper.before(running > 0), counted.begin).pipe(Effect.catchAll(worded))).pipe(
            Effect.onInterrupt(() => counted.end)
          )
          if (first.found === null) return { value: yield* restore(run), notes: [noSnapshot(first.why)] }
          const place = first.found
          const ended = yield* Effect.exit(restore(run))
          const after = Effect.ensuring(Effect.suspend(() => keeper.after(place, running > 1)), counted.end)
          const last = yield* within(() => after, () => {}).pipe(Effect.catchAll(worded))
          const notes = [...leftOut(place.known.left), ...last.found ?? [noSnapshot(last.why)]]
          return { value: yield* ended, notes }
        }))
    })
  })
})

/** Over git and the journal. */
export const SnapshotsLive = Layer.scoped(Snapshots, make).pipe(Layer.provide(CommandsOnDemand))
