import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Files } from "../../services/Files.js"
import { cut, resultCap, truncationNote } from "../text/cap.js"
import { closest } from "../text/closest.js"
import type { Step } from "../text/json/path.js"
import { stepsOf, written } from "../text/json/path.js"
import type { Member } from "../text/json/scan.js"
import { membersOf, NoJson, solid, valueEnd } from "../text/json/scan.js"
import { lineNumbersAt } from "../text/lines.js"
import { counted, listed } from "../text/number.js"
import * as Tool from "../Tool.js"

export class NotJson extends Schema.TaggedError<NotJson>()("NotJson", {
  path: Schema.String,
  line: Schema.Number,
  expected: Schema.String,
  found: Schema.String
}) {
  override get message() {
    return `${this.path} is not valid JSON: line ${this.line} has ${this.found} where ${this.expected} is expected.`
  }
}
export class BadQuery extends Schema.TaggedError<BadQuery>()("BadQuery", { reason: Schema.String }) {
  override get message() {
    return `The query is no path: ${this.reason}. Write it like scripts.build, items[0].name or a["key.with.dots"].`
  }
}
/** The path leads nowhere; `there` says what is at the place where it ends. */
export class NothingThere extends Schema.TaggedError<NothingThere>()("NothingThere", {
  path: Schema.String,
  step: Schema.String,
  at: Schema.String,
  there: Schema.String
}) {
  override get message() {
    return `No ${this.step} in ${this.at === "" ? this.path : `${this.at} of ${this.path}`}: ${this.there}.`
  }
}

type Kind = "object" | "array" | "text" | "value"
const kindAt = (text: string, at: number): Kind => {
  const char = text.charAt(at)
  return char === "{" ? "object" : char === "[" ? "array" : char === "\"" ? "text" : "value"
}

/** What is in a value, as far as it is to be told of: all of a miss has to be looked through anyway. */
interface Inside {
  readonly found: Member | null
  readonly keys: ReadonlyArray<string>
  readonly count: number
}

const look = (text: string, start: number, step: Step, kind: Kind): Inside | NoJson => {
  const keys = new Set<string>()
  const items: Array<Member> = []
  let found: Member | null = null
  let count = 0
  for (const member of membersOf(text, start)) {
    if (member instanceof NoJson) return member
    if (member.key !== null) {
      keys.add(member.key)
      // Of several of one name the last one counts, as for JSON.parse.
      if (member.key === step.key) found = member
    } else if (step.index === count) found = member
    if (kind === "array" && step.index !== null && step.index < 0) items.push(member)
    count++
  }
  if (step.index !== null && step.index < 0 && kind === "array") found = items.at(step.index) ?? null
  return { found, keys: [...keys], count: kind === "array" ? count : keys.size }
}

const thereOf = (kind: Kind, { count, keys }: Inside, wanted: string): string => {
  if (kind === "array") return `it is an array of ${counted(count, "item")}${count === 0 ? "" : ` (0 to ${count - 1})`}`
  if (count === 0) return "it is an object without keys"
  const near = closest(wanted, keys)
  return `its ${count === 1 ? "key is" : "keys are"} ${listed([...near, ...keys.filter((key) => !near.includes(key))].map((key) => key === "" ? `""` : key), 40)}`
}

const shallow: Readonly<Record<Kind, string>> = { object: "object", array: "array", text: "text", value: "value" }
/** The keys of an object or first items of an array that is too long to be shown. */
const summary = (text: string, start: number, end: number, kind: Kind, place: string, room: number): string => {
  const lines: Array<string> = []
  let count = 0
  let used = 0
  for (const member of membersOf(text, start)) {
    if (member instanceof NoJson) break
    count++
    const value = text.slice(member.start, Math.min(member.end, member.start + 61))
    const shown = member.end - member.start <= 60 ? value : `${shallow[kindAt(text, member.start)]} of ${counted(member.end - member.start, "character")}`
    const line = `${member.key === null ? `[${count - 1}]` : JSON.stringify(member.key)}: ${shown}`
    if (used + line.length < room) lines.push(line)
    used += line.length + 1
  }
  const left = count - lines.length
  const size = `${kind === "array" ? `an array of ${counted(count, "item")}` : `an object of ${counted(count, "key")}`} (${counted(end - start, "character")})`
  return `${place} is ${size}, too long to show. What is in it:\n${lines.join("\n")}${left > 0 ? `\n... [${left} more]` : ""}`
}

/** Lines behind the first without the indentation that the place in the file gave them. */
const dedented = (text: string, start: number, end: number): string => {
  const lineStart = text.lastIndexOf("\n", start) + 1
  const indent = /^[ \t]*/.exec(text.slice(lineStart, start))?.[0] ?? ""
  const value = text.slice(start, end)
  return indent === "" ? value : value.replaceAll(`\n${indent}`, "\n")
}

const rendered = (text: string, start: number, end: number, place: string): string => {
  const kind = kindAt(text, start)
  if (end - start > resultCap && (kind === "object" || kind === "array")) return summary(text, start, end, kind, place, resultCap - 1_000)
  const value = dedented(text, start, end)
  if (value.length <= resultCap) return value
  const head = cut(value, resultCap)
  return `${head.text}\n${truncationNote(head.removed)}`
}

export const jsonQuery = Tool.make({
  name: "json_query",
  set: "nav",
  description: "One value of a JSON file by path: `scripts.build`, `items[0]`, `a['b.c']`.",
  input: Schema.Struct({ path: Schema.String, query: Schema.String }),
  touches: "reads",
  subjects: ({ path }) => [{ path }],
  body: Effect.fn("json_query")(function*({ path: given, query }) {
    const steps = stepsOf(query)
    if (typeof steps === "string") return yield* new BadQuery({ reason: steps })
    const { path, text } = yield* (yield* Files).read(given)
    const notJson = ({ at, expected }: NoJson) =>
      new NotJson({
        path,
        expected,
        line: lineNumbersAt(text, [at])[0] ?? 1,
        found: at >= text.length ? "the end of the file" : JSON.stringify(text.slice(at, at + 20).split("\n", 1)[0] ?? "")
      })
    let start = solid(text, 0)
    let end = valueEnd(text, start)
    for (const [index, step] of steps.entries()) {
      const at = written(steps.slice(0, index))
      const kind = kindAt(text, start)
      const name = kind === "array" ? (step.index === null ? `key "${step.key}"` : `item ${step.index}`) : `key "${step.key}"`
      if (kind === "text" || kind === "value") {
        return yield* new NothingThere({ path, step: name, at, there: `it is ${typeof end === "number" ? text.slice(start, Math.min(end, start + 80)) : "no object"}` })
      }
      const inside = look(text, start, step, kind)
      if (inside instanceof NoJson) return yield* notJson(inside)
      if (inside.found === null) return yield* new NothingThere({ path, step: name, at, there: thereOf(kind, inside, step.key) })
      start = inside.found.start
      end = inside.found.end
    }
    if (typeof end !== "number") return yield* notJson(end)
    return rendered(text, start, end, steps.length === 0 ? path : written(steps))
  })
})
