import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { spawnSync } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"

/** What was started once. */
export interface Target {
  /** The process group, which is the first process's pid; null once it cannot be told from another of the same number. */
  readonly group: number | null
  /** Stands in the environment of all that came of it. */
  readonly mark: string
}
/** The variable that carries the marks, outermost first, so that what moved to a session of its own is still found. */
export const markVariable = "SHIRO_CHILD"

interface Entry {
  readonly pid: number
  readonly parent: number
  readonly group: number
  /** when it was started; with the pid it names a process for good */
  readonly started: string
}

const read = (file: string): string => {
  try {
    return readFileSync(file, "latin1")
  } catch {
    return ""
  }
}

/** The line of `/proc/PID/stat`, whose second field may itself hold spaces and brackets. Null: it is gone, or only waits to be reaped. */
export const parseStat = (line: string): Entry | null => {
  const rest = line.slice(line.lastIndexOf(")") + 2).split(" ")
  const [state, parent, group] = rest
  return state === undefined || group === undefined || state === "Z" || state === "X"
    ? null
    : { pid: Number.parseInt(line, 10), parent: Number(parent), group: Number(group), started: rest[19] ?? "" }
}
/** A line of `ps -A -o pid=,ppid=,pgid=,stat=,lstart=`. */
export const parsePs = (line: string): Entry | null => {
  const [pid, parent, group, state, ...started] = line.trim().split(/\s+/)
  return state === undefined || state.startsWith("Z")
    ? null
    : { pid: Number(pid), parent: Number(parent), group: Number(group), started: started.join(" ") }
}

/** The pids of Linux; those from `first` on where numbers have not begun anew since (the last field of loadavg is the newest pid). */
const pids = (first: number): ReadonlyArray<string> => {
  const all = readdirSync("/proc").filter((name) => /^\d+$/.test(name))
  const newest = Number(read("/proc/loadavg").trim().split(" ").at(-1))
  return newest >= first ? all.filter((pid) => Number(pid) >= first) : all
}
const entries = (platform: NodeJS.Platform, first: number): ReadonlyArray<Entry> => {
  const lines = platform === "linux"
    ? pids(first).map((pid) => read(`/proc/${pid}/stat`))
    : spawnSync("ps", ["-A", "-o", "pid=,ppid=,pgid=,stat=,lstart="], { encoding: "utf8" }).stdout.split("\n")
  return lines.filter((line) => line !== "").map(platform === "linux" ? parseStat : parsePs)
    .filter((entry) => entry !== null)
}

const isMarked = (pid: number, mark: string): boolean =>
  read(`/proc/${pid}/environ`).split("\0").some((entry) => entry.startsWith(`${markVariable}=`) && entry.includes(mark))

/**
 * What lives of a target now: its group, all descendants of these, and (on Linux) whatever carries the mark, which
 * finds double forks and sessions of their own. Never shiro itself. With `first`, a look at what is as new as that pid
 * only, which is cheaper and misses something only after all numbers were given out once. `known` are members found
 * before, which may have lost their parents since.
 */
export const members = (
  platform: NodeJS.Platform,
  target: Target,
  { first = 0, known = [] }: { readonly first?: number; readonly known?: ReadonlyArray<Entry> } = {}
): ReadonlyArray<Entry> => {
  if (platform === "win32") return []
  const isKnown = ({ pid, started }: Entry) => known.some((other) => other.pid === pid && other.started === started)
  const all = entries(platform, first).filter(({ pid }) => pid !== process.pid)
  const found = new Set<Entry>()
  const addWithChildren = (entry: Entry): void => {
    if (found.has(entry)) return
    found.add(entry)
    for (const other of all) if (other.parent === entry.pid) addWithChildren(other)
  }
  for (const entry of all) if (entry.group === target.group || isKnown(entry)) addWithChildren(entry)
  if (platform === "linux") {
    for (const entry of all) if (!found.has(entry) && isMarked(entry.pid, target.mark)) addWithChildren(entry)
  }
  return [...found]
}

export const taskkill = (pid: number): readonly [string, ReadonlyArray<string>] => ["taskkill", ["/PID", String(pid), "/T", "/F"]]

const signal = (pid: number, name: NodeJS.Signals | 0): boolean => {
  try {
    return process.kill(pid, name)
  } catch {
    return false
  }
}
const signalGroup = (target: Target, name: NodeJS.Signals | 0): boolean =>
  target.group !== null && target.group > 1 && signal(-target.group, name)

/** Whether anything at all is in the group, be it a process that only waits to be reaped. Costs one system call. */
export const groupExists = (platform: NodeJS.Platform, target: Target): boolean =>
  platform !== "win32" && signalGroup(target, 0)

/** At once and without asking; for when the program ends by `process.exit`. */
export const killNow = (platform: NodeJS.Platform, target: Target): void => {
  if (platform !== "win32") return void signalGroup(target, "SIGKILL")
  if (target.group === null) return
  const [program, args] = taskkill(target.group)
  spawnSync(program, args, { windowsHide: true })
}

const graceMillis = 1_000
const giveUpMillis = 2_000

/** Sends the signal to whatever there is until nothing is left or time is up; gives what is left. */
const sendUntilGone = Effect.fnUntraced(function*(
  platform: NodeJS.Platform,
  target: Target,
  before: ReadonlyArray<Entry>,
  name: NodeJS.Signals,
  limitMillis: number
) {
  const end = (yield* Clock.currentTimeMillis) + limitMillis
  const told = new Set<number>()
  let known = before
  // Before the first signal, since a child is found by its parent as long as that lives.
  for (let pause = 2;; pause = Math.min(50, pause * 2)) {
    known = members(platform, target, { known })
    if (known.length === 0) return known
    const groupTold = told.size === 0 && signalGroup(target, name)
    for (const { group, pid } of known) {
      if (!told.has(pid) && !(groupTold && group === target.group)) signal(pid, name)
      told.add(pid)
    }
    if ((yield* Clock.currentTimeMillis) >= end) return known
    yield* Effect.sleep(pause)
  }
})

/** TERM to everything of the target, KILL to what is still there after a second; ends when nothing lives any more. */
export const stopTree = Effect.fnUntraced(function*(platform: NodeJS.Platform, target: Target) {
  if (platform === "win32") return killNow(platform, target)
  const deaf = yield* sendUntilGone(platform, target, [], "SIGTERM", graceMillis)
  if (deaf.length > 0) yield* sendUntilGone(platform, target, deaf, "SIGKILL", giveUpMillis)
})
