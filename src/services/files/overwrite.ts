import * as Effect from "effect/Effect"
import type { Spot } from "../disk/walk.js"
import type { Encoding } from "../Files.js"
import { ChangedOnDisk } from "../Files.js"
import type { Goal } from "../Journal.js"
import { hashOf } from "../journal/stage.js"
import { hardLinkNote, refuseHidden, refuseReadOnly } from "./draft.js"
import { decode, encode } from "./encoding.js"
import { nothingChanged, wrongKind } from "./faults.js"
import { refuseProtected } from "./protect.js"
import type { Opened, Reads } from "./reader.js"
import { deniedByName, inWords, readWhole, wholeFile } from "./reader.js"
import type { SeenFiles, Sight } from "./seen.js"

/** The content that is replaced, as far as it can be told; that of a denied file goes no further than this module. */
interface Old {
  readonly text: string | null
  readonly encoding: Encoding
  readonly bom: boolean
  readonly sight: Sight
}

const readOld = Effect.fnUntraced(function*(reads: Reads, opened: Opened) {
  const unknown: Old = { text: null, encoding: "utf-8", bom: false, sight: { stamp: opened.stat.stamp, hash: null } }
  if (opened.stat.size > wholeFile) return unknown
  const { bytes, stamp } = yield* readWhole(reads, opened)
  const sight: Sight = { stamp, hash: hashOf(bytes) }
  const decoded = decode(bytes)
  return decoded.is === "text" ? { ...decoded, sight } : { ...unknown, sight }
})

/** What the whole new content of a file comes to, with the text that it replaces; null for a new file and a denied one. */
export const planOverwrite = Effect.fnUntraced(function*(
  context: Reads & { readonly home: string; readonly seen: SeenFiles },
  { given, path, text }: { readonly path: string; readonly given: string; readonly text: string }
) {
  const { disk, home, jail, secrets, seen, walk } = context
  const asTrouble = inWords(path, "write", nothingChanged)
  const spot: Spot = yield* asTrouble(walk.to(given, true))
  yield* asTrouble(refuseProtected(disk, { root: jail.root, home }, path, spot))
  const { stat } = spot
  const goalOf = (want: Omit<Goal["want"] & { readonly is: "content" }, "is">, expect: string | null): Goal =>
    ({ path: spot.path, expect, want: { is: "content", ...want } })
  if (stat === null) {
    yield* refuseHidden(path, text, null)
    return { goal: goalOf({ bytes: encode(text, "utf-8", false), mode: null, owner: null }, null), notes: [], old: null }
  }
  if (stat.kind !== "file") return yield* wrongKind(path, stat.kind, "write")
  yield* refuseReadOnly(disk, path, spot)
  const file = yield* asTrouble(walk.open(spot, given))
  const old = yield* asTrouble(readOld(context, { path, spot, stat: yield* asTrouble(disk.statOf(file)), file }))
  if (seen.hasChanged(spot.path, old.sight) && seen.refuseOnce(spot.path, old.sight)) return yield* new ChangedOnDisk({ path })
  yield* refuseHidden(path, text, old.text)
  const isDenied = deniedByName(context, path, spot) || (yield* secrets.deniedIdentity(stat.identity))
  return {
    goal: goalOf({ bytes: encode(text, old.encoding, old.bom), mode: stat.mode, owner: stat }, old.sight.stamp),
    notes: stat.hardLinks > 1 ? [hardLinkNote(path, stat.hardLinks)] : [],
    old: isDenied ? null : old.text
  }
}, Effect.scoped)
