import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { createHash } from "node:crypto"
import * as fs from "node:fs"
import { hostname } from "node:os"
import { Host } from "../Host.js"

/** Who writes: this run of shiro, told apart from every other on any machine that shares the home. */
export class OwnerOf extends Context.Tag("shiro/OwnerOf")<OwnerOf, {
  /** Letters, digits and dashes only. */
  readonly self: string
  /** Whether that run still lives; null where that cannot be told from here. */
  readonly lives: (owner: string) => Effect.Effect<boolean | null>
}>() {}

const textOf = (path: string): string | null => {
  try {
    return fs.readFileSync(path, "utf8")
  } catch {
    return null
  }
}
/** Numbers of processes mean something within one boot and one namespace only. */
const machine = (): string => {
  let namespace = ""
  try {
    namespace = fs.readlinkSync("/proc/self/ns/pid")
  } catch {
    // no namespaces here
  }
  const facts = `${textOf("/proc/sys/kernel/random/boot_id") ?? hostname()} ${namespace}`
  return createHash("sha256").update(facts).digest("hex").slice(0, 12)
}
/** When a process began, so that another one of its number is not taken for it; null for a dead one (a zombie included). */
const beginning = (pid: number): string | null => {
  const stat = textOf(`/proc/${pid}/stat`)
  if (stat === null) return null
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
  return fields[0] === "Z" || fields[0] === "X" ? null : fields[19] ?? null
}
const answers = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM"
  }
}

export const OwnerLive = Layer.effect(OwnerOf, Effect.map(Host, ({ pid }) => {
  const here = machine()
  const hasProc = beginning(pid) !== null
  return OwnerOf.of({
    self: `${here}-${pid}-${beginning(pid) ?? "0"}`,
    lives: (owner) =>
      Effect.sync(() => {
        const [where, number, began] = owner.split("-")
        if (where !== here) return null
        return hasProc ? beginning(Number(number)) === began : answers(Number(number))
      })
  })
}))

/** A run of that name; the others live unless they are among `dead`. */
export const OwnerMemory = (self = "me", dead: ReadonlyArray<string> = []) =>
  Layer.succeed(OwnerOf, OwnerOf.of({ self, lives: (owner) => Effect.succeed(!dead.includes(owner)) }))
