import { clipped } from "./cap.js"
import { lineNumbersAt, lineTexts } from "./lines.js"
import { lineRange, listed, numbered } from "./number.js"
import type { Region } from "./similar.js"
import { similarLines } from "./similar.js"

/** Lines of a file shown in a hint, and units of each. */
const mostLines = 12
const widest = 240

const shown = (lines: ReadonlyArray<string>, first: number, count: number): string => {
  const some = lines.slice(first, first + Math.min(count, mostLines)).map((line) => clipped(line, widest))
  return numbered(some, first + 1) + (count > mostLines ? `\n… ${count - mostLines} more` : "")
}

const squeeze = (text: string) => text.replace(/\s+/gu, "")

/** Regions of whole lines that hold `wanted` when no white space counts, line breaks included. */
export const sameButForSpace = (lines: ReadonlyArray<string>, wanted: string): ReadonlyArray<Region> => {
  const needle = squeeze(wanted)
  if (needle === "") return []
  const squeezed = lines.map(squeeze)
  const starts: Array<number> = []
  let length = 0
  for (const line of squeezed) {
    starts.push(length)
    length += line.length
  }
  const all = squeezed.join("")
  const lineOf = (position: number) => {
    let low = 0
    let high = starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((starts[middle] ?? 0) <= position) low = middle
      else high = middle - 1
    }
    return low
  }
  const found: Array<Region> = []
  for (let at = all.indexOf(needle); at !== -1 && found.length < 20; at = all.indexOf(needle, at + needle.length)) {
    const first = lineOf(at)
    found.push({ first, count: lineOf(at + needle.length - 1) - first + 1 })
  }
  return found
}

const prefix = /^\s*\d+: ?/
const withoutNumbers = (wanted: string): string | null => {
  const lines = wanted.split("\n")
  return lines.every((line) => line === "" || prefix.test(line)) ? lines.map((line) => line.replace(/^\s*\d+: /, "")).join("\n") : null
}
const unescaped = (wanted: string): string =>
  wanted.replace(/\\(["'`nt\\])/g, (_, kind: string) => kind === "n" ? "\n" : kind === "t" ? "\t" : kind)

const spaces = (text: string) => {
  const tabs = text.includes("\t")
  return tabs && / {2}/.test(text) ? " (tabs and spaces)" : tabs ? " (with tabs)" : ""
}

/**
 * Why `wanted` is not in `text`, as lines for the model; empty if nothing is near. `name` is what the caller calls the
 * wanted text, `instead` what it would have been replaced by.
 */
export const nearest = (text: string, wanted: string, name: string, instead?: string): string => {
  const plain = text.replaceAll("\r\n", "\n")
  if (plain === "") return "The file is empty."
  const bare = withoutNumbers(wanted)
  if (bare !== null && bare !== "" && plain.includes(bare)) {
    return `${name} holds the line numbers that read_file puts before each line. Send it without them.`
  }
  const done = instead?.replaceAll("\r\n", "\n")
  if (done !== undefined && done.trim().length >= 8 && plain.includes(done)) {
    const [line] = lineNumbersAt(plain, [plain.indexOf(done)])
    return `The new text is already there, at line ${line}.`
  }
  const lines = lineTexts(plain)
  const same = sameButForSpace(lines, wanted)
  const best = same[0]
  if (best !== undefined) {
    const ranges = same.map(({ first, count }) => lineRange(first + 1, first + count))
    const region = shown(lines, best.first, best.count)
    return `The same text but for white space is at ${listed(ranges)}${spaces(region)}:\n${region}`
  }
  const single = unescaped(wanted)
  if (single !== wanted && plain.includes(single)) {
    return `${name} is escaped once too often: with its backslashes resolved it is at line ${lineNumbersAt(plain, [plain.indexOf(single)])[0]}.`
  }
  const similar = similarLines(lines, wanted)
  return similar.length === 0
    ? "No line is similar. Read the file again."
    : `Most similar:\n${similar.map(({ first, count }) => shown(lines, first, count)).join("\n")}`
}
