import type { Entry } from "../Journal.js"
import type { State } from "../journal/record.js"
import type { Turn } from "../Undo.js"

/** What a turn as a whole did to one path. */
export interface Deed {
  readonly path: string
  readonly before: State
  readonly after: State
  /** of the files it left there one after the other: a command's may be noted after what happened next */
  readonly stamps: ReadonlyArray<string>
  /** the transaction that keeps `before` */
  readonly transaction: string
}
export interface TurnDeeds extends Turn {
  readonly deeds: ReadonlyArray<Deed>
  /** folders that it made */
  readonly folders: ReadonlyArray<string>
  /** a command changed something in it */
  readonly commands: boolean
  /** sentences on what its commands changed and cannot be put back */
  readonly beyond: ReadonlyArray<string>
}

const isNoChange = ({ after, before }: Deed) => before.is === "nothing" && after.is === "nothing"

/**
 * Turns with what is still to be undone of them, the newest first. A path that several transactions of a turn changed
 * counts from what it was before the first to what it was after the last.
 */
export const turnsOf = (entries: ReadonlyArray<Entry>): ReadonlyArray<TurnDeeds> => {
  const turns = new Map<string, { time: number; deeds: Map<string, Deed>; folders: Array<string>; commands: boolean; beyond: Set<string> }>()
  for (const { beyond, folders, id, steps, time, turn, undoes } of entries) {
    if (undoes !== null) {
      const undone = turns.get(undoes)?.deeds
      for (const { after, path } of steps) {
        const { before } = undone?.get(path) ?? { before: null }
        undone?.delete(path)
        // What is put back is what an earlier turn left, under a new stamp.
        if (before?.is !== "file" || after.is !== "file") continue
        for (const { deeds } of turns.values()) {
          const deed = deeds.get(path)
          if (deed?.stamps.includes(before.stamp) === true) deeds.set(path, { ...deed, stamps: [...deed.stamps, after.stamp] })
        }
      }
      continue
    }
    const known = turns.get(turn) ?? { time, deeds: new Map<string, Deed>(), folders: [], commands: false, beyond: new Set<string>() }
    known.commands ||= beyond !== undefined
    for (const sentence of beyond ?? []) known.beyond.add(sentence)
    known.time = time
    known.folders.push(...folders)
    for (const { after, before, path } of steps) {
      const first = known.deeds.get(path)
      known.deeds.set(path, { path, before: first?.before ?? before, after, stamps: [...first?.stamps ?? [], ...after.is === "file" ? [after.stamp] : []], transaction: first?.transaction ?? id })
    }
    turns.set(turn, known)
  }
  return [...turns]
    .map(([id, { beyond, commands, deeds, folders, time }]) => {
      const left = [...deeds.values()].filter((deed) => !isNoChange(deed))
      return { id, time, folders, commands, beyond: [...beyond], deeds: left, files: left.map(({ path }) => path).sort() }
    })
    .filter(({ files }) => files.length > 0)
    .sort((one, other) => other.time - one.time)
}
