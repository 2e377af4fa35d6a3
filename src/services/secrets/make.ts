import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Ref from "effect/Ref"
import { awaited } from "../atOnce.js"
import { Secrets } from "../Secrets.js"
import { makeMask, type Mask } from "./mask.js"
import { textsToHide, valuesIn } from "./values.js"

/** A denied file as it is on disk now. */
export interface DeniedFile {
  readonly path: string
  readonly identity: string
  readonly text: string
  /** git's ids of the content as a blob, SHA-1 and SHA-256 */
  readonly blobs: ReadonlyArray<string>
}

export interface SecretsPort {
  readonly deniedName: (path: string) => boolean
  /** Looks through the workspace; whatever cannot be read is left out. */
  readonly list: Effect.Effect<{
    readonly denied: ReadonlyArray<DeniedFile>
    /** texts of the `*.env.example` files, whose values are no secrets */
    readonly examples: ReadonlyArray<string>
  }>
  /** values that are secret wherever they come from: shiro's own keys */
  readonly ownKeys: ReadonlyArray<string>
  /** Of these values, the ones that are paths of something that exists. */
  readonly existing: (values: ReadonlyArray<string>) => Effect.Effect<ReadonlySet<string>>
}

interface Known {
  readonly denied: ReadonlyArray<DeniedFile>
  readonly identities: ReadonlySet<string>
  readonly blobs: ReadonlySet<string>
  readonly mask: Mask
}

const look = Effect.fnUntraced(function*(port: SecretsPort, given: Ref.Ref<ReadonlyArray<string>>) {
  const { denied, examples } = yield* port.list
  const values = denied.flatMap(({ text }) => valuesIn(text))
  const paths = yield* port.existing(values)
  const known: Known = {
    denied,
    identities: new Set(denied.map(({ identity }) => identity)),
    blobs: new Set(denied.flatMap(({ blobs }) => blobs)),
    mask: makeMask(textsToHide([...port.ownKeys, ...yield* Ref.get(given), ...values], new Set(examples.flatMap(valuesIn)), (value) => paths.has(value)))
  }
  return known
})

/** Looks at once, beside whatever runs first; whoever needs the answer waits for it; `changed` makes the next one look again. */
export const make = Effect.fnUntraced(function*(port: SecretsPort) {
  const given = yield* Ref.make<ReadonlyArray<string>>([])
  const begin = Effect.gen(function*() {
    const found = yield* Deferred.make<Known>()
    yield* Effect.forkDaemon(Effect.intoDeferred(look(port, given), found))
    return found
  })
  const current = yield* Ref.make<Deferred.Deferred<Known> | null>(yield* begin)
  const one = yield* Effect.makeSemaphore(1)
  const again = one.withPermits(1)(Effect.gen(function*() {
    const found = (yield* Ref.get(current)) ?? (yield* begin)
    yield* Ref.set(current, found)
    return found
  }))
  const known = Effect.flatMap(Ref.get(current), (found) => found === null ? Effect.flatMap(again, awaited) : awaited(found))
  return Secrets.of({
    deniedName: port.deniedName,
    deniedPaths: Effect.map(known, ({ denied }) => denied.map(({ path }) => path)),
    deniedIdentity: (identity) => Effect.map(known, ({ identities }) => identities.has(identity)),
    deniedBlobs: Effect.map(known, ({ blobs }) => blobs),
    mask: (text) => Effect.map(known, ({ mask }) => mask.text(text)),
    maskStream: Effect.map(known, ({ mask }) => mask.stream()),
    changed: Ref.set(current, null),
    hide: (value) => Effect.zipRight(Ref.update(given, (before) => [...before, value]), Ref.set(current, null))
  })
})
