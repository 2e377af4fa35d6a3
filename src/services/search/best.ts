import type { Hit } from "../Search.js"

/** The first hits by path (code units), then line, of hits that come in any order of files. */
export interface Best {
  /** Whether a file comes after enough others, so that none of its hits is among the first ones. */
  readonly isBehind: (path: string) => boolean
  readonly add: (hit: Hit) => void
  /** Whether hits were given up that had been added. */
  readonly dropped: () => boolean
  readonly sorted: () => ReadonlyArray<Hit>
}

const byCodeUnits = (one: string, other: string) => one < other ? -1 : one > other ? 1 : 0

/** Keeps at most some times `limit` hits while they come. A file's hits come together, by line. */
export const makeBest = (limit: number): Best => {
  let files = new Map<string, Array<Hit>>()
  let kept = 0
  let dropped = false
  /** no file behind this one is wanted */
  let last: string | null = null
  const prune = () => {
    const paths = [...files.keys()].sort(byCodeUnits)
    const wanted = new Map<string, Array<Hit>>()
    kept = 0
    for (const path of paths) {
      if (kept >= limit) break
      const hits = files.get(path) ?? []
      wanted.set(path, hits)
      kept += hits.length
      last = path
    }
    if (wanted.size < files.size) dropped = true
    files = wanted
    if (kept < limit) last = null
  }
  return {
    isBehind: (path) => last !== null && path > last,
    add: (hit) => {
      const hits = files.get(hit.path)
      if (hits === undefined) {
        if (kept > 4 * limit) prune()
        files.set(hit.path, [hit])
      } else hits.push(hit)
      kept += 1
    },
    dropped: () => dropped,
    sorted: () => [...files.keys()].sort(byCodeUnits).flatMap((path) => files.get(path) ?? [])
  }
}
