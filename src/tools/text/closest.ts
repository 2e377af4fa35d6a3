/** Insertions, deletions, replacements and swaps of neighbours between two short texts. */
const distance = (one: string, other: string): number => {
  let before: ReadonlyArray<number> = []
  let row: ReadonlyArray<number> = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let at = 1; at <= one.length; at++) {
    const next = [at]
    for (let to = 1; to <= other.length; to++) {
      const same = one[at - 1] === other[to - 1]
      const swapped = at > 1 && to > 1 && one[at - 1] === other[to - 2] && one[at - 2] === other[to - 1]
      next.push(Math.min(
        (row[to] ?? 0) + 1,
        (next[to - 1] ?? 0) + 1,
        (row[to - 1] ?? 0) + (same ? 0 : 1),
        swapped ? (before[to - 2] ?? 0) + 1 : Infinity
      ))
    }
    before = row
    row = next
  }
  return row[other.length] ?? 0
}

const widest = 80

/** The names most like the wanted one, best first, none if nothing is like it: letter case, a typing error, a part of it. */
export const closest = (wanted: string, names: Iterable<string>, limit = 5): ReadonlyArray<string> => {
  const low = wanted.toLowerCase().slice(0, widest)
  const scored = [...new Set(names)].flatMap((name): ReadonlyArray<readonly [number, string]> => {
    const other = name.toLowerCase()
    if (other === low) return [[0, name]]
    const apart = other.length > widest || Math.abs(other.length - low.length) > 3 ? Infinity : distance(low, other)
    if (apart <= Math.max(1, Math.floor(Math.min(low.length, other.length) / 3))) return [[apart, name]]
    const part = Math.min(low.length, other.length) >= 3 && (other.includes(low) || low.includes(other))
    return part ? [[3 + Math.abs(other.length - low.length) / 10, name]] : []
  })
  return scored.sort(([one, a], [other, b]) => one - other || (a < b ? -1 : 1)).slice(0, limit).map(([, name]) => name)
}
