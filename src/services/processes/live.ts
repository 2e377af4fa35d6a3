import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { randomUUID } from "node:crypto"
import { Host } from "../Host.js"
import type { Outcome, ProcessSpec } from "../Processes.js"
import { Processes, ProcessTimedOut, ProgramMissing } from "../Processes.js"
import type { Child } from "./child.js"
import { start } from "./child.js"
import { locate } from "./locate.js"
import type { Target } from "./tree.js"
import { groupExists, killNow, members, stopTree } from "./tree.js"

/** How long something may hold the pipes, or stay in the group, after the program itself has ended. */
const graceMillis = 200
/** After a kill the system has to report the end and the last output; nothing that still writes is waited for longer. */
const reportMillis = 500

/** A time limit that holds in an uninterruptible region too: finalizers run programs as well. */
const within = <A>(millis: number, wait: Effect.Effect<A>) => Effect.timeoutOption(Effect.interruptible(wait), millis)

/** Processes that were left running, by pid, and what tells each from a later one of the same number. */
type Left = Map<number, { readonly target: Target; readonly started: string }>

/** Interrupted, or a listener's bug: the program still runs. A time limit has stopped it already. */
const isUnexpected = (exit: Exit.Exit<unknown, unknown>): boolean =>
  Exit.isFailure(exit) && Option.isNone(Cause.failureOption(exit.cause))

const make = (platform: NodeJS.Platform) => {
  const prefix = randomUUID()
  const running = new Set<Target>()
  const left: Left = new Map()
  let count = 0

  const stopChild = Effect.fnUntraced(function*(child: Child) {
    yield* stopTree(platform, child.target)
    yield* within(reportMillis, Effect.zipRight(child.closed, child.exited))
    child.letGo()
  })

  const leftBy = Effect.fnUntraced(function*(child: Child, background: boolean) {
    if (!child.isClosed()) yield* within(graceMillis, child.closed)
    const waited = !child.isClosed()
    if (!waited && !background && !groupExists(platform, child.target)) return []
    const look = () => members(platform, child.target, { first: child.target.group ?? 0 })
    for (let pause = 5; pause <= 80 && !waited; pause *= 2) {
      if (look().length === 0) return []
      yield* Effect.sleep(pause)
    }
    const entries = look()
    for (const { pid, started } of entries) left.set(pid, { target: child.target, started })
    return entries.map(({ pid }) => pid)
  })

  const outcome = Effect.fnUntraced(function*(child: Child, spec: ProcessSpec) {
    const waited = yield* spec.timeoutMillis === undefined ? Effect.asSome(child.ended) : within(spec.timeoutMillis, child.ended)
    if (Option.isNone(waited)) {
      yield* stopChild(child)
      const { stderr, stdout } = child.captured()
      return yield* new ProcessTimedOut({
        program: spec.program,
        millis: spec.timeoutMillis ?? 0,
        stdout: stdout.head + stdout.tail,
        stderr: stderr.head + stderr.tail
      })
    }
    const cut = waited.value === null
    if (cut) yield* stopChild(child)
    const pids = cut ? [] : yield* leftBy(child, spec.background === true)
    child.letGo()
    const { exitCode, signal } = waited.value ?? { exitCode: null, signal: "SIGTERM" }
    const result: Outcome = { exitCode, signal, ...child.captured(), cut, left: pids }
    return result
  })

  const run = Effect.fn("Processes.run")(function*(spec: ProcessSpec) {
    const file = platform === "win32" ? spec.program : locate(spec.program, spec.env["PATH"], spec.outside)
    if (file === null) return yield* new ProgramMissing({ program: spec.program, code: "ENOENT" })
    const started = Effect.tap(start(spec, file, `${prefix}-${++count}`, platform), ({ target }) => {
      running.add(target)
    })
    return yield* Effect.acquireUseRelease(
      started,
      (child) => outcome(child, spec),
      (child, exit) =>
        Effect.zipRight(
          isUnexpected(exit) ? stopChild(child) : Effect.void,
          Effect.sync(() => running.delete(child.target))
        )
    )
  })

  const stop = Effect.fn("Processes.stop")(function*(pids: ReadonlyArray<number>) {
    const targets = new Set<Target>()
    for (const pid of pids) {
      const known = left.get(pid)
      if (known !== undefined) targets.add(known.target)
    }
    yield* Effect.forEach(targets, (target) => {
      // While one of them lives the group is theirs; after that its number may be somebody else's.
      const ours = members(platform, target).some(({ pid, started }) => left.get(pid)?.started === started)
      return stopTree(platform, ours ? target : { ...target, group: null })
    }, { concurrency: "unbounded", discard: true })
    for (const pid of pids) left.delete(pid)
  })

  return { service: Processes.of({ run, stop }), killAll: () => running.forEach((target) => killNow(platform, target)) }
}

/** Also when the program ends without ending its scopes (`process.exit`, a defect): what runs then is killed. */
export const ProcessesLive = Layer.scoped(Processes, Effect.gen(function*() {
  const { platform } = yield* Host
  const { killAll, service } = make(platform)
  yield* Effect.acquireRelease(
    Effect.sync(() => process.on("exit", killAll)),
    () => Effect.sync(() => process.off("exit", killAll))
  )
  return service
}))
