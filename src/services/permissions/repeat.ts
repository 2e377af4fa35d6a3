import { createHash } from "node:crypto"

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === "object" && value !== null

/** JSON with keys in order, so that equal inputs are equal texts whatever order their keys came in. */
const canonical = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`
  if (isRecord(value)) {
    return `{${Object.keys(value).sort().map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join(",")}}`
  }
  return JSON.stringify(value) ?? "null"
}

/** A request, whose name is asked for several times in its life. */
interface Asked {
  readonly tool: string
  readonly input: unknown
}
const identities = new WeakMap<Asked, string>()

/** One name for a tool with this decoded input. */
export const identityOf = (request: Asked): string => {
  const known = identities.get(request)
  if (known !== undefined) return known
  const { input, tool } = request
  const text = `${JSON.stringify(tool)}${canonical(input)}`
  const identity = text.length <= 200 ? text : createHash("sha256").update(text).digest("base64")
  identities.set(request, identity)
  return identity
}

/** The identical call that stops for approval (permissions.md, Repeat guard). */
export const mostRepeats = 3
const mostTurns = 64

/** How often a call was made in a turn. Keeps the turns used last. */
export interface Repeats {
  /** Counts the call; gives how many there were, this one included. */
  readonly count: (turn: string, identity: string, isCommand: boolean) => number
  /** Commands count anew: something was written in between. */
  readonly restart: (turn: string) => void
}

export const makeRepeats = (): Repeats => {
  const turns = new Map<string, { readonly calls: Map<string, number>; readonly commands: Map<string, number> }>()
  const turnOf = (turn: string) => {
    const known = turns.get(turn) ?? { calls: new Map<string, number>(), commands: new Map<string, number>() }
    turns.delete(turn)
    turns.set(turn, known)
    for (const oldest of turns.keys()) {
      if (turns.size <= mostTurns) break
      turns.delete(oldest)
    }
    return known
  }
  return {
    count: (turn, identity, isCommand) => {
      const known = turnOf(turn)
      const counts = isCommand ? known.commands : known.calls
      const count = (counts.get(identity) ?? 0) + 1
      counts.set(identity, count)
      return count
    },
    restart: (turn) => turnOf(turn).commands.clear()
  }
}
