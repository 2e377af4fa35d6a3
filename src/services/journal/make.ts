import * as Clock from "effect/Clock"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import * as Schema from "effect/Schema"
import type { DiskFault, DiskPort, Folder } from "../Disk.js"
import { Disk } from "../Disk.js"
import { makeWalk } from "../disk/walk.js"
import { Home } from "../Home.js"
import { Ids } from "../Ids.js"
import { Jail } from "../Jail.js"
import type { CommitFacts, Goal } from "../Journal.js"
import { Journal, NotCommitted } from "../Journal.js"
import { apply, discard, flushFolders, removeEmpty, restoreAll, sweep, temporaryNames } from "./apply.js"
import { openShelf, peekShelf, readRecord, shelfPath, timeOf, transactionName, workspaceKey, writeText } from "./archive.js"
import type { Ground } from "./ground.js"
import { makeGround, split, Stopped } from "./ground.js"
import { keyOf, makeLocks, makeTurns } from "./locks.js"
import { OwnerOf } from "./owner.js"
import { makeRecovery } from "./recover.js"
import type { Intent, Plan } from "./record.js"
import { intentFile, IntentText, planFile, PlanText } from "./record.js"
import type { Aim, Earlier } from "./stage.js"
import { missingFolders, stage, takeAim } from "./stage.js"

const keptFor = 14 * 24 * 3_600_000
/** Old transactions removed at a time, so that no call waits long for it. */
const pruneAtOnce = 100

const orStopped = (path: string) =>
  <A, R>(effect: Effect.Effect<A, DiskFault | Stopped, R>): Effect.Effect<A, Stopped, R> =>
    Effect.mapError(effect, (why) => why._tag === "Stopped" ? why : new Stopped({ path, why }))

interface Transaction {
  readonly ground: Ground
  readonly name: string
  readonly aims: ReadonlyArray<Aim>
  readonly intent: Intent
  /** where unfinished transactions lie, this one's folder there, and that folder's name */
  readonly shelf: Folder
  readonly kept: Folder
  readonly keptName: string
}

/** Makes folders and temporary files, keeps what is there, and writes down what is to happen; all of it out of sight. */
const begin = Effect.fnUntraced(function*(transaction: Transaction, plan: Omit<Plan, "steps">, earlier: Earlier) {
  const { aims, ground, intent, kept, shelf } = transaction
  const { disk } = ground
  yield* writeText(disk, kept, intentFile, yield* Effect.orDie(Schema.encode(IntentText)(intent)), false)
  for (const path of intent.folders) {
    const { folder, name } = yield* ground.spot(path).pipe(orStopped(path))
    yield* disk.makeFolder(folder, name, 0o777).pipe(
      Effect.catchIf((fault) => fault.code === "EEXIST", () => Effect.void),
      orStopped(path)
    )
  }
  const staged = yield* stage(ground, kept, aims, earlier)
  const steps = staged.map(({ step }) => step)
  yield* writeText(disk, kept, planFile, yield* Effect.orDie(Schema.encode(PlanText)({ ...plan, steps })), true)
  yield* disk.flush(kept)
  yield* disk.flush(shelf)
  return staged
})

/** Makes the changes visible one by one, then the transaction a finished one. */
const finish = Effect.fnUntraced(function*({ ground, intent, keptName, name, shelf }: Transaction, steps: Plan["steps"], done: Folder) {
  const { disk } = ground
  yield* ground.stillInside(new Set(steps.map(({ path }) => split(path).folder)))
  for (const [index, step] of steps.entries()) yield* apply(ground, step, temporaryNames(name, index))
  yield* flushFolders(ground, [...steps.map(({ path }) => path), ...intent.folders].map((path) => split(path).folder))
  yield* disk.rename(shelf, keptName, done, name)
  yield* Effect.ignore(Effect.zipRight(disk.flush(done), disk.flush(shelf)))
})

