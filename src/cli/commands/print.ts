import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Ref from "effect/Ref"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import type { Stop } from "../../services/Agent.js"
import { Agent, AgentEvent, AgentOptions } from "../../services/Agent.js"
import { ApproverNobody } from "../../services/Approver.js"
import type { Fault } from "../../services/Fault.js"
import type { Line } from "../argv.js"
import { UsageError } from "../argv.js"
import { wholeAgent } from "../layers.js"
import { agentOptionsOf } from "../options.js"
import { printEvent } from "../output/events.js"
import { codeOf, exitCode } from "../output/exitCode.js"
import { errLine, outLine } from "../output/text.js"
import type { Main } from "../run.js"
import { readStdin } from "../stdin.js"
import { serverTroubles, troubles } from "../troubles.js"

const encode = Schema.encodeSync(Schema.parseJson(AgentEvent))

const codeOfStop: Readonly<Record<Stop, number>> = {
  end: exitCode.done,
  steps: exitCode.limit,
  cost: exitCode.limit,
  time: exitCode.limit,
  error: exitCode.failed,
  interrupted: exitCode.interrupted
}

/** The argument, then standard input where there is some. */
const promptOf = Effect.fnUntraced(function*(line: Line) {
  const [given] = line.positionals
  const piped = yield* readStdin(given === undefined && !process.stdin.isTTY)
  if (given !== undefined && piped === null && !process.stdin.isTTY) {
    yield* errLine("notice: nothing came on standard input within 1 s, so it was ignored")
  }
  const prompt = [given ?? "", piped ?? ""].map((part) => part.trim()).filter((part) => part !== "").join("\n\n")
  if (prompt === "") return yield* new UsageError({ message: "There is no prompt. Give one: shiro -p \"explain src/main.ts\", or pipe one in." })
  return prompt
})

/** One turn without a terminal: the answer, or every event, on stdout; all else on stderr. */
export const runTurn = (run: { readonly line: Line; readonly prompt: string; readonly env?: Readonly<Record<string, string>> }): Effect.Effect<number, Fault> =>
  Effect.gen(function*() {
    const { line, prompt } = run
    const agent = yield* Agent
    const asJson = line.flags.has("json")
    const print = asJson ? (event: AgentEvent) => outLine(encode(event)) : yield* printEvent
    for (const message of yield* troubles) yield* print({ type: "notice", message })
    // The first request waits for the servers too, so this is told before the answer.
    yield* Effect.forkScoped(Effect.flatMap(serverTroubles, Effect.forEach((message) => print({ type: "notice", message }))))
    const code = yield* Ref.make<number>(exitCode.failed)
    const told = yield* Ref.make(false)
    const turn = yield* agent.turn(prompt).pipe(
      Stream.tap((event) => event.type === "done" ? Ref.set(code, codeOfStop[event.stop]) : Effect.void),
      Stream.runForEach((event) => Effect.zipRight(print(event), event.type === "error" ? Ref.set(told, true) : Effect.void)),
      Effect.zipRight(Ref.get(code)),
      // As text the event was on stderr already; as JSON it was on stdout, and stderr says it for people.
      Effect.catchAll((fault) => Effect.flatMap(Ref.get(told), (already) => already && !asJson ? Effect.succeed(codeOf(fault)) : Effect.fail(fault))),
      Effect.forkScoped
    )
    // A signal ends the turn from within, so that `done` is told and the session can be gone on with.
    return yield* Effect.onInterrupt(Fiber.join(turn), () =>
      Effect.zipRight(agent.interrupt, Effect.timeoutOption(Fiber.await(turn), "5 seconds")))
  }).pipe(
    Effect.provide(wholeAgent(run.line, { approver: ApproverNobody, ...run.env === undefined ? {} : { env: run.env } })),
    Effect.provideService(AgentOptions, agentOptionsOf(run.line)),
    Effect.scoped
  )

export const main: Main = (line) => Effect.flatMap(promptOf(line), (prompt) => runTurn({ line, prompt }))
