import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FiberId from "effect/FiberId"
import type { ChildProcess, SpawnOptions } from "node:child_process"
import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { Socket } from "node:net"
import type { Readable } from "node:stream"
import type { Captured, ProcessSpec } from "../Processes.js"
import { ProgramMissing } from "../Processes.js"
import { collector } from "./collector.js"
import { pathOutside } from "./locate.js"
import type { Target } from "./tree.js"
import { markVariable } from "./tree.js"

export interface Ended {
  readonly exitCode: number | null
  readonly signal: string | null
}
/** A started program, its pipes being drained. */
export interface Child {
  readonly target: Target
  /** its own end, or null when `stopAfterBytes` was reached before */
  readonly ended: Effect.Effect<Ended | null>
  /** its own end in any case */
  readonly exited: Effect.Effect<Ended>
  /** both pipes have ended */
  readonly closed: Effect.Effect<void>
  readonly isClosed: () => boolean
  readonly captured: () => { readonly stdout: Captured; readonly stderr: Captured }
  /** From now on what comes is thrown away, and the pipes keep nobody waiting; writers into them go on unhindered. */
  readonly letGo: () => void
}

const codeOf = (cause: unknown): string =>
  typeof cause === "object" && cause !== null && "code" in cause && typeof cause.code === "string" ? cause.code : "UNKNOWN"

const missing = (spec: ProcessSpec, cause: unknown) => {
  const code = codeOf(cause)
  return new ProgramMissing({ program: spec.program, code: code === "ENOENT" && !existsSync(spec.cwd) ? "ENOCWD" : code })
}

const optionsOf = (spec: ProcessSpec, mark: string, platform: NodeJS.Platform): SpawnOptions => {
  const { PATH, [markVariable]: outer } = spec.env
  const path = PATH === undefined || spec.outside === undefined ? {} : { PATH: pathOutside(PATH, spec.outside) }
  return {
    cwd: spec.cwd,
    argv0: spec.program,
    env: { ...spec.env, ...path, [markVariable]: outer === undefined ? mark : `${outer} ${mark}` },
    stdio: [spec.stdin === undefined ? "ignore" : "pipe", "pipe", "pipe"],
    detached: platform !== "win32",
    windowsHide: true,
    windowsVerbatimArguments: spec.verbatim === true
  }
}

const drain = (pipe: Readable | null, push: (chunk: Buffer) => void, end: () => void): void => {
  pipe?.on("data", push)
  pipe?.on("end", end)
  // A pipe that breaks has ended; `close` follows.
  pipe?.on("error", () => {})
}

const watch = (process: ChildProcess, pid: number, spec: ProcessSpec, mark: string): Child => {
  const stdout = collector(spec, spec.onStdout)
  const stderr = collector(spec, spec.onStderr)
  const ended = Deferred.unsafeMake<Ended | null>(FiberId.none)
  const exited = Deferred.unsafeMake<Ended>(FiberId.none)
  const closed = Deferred.unsafeMake<void>(FiberId.none)
  let isClosed = false
  let open = true
  /** What a listener throws is a bug of its owner's, who waits for `ended`. */
  const guarded = (work: () => void) => {
    if (!open) return
    try {
      work()
    } catch (defect) {
      open = false
      Deferred.unsafeDone(ended, Exit.die(defect))
    }
  }
  drain(process.stdout, (chunk) => guarded(() => {
    stdout.push(chunk)
    if (spec.stopAfterBytes === undefined || stdout.total() < spec.stopAfterBytes) return
    open = false
    Deferred.unsafeDone(ended, Exit.succeed(null))
  }), () => guarded(stdout.end))
  drain(process.stderr, (chunk) => guarded(() => stderr.push(chunk)), () => guarded(stderr.end))
  process.on("exit", (exitCode, signal) => {
    Deferred.unsafeDone(exited, Exit.succeed({ exitCode, signal }))
    Deferred.unsafeDone(ended, Exit.succeed({ exitCode, signal }))
  })
  process.on("close", () => {
    isClosed = true
    Deferred.unsafeDone(closed, Exit.void)
  })
  if (spec.stdin !== undefined) {
    // A program need not read what it is given.
    process.stdin?.on("error", () => {})
    process.stdin?.end(spec.stdin)
  }
  return {
    target: { group: pid, mark },
    ended: Deferred.await(ended),
    exited: Deferred.await(exited),
    closed: Deferred.await(closed),
    isClosed: () => isClosed,
    captured: () => ({ stdout: stdout.captured(), stderr: stderr.captured() }),
    letGo: () => {
      guarded(stdout.end)
      guarded(stderr.end)
      open = false
      for (const pipe of [process.stdin, process.stdout, process.stderr]) if (pipe instanceof Socket) pipe.unref()
    }
  }
}

/** Starts the file found for the spec's program. Ends once it runs. */
export const start = (spec: ProcessSpec, file: string, mark: string, platform: NodeJS.Platform) =>
  Effect.async<Child, ProgramMissing>((resume) => {
    try {
      const process = spawn(file, [...spec.args], optionsOf(spec, mark, platform))
      process.on("error", (cause) => resume(Effect.fail(missing(spec, cause))))
      const { pid } = process
      if (pid !== undefined) resume(Effect.succeed(watch(process, pid, spec, mark)))
    } catch (cause) {
      resume(Effect.fail(missing(spec, cause)))
    }
  })
