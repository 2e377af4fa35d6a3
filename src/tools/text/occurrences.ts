/** KMP's table: for each prefix the length of its longest border. */
const borders = <T>(needle: ArrayLike<T>): Int32Array => {
  const table = new Int32Array(needle.length)
  let border = 0
  for (let at = 1; at < needle.length; at++) {
    while (border > 0 && needle[at] !== needle[border]) border = table[border - 1] ?? 0
    if (needle[at] === needle[border]) border++
    table[at] = border
  }
  return table
}

/** Every place of `needle` in `haystack`, overlapping ones too, ascending, in linear time whatever repeats. */
export const occurrencesIn = <T>(haystack: ArrayLike<T>, needle: ArrayLike<T>, from = 0): Array<number> => {
  const found: Array<number> = []
  if (needle.length === 0) return found
  const table = borders(needle)
  let matched = 0
  for (let at = from; at < haystack.length; at++) {
    while (matched > 0 && haystack[at] !== needle[matched]) matched = table[matched - 1] ?? 0
    if (haystack[at] === needle[matched]) matched++
    if (matched < needle.length) continue
    found.push(at - needle.length + 1)
    matched = table[matched - 1] ?? 0
  }
  return found
}

const unitsOf = (text: string): Uint16Array => {
  const units = new Uint16Array(text.length)
  for (let at = 0; at < text.length; at++) units[at] = text.charCodeAt(at)
  return units
}

/** The same for text, by the engine's own search where the needle cannot overlap itself much. */
export const occurrences = (haystack: string, needle: string): Array<number> => {
  if (needle === "") return []
  const units = unitsOf(needle)
  const period = needle.length - (borders(units)[needle.length - 1] ?? 0)
  if (period * 2 <= needle.length) return occurrencesIn(unitsOf(haystack), units)
  const found: Array<number> = []
  for (let at = haystack.indexOf(needle); at !== -1; at = haystack.indexOf(needle, at + period)) found.push(at)
  return found
}

/** Of ascending places, those that a replacement from left to right takes. */
export const withoutOverlap = (places: ReadonlyArray<number>, length: number): Array<number> => {
  let free = 0
  return places.filter((place) => {
    if (place < free) return false
    free = place + length
    return true
  })
}
