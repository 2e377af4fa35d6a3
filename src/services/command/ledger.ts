import { type Analysis, type Field, hole, type Input, type Simple, type Written } from "../Commands.js"

const mostSteps = 20_000
/** Beyond this many commands a line is not one that anybody reads. */
const mostCommands = 20_000

/** A source is read by people. */
const shown = (simple: Simple): Simple => simple.source.includes(hole) ? { ...simple, source: simple.source.replaceAll(hole, "…") } : simple

/** What an analysis has found so far. */
export class Ledger {
  private readonly commands = new Map<string, Simple>()
  private readonly writes: Array<Written> = []
  private readonly doubts = new Set<string>()
  private unread: string | null = null
  private bomb: string | null = null
  private steps = 0

  command(simple: Simple) {
    const { folders, input, reach, sets, words } = simple
    const key = JSON.stringify([words.map(({ fetched, literal, many, text }) => [text, many, literal, fetched]), sets, reach, folders, input])
    if (!this.commands.has(key)) this.commands.set(key, shown(simple))
    if (this.commands.size > mostCommands) this.giveUp("it runs too many commands to list")
  }
  write(path: Field, source: string, folders: ReadonlyArray<string | null>, input: Pick<Input, "fetched">) {
    this.writes.push({ path, source: source.replaceAll(hole, "…"), folders, fetched: input.fetched })
  }
  doubt(why: string) {
    this.doubts.add(why)
  }
  giveUp(why: string) {
    this.unread ??= why
  }
  explodes(name: string) {
    this.bomb ??= name
  }
  /** Counts work, the words of a command in it; false when there has been too much of it. */
  step(words = 0): boolean {
    this.steps += 1 + Math.floor(words / 20)
    if (this.steps > mostSteps) this.giveUp("it is too involved to be followed")
    return this.steps <= mostSteps
  }

  analysis(line: string): Analysis {
    return { line, commands: [...this.commands.values()], writes: this.writes, unread: this.unread, doubts: [...this.doubts], bomb: this.bomb }
  }
}