/** All as before, as far as that can be. */
const takeBack = Effect.fnUntraced(function*(
  { ground, intent, kept, keptName, name, shelf }: Transaction,
  steps: Plan["steps"]
) {
  const { foreign, stuck } = yield* restoreAll(ground, kept, steps, name)
  yield* sweep(ground, intent)
  if (stuck.length + foreign.length === 0) yield* discard(ground.disk, shelf, keptName)
  return [...foreign, ...stuck]
})

const makeCommit = Effect.fnUntraced(function*(home: string) {
  const disk = yield* Disk
  const jail = yield* Jail
  const ids = yield* Ids
  const owner = yield* OwnerOf
  const walk = makeWalk(disk, jail)
  const workspace = workspaceKey(jail.root)

  const earlierIn = (done: Folder): Earlier =>
    Effect.fnUntraced(function*(transaction: string, path: string) {
      const folder = yield* disk.folder(done, transaction).pipe(orStopped(path))
      const plan = yield* readRecord(disk, folder, planFile, PlanText).pipe(orStopped(path))
      const step = plan?.steps.find((each) => each.path === path)
      return step === undefined ? yield* new Stopped({ path, why: "changed" }) : { folder, state: step.before }
    })

  const prepare = Effect.fnUntraced(function*(goals: ReadonlyArray<Goal>, name: string) {
    const ground = yield* makeGround(disk, walk, jail.root)
    const aims = yield* takeAim(ground, goals, name)
    const folders = yield* missingFolders(ground, goals)
    const shelf = yield* openShelf(disk, home, workspace, "open")
    const keptName = `${name}.${owner.self}`
    yield* disk.makeFolder(shelf, keptName, 0o700)
    const temporary = aims.flatMap(({ back, goal, temporary }) => {
      const { folder } = split(goal.path)
      return [{ folder, name: temporary }, { folder, name: back }]
    })
    const transaction: Transaction = {
      ground,
      name,
      aims,
      intent: { root: jail.root, folders, temporary },
      shelf,
      kept: yield* disk.folder(shelf, keptName),
      keptName
    }
    return transaction
  })

  return Effect.fnUntraced(function*(goals: ReadonlyArray<Goal>, facts: CommitFacts) {
    const time = yield* Clock.currentTimeMillis
    const first = goals[0]?.path ?? "."
    const run = Effect.gen(function*() {
      const transaction = yield* prepare(goals, transactionName(time, yield* ids.next)).pipe(orStopped(first))
      const done = yield* openShelf(disk, home, workspace, "done").pipe(orStopped(first))
      const plan = { turn: facts.turn, time, undoes: facts.undoes ?? null, folders: transaction.intent.folders }
      const undone = (steps: Plan["steps"]) => (stop: Stopped) =>
        takeBack(transaction, steps).pipe(
          Effect.catchAll(() => Effect.succeed([])),
          Effect.flatMap((stuck) => new NotCommitted({ path: stop.path, why: stop.why, stuck }))
        )
      const staged = yield* begin(transaction, plan, earlierIn(done)).pipe(orStopped(first), Effect.catchAll(undone([])))
      const steps = staged.map(({ step }) => step)
      yield* finish(transaction, steps, done).pipe(orStopped(first), Effect.catchAll(undone(steps)))
      yield* Effect.ignore(removeEmpty(transaction.ground, facts.emptied ?? []))
      return {
        disowned: staged.filter(({ isOwner }) => !isOwner).map(({ step }) => step.path),
        stamps: new Map(steps.flatMap(({ after, path }) => after.is === "file" ? [[path, after.stamp] as const] : []))
      }
    })
    return yield* Effect.mapError(run, (fault) =>
      fault._tag === "Stopped" ? new NotCommitted({ path: fault.path, why: fault.why, stuck: [] }) : fault)
  }, Effect.scoped, Effect.uninterruptible)
})

