import * as Clock from "effect/Clock"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import { createHash } from "node:crypto"
import type { DiskFault, DiskPort, Folder } from "../Disk.js"
import { unlessMissing } from "./ground.js"
import type { OwnerOf } from "./owner.js"

/** A name in the folder of locks: who asks for what. */
interface Claim {
  readonly key: string
  readonly workspace: string
  readonly owner: string
  readonly transaction: string
}
const nameOf = (claim: Claim) => [claim.key, claim.workspace, claim.owner, claim.transaction].join(".")
const claimOf = (name: string): Claim | null => {
  const [key, workspace, owner, transaction, ...rest] = name.split(".")
  return key === undefined || workspace === undefined || owner === undefined || transaction === undefined || rest.length > 0
    ? null
    : { key, workspace, owner, transaction }
}
/** The same for all spellings of a path that some file system takes for one. */
export const keyOf = (absolute: string) =>
  createHash("sha256").update(absolute.normalize("NFC").toLowerCase()).digest("hex").slice(0, 32)

/** Runs whose life cannot be told from here (another machine or container) count as dead when they are this old. */
export const unknownLife = 60_000
const patience = 30_000

export interface Locks {
  /** All of the claims or none; null when somebody else kept one of them for too long. */
  readonly claim: (keys: ReadonlyArray<string>, transaction: string) => Effect.Effect<ReadonlyArray<string> | null, DiskFault>
  readonly release: (names: ReadonlyArray<string>) => Effect.Effect<void>
}

/**
 * Locks between processes. A claim is a file whose name says who wants what, and is never anybody else's: whoever has
 * made its claims and then sees no other living claim on the same keys has the locks. Two that see each other both
 * withdraw and try again. Claims of the dead can be removed by anybody at any time, as no name comes back; before
 * that `mourn` takes back what the dead one left half-done.
 */
export const makeLocks = ({ disk, mourn, owner, path, workspace }: {
  readonly disk: DiskPort
  readonly owner: Context.Tag.Service<OwnerOf>
  /** the folder of locks */
  readonly path: string
  readonly workspace: string
  readonly mourn: (workspace: string) => Effect.Effect<void>
}): Locks => {
  const opened = disk.root(path).pipe(
    Effect.catchIf((fault) => fault.code === "ENOENT", () => Effect.zipRight(disk.makeRoot(path), disk.root(path)))
  )

  const isDead = Effect.fnUntraced(function*(folder: Folder, claim: Claim) {
    const lives = yield* owner.lives(claim.owner)
    if (lives !== null) return !lives
    const stat = yield* unlessMissing(disk.stat(folder, nameOf(claim)))
    return stat === null || (yield* Clock.currentTimeMillis) - stat.modified > unknownLife
  })

  /** Others' living claims on the keys. What the dead claimed is put in order on the way. */
  const rivals = Effect.fnUntraced(function*(folder: Folder, keys: ReadonlySet<string>, mine: ReadonlySet<string>) {
    let living = 0
    for (const { name } of yield* disk.list(folder)) {
      const claim = claimOf(name)
      if (claim === null || !keys.has(claim.key) || mine.has(name)) continue
      if (!(yield* isDead(folder, claim))) living += 1
      else {
        yield* mourn(claim.workspace)
        yield* unlessMissing(disk.unlink(folder, name))
      }
    }
    return living
  })

  const release = Effect.fnUntraced(function*(names: ReadonlyArray<string>) {
    const folder = yield* opened
    for (const name of names) yield* Effect.ignore(disk.unlink(folder, name))
  }, Effect.scoped, Effect.ignore)

  const attempt = Effect.fnUntraced(function*(keys: ReadonlyArray<string>, names: ReadonlyArray<string>) {
    const folder = yield* opened
    for (const name of names) yield* Effect.scoped(disk.create(folder, name, 0o600))
    return (yield* rivals(folder, new Set(keys), new Set(names))) === 0
  }, Effect.scoped)

  const claim = Effect.fnUntraced(function*(keys: ReadonlyArray<string>, transaction: string) {
    const names = keys.map((key) => nameOf({ key, workspace, owner: owner.self, transaction }))
    const start = yield* Clock.currentTimeMillis
    for (let wait = 2;; wait = Math.min(wait * 2, 100)) {
      const isMine = yield* attempt(keys, names).pipe(
        Effect.uninterruptible,
        Effect.tapError(() => release(names))
      )
      if (isMine) return names
      yield* release(names)
      if ((yield* Clock.currentTimeMillis) - start > patience) return null
      yield* Effect.interruptible(Effect.sleep(yield* Random.nextIntBetween(1, wait + 1)))
    }
  })
  return { claim, release }
}

/** Locks within the process: one after the other in the order of asking. Keys are taken in one order, so that no ring forms. */
export const makeTurns = () => {
  const waiting = new Map<string, { readonly semaphore: Effect.Semaphore; users: number }>()
  const one = (key: string) => <A, E, R>(run: Effect.Effect<A, E, R>) =>
    Effect.acquireUseRelease(
      Effect.sync(() => {
        const found = waiting.get(key) ?? { semaphore: Effect.unsafeMakeSemaphore(1), users: 0 }
        found.users += 1
        waiting.set(key, found)
        return found
      }),
      ({ semaphore }) => semaphore.withPermits(1)(run),
      (used) =>
        Effect.sync(() => {
          used.users -= 1
          if (used.users === 0) waiting.delete(key)
        })
    )
  return (keys: ReadonlyArray<string>) => <A, E, R>(run: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    [...keys].sort().reduceRight((inner, key) => one(key)(inner), run)
}
