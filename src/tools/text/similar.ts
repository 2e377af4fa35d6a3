/** Some lines of a file. */
export interface Region {
  /** 0-based */
  readonly first: number
  readonly count: number
}

/** Lines of the wanted text that are looked at, and units of a line. */
const mostWanted = 60
const widest = 1_000
/** Units of a file up to which every line is compared; beyond, only lines that share a word. */
const small = 2_000_000
const mostCandidates = 5_000

const bigrams = (text: string): Map<number, number> => {
  const counts = new Map<number, number>()
  for (let at = 1; at < text.length; at++) {
    const pair = text.charCodeAt(at - 1) * 65536 + text.charCodeAt(at)
    counts.set(pair, (counts.get(pair) ?? 0) + 1)
  }
  return counts
}

/** From 0 to 1: the share of `wanted`'s pairs of characters that `line` has, lowered where `line` has many others. */
const likeness = (wanted: ReadonlyMap<number, number>, size: number, line: string): number => {
  if (line.length < 2 || size === 0) return 0
  const left = new Map<number, number>()
  let common = 0
  for (let at = 1; at < line.length; at++) {
    const pair = line.charCodeAt(at - 1) * 65536 + line.charCodeAt(at)
    const count = left.get(pair) ?? wanted.get(pair)
    if (count === undefined || count === 0) continue
    common++
    left.set(pair, count - 1)
  }
  return (common / size + (2 * common) / (size + line.length - 1)) / 2
}

const wordsOf = (text: string): ReadonlyArray<string> =>
  (text.match(/[\p{L}\p{N}_]{4,}/gu) ?? []).toSorted((a, b) => b.length - a.length).slice(0, 3)

/** The lines most like one line, best first, those at least about half alike. */
const likest = (lines: ReadonlyArray<string>, wanted: string): ReadonlyArray<number> => {
  const pairs = bigrams(wanted)
  const size = wanted.length - 1
  const isSmall = lines.reduce((sum, line) => sum + line.length, 0) <= small
  const words = isSmall ? [] : wordsOf(wanted)
  const scored: Array<readonly [score: number, index: number]> = []
  let looked = 0
  for (let index = 0; index < lines.length && (isSmall || looked < mostCandidates); index++) {
    const line = lines[index] ?? ""
    if (!isSmall && !words.some((word) => line.includes(word))) continue
    looked++
    const score = likeness(pairs, size, line.trim().slice(0, widest))
    if (score >= 0.45) scored.push([score, index])
  }
  scored.sort(([a, x], [b, y]) => b - a || x - y)
  const best = scored[0]?.[0] ?? 0
  return scored.filter(([score]) => score >= best - 0.1).slice(0, 3).map(([, index]) => index)
}

/** Where most of the wanted lines stand at their distance from each other, if that is enough of them. */
const byVotes = (lines: ReadonlyArray<string>, wanted: ReadonlyArray<string>): number | null => {
  const places = new Map<string, Array<number>>()
  wanted.forEach((line, index) => {
    if (line.length > 2) places.set(line, [...(places.get(line) ?? []), index])
  })
  const votes = new Map<number, number>()
  lines.forEach((line, index) => {
    const text = line.trim()
    for (const place of places.get(text) ?? []) votes.set(index - place, (votes.get(index - place) ?? 0) + text.length)
  })
  let best: readonly [start: number, weight: number] | null = null
  for (const [start, weight] of votes) if (best === null || weight > best[1]) best = [start, weight]
  const total = wanted.reduce((sum, line) => sum + line.length, 0)
  return best !== null && best[1] * 3 >= total ? best[0] : null
}

/** The places of the file that are most like the wanted text, none if nothing is. */
export const similarLines = (lines: ReadonlyArray<string>, wanted: string): ReadonlyArray<Region> => {
  const parts = wanted.replace(/^\s*\n|\n\s*$/g, "").split("\n").slice(0, mostWanted).map((line) => line.trim().slice(0, widest))
  const region = (start: number): Region => {
    const first = Math.max(0, start)
    return { first, count: Math.max(1, Math.min(lines.length, start + parts.length) - first) }
  }
  if (parts.length > 1) {
    const start = byVotes(lines, parts)
    if (start !== null) return [region(start)]
  }
  const longest = parts.reduce((best, line, index) => line.length > (parts[best]?.length ?? 0) ? index : best, 0)
  const found = likest(lines, parts[longest] ?? "")
  return (parts.length > 1 ? found.slice(0, 1) : found).map((index) => region(index - longest))
}