/** Until its plan is there an entry counts for nothing, so nothing has to be taken back when this dies half-way. */
const makeRecord = (disk: DiskPort, home: string, workspace: string, newId: Effect.Effect<string>): Context.Tag.Service<Journal>["record"] =>
  (facts, fill) =>
    Effect.gen(function*() {
      const time = yield* Clock.currentTimeMillis
      const name = transactionName(time, yield* newId)
      const done = yield* openShelf(disk, home, workspace, "done")
      yield* disk.makeFolder(done, name, 0o700)
      const filled = yield* fill(`${shelfPath(home, workspace, "done")}/${name}`)
      if (filled.steps.length === 0 && filled.beyond?.length === 0) return yield* discard(disk, done, name)
      const plan: Plan = { turn: facts.turn, time, undoes: null, folders: facts.folders, ...filled }
      const folder = yield* disk.folder(done, name)
      yield* writeText(disk, folder, planFile, yield* Effect.orDie(Schema.encode(PlanText)(plan)), true)
    }).pipe(Effect.scoped)

/** Finished transactions, oldest first. */
const entriesIn = Effect.fnUntraced(function*(disk: DiskPort, home: string, workspace: string) {
  const done = yield* peekShelf(disk, home, workspace, "done")
  if (done === null) return []
  const names = (yield* disk.list(done)).map(({ name }) => name).sort()
  const entries = yield* Effect.forEach(names, (name) =>
    Effect.scoped(Effect.flatMap(disk.folder(done, name), (folder) => readRecord(disk, folder, planFile, PlanText))).pipe(
      Effect.map((plan) => plan === null ? [] : [{ ...plan, id: name }])
    ))
  return entries.flat()
}, Effect.scoped)

const prune = Effect.fnUntraced(function*(disk: DiskPort, home: string, workspace: string) {
  const done = yield* peekShelf(disk, home, workspace, "done")
  if (done === null) return
  const oldest = (yield* Clock.currentTimeMillis) - keptFor
  const old = (yield* disk.list(done)).map(({ name }) => name).filter((name) => timeOf(name) < oldest).sort()
  for (const name of old.slice(0, pruneAtOnce)) yield* discard(disk, done, name)
}, Effect.scoped, Effect.ignore)

/** The journal of the workspace. What earlier runs left half-done is taken back before anything else happens. */
export const JournalLayer = Layer.effect(Journal, Effect.gen(function*() {
  const disk = yield* Disk
  const { root } = yield* Jail
  const ids = yield* Ids
  const owner = yield* OwnerOf
  const home = (yield* Home).folder
  const workspace = workspaceKey(root)
  const recoverIn = makeRecovery({ disk, owner, home }, ids.next)
  const untold = yield* Ref.make(yield* recoverIn(workspace))
  const recover = Effect.tap(recoverIn(workspace), (news) => Ref.update(untold, (old) => [...old, ...news]))
  const mourn = (whose: string) => whose === workspace ? recover : recoverIn(whose)
  const locks = makeLocks({ disk, owner, path: `${home}/locks`, workspace, mourn: (whose) => Effect.asVoid(mourn(whose)) })
  const inTurn = makeTurns()
  const commit = yield* makeCommit(home)
  const isPruned = yield* Ref.make(false)
  const pruneOnce = Effect.flatMap(Ref.getAndSet(isPruned, true), (isDone) => isDone ? Effect.void : prune(disk, home, workspace))

  const locked = <A, E, R>(paths: ReadonlyArray<string>, run: Effect.Effect<A, E, R>) => {
    const keys = [...new Set(paths.map((path) => keyOf(`${root}/${path}`)))]
    const path = paths[0] ?? "."
    const claim = Effect.flatMap(ids.next, (id) => locks.claim(keys, id)).pipe(
      Effect.mapError((why) => new NotCommitted({ path, why, stuck: [] }))
    )
    return inTurn(keys)(Effect.acquireUseRelease(
      claim,
      (claims): Effect.Effect<A, E | NotCommitted, R> => claims === null ? new NotCommitted({ path, why: "locked", stuck: [] }) : run,
      (claims) => locks.release(claims ?? [])
    ))
  }

  return Journal.of({
    locked,
    commit: (goals, facts) => Effect.zipLeft(commit(goals, facts), pruneOnce),
    record: (facts, fill) => Effect.zipRight(pruneOnce, makeRecord(disk, home, workspace, ids.next)(facts, fill)),
    entries: entriesIn(disk, home, workspace),
    recover,
    news: Ref.getAndSet(untold, [])
  })
}))
