import * as Effect from "effect/Effect"
import type { DiskPort } from "../Disk.js"
import type { Spot } from "../disk/walk.js"
import type { Change } from "../Files.js"
import { AlreadyExists, FileTrouble, HiddenValue, NoSuchFile, SecretFile, WrongKind } from "../Files.js"
import type { Goal, Owner } from "../Journal.js"
import { encode } from "./encoding.js"
import { nothingChanged, wrongKind } from "./faults.js"
import { refuseProtected } from "./protect.js"
import type { Reads } from "./reader.js"
import { deniedByName, inWords } from "./reader.js"

/** The literal that stands in shiro's output for a value that is hidden. */
const hiddenValue = "[secret hidden]"
export const refuseHidden = (path: string, text: string, old: string | null) =>
  text.includes(hiddenValue) && old?.includes(hiddenValue) !== true ? new HiddenValue({ path }) : Effect.void

/** A rename could replace a file that this user may not write to; that would be a trick. */
export const refuseReadOnly = Effect.fnUntraced(function*(disk: DiskPort, path: string, spot: Spot) {
  const trouble = new FileTrouble({ path, doing: "change", code: "EACCES", state: nothingChanged })
  if (!(yield* disk.writable(spot.folder, spot.name).pipe(inWords(path, "change", nothingChanged)))) return yield* trouble
})

/** What is at a path when the changes so far are made. */
interface Item {
  readonly is: "nothing" | "file" | "link"
  /** the path where this very file or link is now */
  readonly origin: string | null
  readonly content: { readonly bytes: Uint8Array; readonly mode: number | null; readonly owner: Owner | null } | null
}
interface Touched {
  /** as the caller names it */
  readonly shown: string
  readonly expect: string | null
  readonly now: Item
}
const nothing: Item = { is: "nothing", origin: null, content: null }

/** What a transaction knows of a file that its plan read. */
export interface ReadHere {
  readonly stamp: string
  readonly changedSinceSeen: boolean
}
export interface DraftContext extends Reads {
  readonly home: string
  /** by the path that the plan gave */
  readonly read: ReadonlyMap<string, ReadHere>
}

/** The changes one after the other, on paper. Each sees what those before it have left; nothing is written. */
export const makeDraft = (context: DraftContext) => {
  const { disk, jail, secrets, walk } = context
  const touched = new Map<string, Touched>()
  const notes: Array<string> = []

  const find = Effect.fnUntraced(function*(given: string, follow: boolean, doing: string) {
    const shown = yield* jail.relative(given)
    const spot = yield* walk.to(given, follow).pipe(inWords(shown, doing, nothingChanged))
    yield* refuseProtected(disk, { root: jail.root, home: context.home }, shown, spot).pipe(inWords(shown, doing, nothingChanged))
    const { stat } = spot
    if (stat !== null && (spot.name === "" || (stat.kind !== "file" && stat.kind !== "link"))) {
      return yield* wrongKind(shown, stat.kind, doing)
    }
    const known = touched.get(spot.path) ?? {
      shown,
      expect: stat?.stamp ?? null,
      now: stat === null ? nothing : { is: stat.kind === "link" ? "link" : "file", origin: spot.path, content: null } satisfies Item
    }
    return { shown, spot, known }
  })
  const put = (spot: Spot, known: Touched, now: Item) => void touched.set(spot.path, { ...known, now })

  const create = Effect.fnUntraced(function*({ mode, path, text }: Change & { readonly _tag: "Create" }) {
    const { known, shown, spot } = yield* find(path, false, "create")
    if (known.now.is !== "nothing") return yield* new AlreadyExists({ path: shown })
    yield* refuseHidden(shown, text, null)
    put(spot, known, { is: "file", origin: null, content: { bytes: encode(text, "utf-8", false), mode: mode ?? null, owner: null } })
  })

  const rewrite = Effect.fnUntraced(function*({ like, mode, text }: Change & { readonly _tag: "Rewrite" }) {
    const { known, shown, spot } = yield* find(like.path, true, "change")
    const stat = spot.stat
    if (known.now.is !== "file" || stat === null) return yield* new NoSuchFile({ path: shown })
    if (known.now.content !== null) {
      return yield* new WrongKind({ path: shown, is: "changed twice by this call, under two names", hint: `${nothingChanged} Use one name for it.` })
    }
    if (deniedByName(context, shown, spot)) return yield* new SecretFile({ path: shown })
    yield* refuseHidden(shown, text, like.text)
    yield* refuseReadOnly(disk, shown, spot)
    const read = context.read.get(like.path)
    if (read?.changedSinceSeen === true) notes.push(changedNote(shown))
    if (stat.hardLinks > 1) notes.push(hardLinkNote(shown, stat.hardLinks))
    const bytes = encode(text, like.encoding, like.bom)
    put(spot, { ...known, expect: read?.stamp ?? known.expect }, { ...known.now, content: { bytes, mode: mode ?? stat.mode, owner: stat } })
  })

  const remove = Effect.fnUntraced(function*({ path }: Change & { readonly _tag: "Remove" }) {
    const { known, shown, spot } = yield* find(path, false, "delete")
    if (known.now.is === "nothing") return yield* new NoSuchFile({ path: shown })
    put(spot, known, nothing)
  })

  const move = Effect.fnUntraced(function*({ from, to }: Change & { readonly _tag: "Move" }) {
    const source = yield* find(from, false, "move")
    if (source.known.now.is === "nothing") return yield* new NoSuchFile({ path: source.shown })
    const target = yield* find(to, false, "move")
    if (target.known.now.is !== "nothing") return yield* new AlreadyExists({ path: target.shown })
    for (const { shown, spot } of [source, target]) {
      if (deniedByName(context, shown, spot)) return yield* new SecretFile({ path: shown })
    }
    const { stat } = source.spot
    if (stat !== null && (yield* secrets.deniedIdentity(stat.identity))) return yield* new SecretFile({ path: source.shown })
    put(source.spot, source.known, nothing)
    put(target.spot, target.known, source.known.now)
  })

  return {
    add: (change: Change) => {
      switch (change._tag) {
        case "Create":
          return create(change)
        case "Rewrite":
          return rewrite(change)
        case "Remove":
          return remove(change)
        case "Move":
          return move(change)
      }
    },
    goals: (): ReadonlyArray<Goal> => [...touched].flatMap(([path, entry]) => goalOf(path, entry)),
    shown: (path: string) => touched.get(path)?.shown ?? path,
    notes
  }
}

const goalOf = (path: string, { expect, now }: Touched): ReadonlyArray<Goal> => {
  if (now.is === "nothing") return expect === null ? [] : [{ path, expect, want: { is: "nothing" } }]
  if (now.content !== null) return [{ path, expect, want: { is: "content", ...now.content } }]
  return now.origin === null || now.origin === path ? [] : [{ path, expect, want: { is: "moved", from: now.origin } }]
}

export const changedNote = (path: string) =>
  `${path} had changed on disk since it was last read here; the change was made to what it is now.`
export const hardLinkNote = (path: string, links: number) =>
  `${path} had ${links - 1} other hard ${links === 2 ? "link, which keeps" : "links, which keep"} the old content.`
export const disownedNote = (path: string) => `The owner of ${path} could not be kept; it belongs to you now.`

