import type { Message } from "../model/messages.js"
import { callsOf, textOf } from "../model/messages.js"

/** What is left of messages that were dropped: goal, files touched, decisions, commands and outcomes. */
export interface Digest {
  readonly goals: ReadonlyArray<string>
  /** path -> whether it was changed */
  readonly files: ReadonlyMap<string, boolean>
  readonly said: ReadonlyArray<string>
  readonly commands: ReadonlyArray<string>
}
export const emptyDigest: Digest = { goals: [], files: new Map(), said: [], commands: [] }

/** What stands in place of a result that was dropped. */
export const droppedResult = "[result dropped to save room; make the call again if you need it]"

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === "object" && value !== null
const pathKeys = new Set(["path", "from", "to"])
const readers = /^(read_|list_dir|tree|glob|grep|outline|count_|file_info|find_|json_query|git_|recent_)/

/** Paths in a call's input, also one level down (`files: [{ path }]`). */
export const pathsIn = (input: unknown, depth = 0): ReadonlyArray<string> => {
  if (Array.isArray(input)) return input.flatMap((each: unknown) => pathsIn(each, depth + 1))
  if (!isRecord(input) || depth > 2) return []
  return Object.entries(input).flatMap(([key, value]) =>
    pathKeys.has(key) && typeof value === "string" ? [value] : key === "patch" && typeof value === "string" ? pathsOfPatch(value) : pathsIn(value, depth + 1))
}
const pathsOfPatch = (patch: string) => [...patch.matchAll(/^\*\*\* (?:Add File|Update File|Delete File|Move to): (.+)$/gm)].flatMap((match) => match[1] ?? [])

const short = (text: string, limit: number) => {
  const line = text.replaceAll(/\s+/g, " ").trim()
  return line.length <= limit ? line : `${line.slice(0, limit).replace(/[\uD800-\uDBFF]$/, "")} …`
}

const outcome = (text: string) => {
  const lines = text.split("\n").filter((line) => line.trim() !== "" && !/^(stdout|stderr):$/.test(line))
  return short([lines[0] ?? "", ...lines.slice(1).slice(-1)].join("; "), 160)
}

/** Adds what a stretch of messages held. Results that had been dropped before were added then. */
export const absorb = (digest: Digest, messages: ReadonlyArray<Message>): Digest => {
  const goals = [...digest.goals]
  const files = new Map(digest.files)
  const said = [...digest.said]
  const commands = [...digest.commands]
  const results = new Map(messages.flatMap((message) => message.role === "result" ? [[message.id, message]] : []))
  for (const message of messages) {
    if (message.role === "user") goals.push(short(message.text, 1_000))
    if (message.role !== "assistant") continue
    const text = textOf(message).trim()
    if (text !== "") said.push(short(text, 400))
    for (const call of callsOf(message)) {
      const result = results.get(call.id)
      if (result === undefined || result.text === droppedResult) continue
      const changes = !readers.test(call.name)
      if (result.outcome === "ok") for (const path of pathsIn(call.input)) files.set(path, changes || files.get(path) === true)
      if (call.name === "bash" && isRecord(call.input) && typeof call.input["command"] === "string") {
        commands.push(`\`${short(call.input["command"], 160)}\` -> ${result.outcome === "denied" ? "denied" : outcome(result.text)}`)
      }
    }
  }
  return { goals, files, said, commands }
}

/** Words that mark a sentence as one to keep. */
const weighty = /\b(decid|decision|choose|chose|chosen|will use|use[sd]? .* instead|instead of|because|must|never|always|agreed|plan|approach|root cause|the cause|found|turns out|fixed|conclu)/i

/** Of more lines than fit: the weighty ones, earliest and latest first, then the others from the end. */
const pick = (lines: ReadonlyArray<string>, room: number): ReadonlyArray<string> => {
  const ranked = lines.map((line, index) => ({ line, index })).toSorted((a, b) => {
    const weight = Number(weighty.test(b.line)) - Number(weighty.test(a.line))
    return weight !== 0 ? weight : weighty.test(a.line) ? Math.min(a.index, lines.length - a.index) - Math.min(b.index, lines.length - b.index) : b.index - a.index
  })
  let left = room
  const kept = ranked.filter(({ line }) => {
    const fits = line.length + 3 <= left
    if (fits) left -= line.length + 3
    return fits
  })
  return kept.toSorted((a, b) => a.index - b.index).map(({ line }) => line)
}

const section = (title: string, lines: ReadonlyArray<string>) => lines.length === 0 ? [] : [`${title}:`, ...lines.map((line) => `- ${line}`)]
const heading = "[Note by shiro: the older part of this conversation was dropped to save room. What it came to:]"
export const isNote = (message: Message) => message.role === "user" && message.text.startsWith(heading)

/** The note, in at most `room` characters. */
export const renderNote = (digest: Digest, room: number): string => {
  const goals = [...digest.goals.slice(0, 1), ...pick(digest.goals.slice(1), room * 0.15).map((goal) => short(goal, 300))]
  const changed = [...digest.files].filter(([, changes]) => changes).map(([path]) => path)
  const read = [...digest.files].filter(([, changes]) => !changes).map(([path]) => path)
  const names = (paths: ReadonlyArray<string>, most: number) => {
    let left = most
    const kept = paths.toReversed().filter((path) => (left -= path.length + 2) >= 0).toReversed()
    return kept.length === 0 ? [] : [kept.join(", ") + (kept.length < paths.length ? ` and ${paths.length - kept.length} more` : "")]
  }
  return [
    heading,
    ...section("Asked for", goals),
    ...section("Files changed", names(changed, room * 0.12)),
    ...section("Files read", names(read, room * 0.08)),
    ...section("Decided and found, in your words", pick(digest.said, room * 0.4)),
    ...section("Commands and how they ended", pick(digest.commands, room * 0.2)),
    "Read files again where details matter."
  ].join("\n")
}
