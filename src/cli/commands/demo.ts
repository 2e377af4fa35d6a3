import * as Effect from "effect/Effect"
import { spawnSync } from "node:child_process"
import { cp, mkdtemp, realpath, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { exitCode } from "../output/exitCode.js"
import { errLine, outLine } from "../output/text.js"
import { packageFolder } from "../package.js"
import type { Main } from "../run.js"
import { runTurn } from "./print.js"

const folder = Effect.acquireRelease(
  Effect.promise(async () => realpath(await mkdtemp(join(tmpdir(), "shiro-demo-")))),
  (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
)

const testsPass = (project: string) =>
  Effect.sync(() => spawnSync(process.execPath, ["--test"], { cwd: project, stdio: "ignore" }).status === 0)

/** `shiro demo`: the bundled project with its failing test, a scripted model, and everything else real. */
export const main: Main = (line) =>
  Effect.scoped(Effect.gen(function*() {
    const source = join(packageFolder(), "demo")
    const scratch = yield* folder
    const project = join(scratch, "project")
    yield* Effect.promise(() => cp(join(source, "project"), project, { recursive: true }))
    yield* errLine(`A small project with a failing test, in ${project}. The model is a script; the tools are real.\n`)
    const code = yield* runTurn({
      line: { ...line, flags: new Map<string, string | true>([["cwd", project], ["provider", "script"], ["yolo", true], ["no-mcp", true], ["no-memory", true]]) },
      prompt: "A test of this project fails. Find out why and mend it.",
      env: { SHIRO_SCRIPT: join(source, "script.json"), SHIRO_HOME: join(scratch, "home") }
    })
    const passed = yield* testsPass(project)
    yield* outLine(passed ? "\nThe project's tests pass now." : "\nThe project's tests still fail. Run shiro doctor.")
    return code !== exitCode.done ? code : passed ? exitCode.done : exitCode.failed
  }))
