import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import { AgentOptions } from "../../services/Agent.js"
import type { Fault } from "../../services/Fault.js"
import type { Line } from "../argv.js"
import { wholeAgent } from "../layers.js"
import { agentOptionsOf } from "../options.js"
import { exitCode } from "../output/exitCode.js"
import type { Controls } from "./controls.js"
import { makeFeed } from "./feed.js"
import { headerLines } from "./header.js"
import { makeMarkdown } from "./markdown.js"
import { makePeople } from "./people.js"
import type { Table } from "./session.js"
import { runSession } from "./session.js"
import { firstScreen, makeStore } from "./state.js"
import type { Style } from "./style.js"

/** What differs between a terminal that is drawn on and one that is only written to. */
export interface Front {
  readonly style: Style
  /** prints finished lines */
  readonly print: (text: string) => void
  readonly keyboard: Effect.Effect<Pick<Table, "onKey">, never, Scope.Scope>
  /** shows what is going on and takes input, until the scope ends; `flush` prints at once what waits to be printed */
  readonly start: (controls: Controls, flush: () => void) => Effect.Effect<void, never, Scope.Scope>
}

/** The interactive mode over one front. */
export const conduct = (line: Line, { keyboard, print, start, style }: Front): Effect.Effect<number, Fault> =>
  Effect.scoped(Effect.gen(function*() {
    const width = () => process.stdout.columns || 80
    const screen = makeStore(firstScreen)
    const feed = makeFeed(screen, makeMarkdown(style, width), style, width, print)
    const people = yield* makePeople(screen, style)
    const scope = yield* Effect.scope
    yield* Effect.gen(function*() {
      const { onKey } = yield* keyboard
      feed.say(...yield* headerLines(style, width()))
      yield* runSession({ screen, style, feed, people, width, onKey }, line.positionals[0], (controls) =>
        Effect.provideService(start(controls, feed.flush), Scope.Scope, scope))
    }).pipe(
      Effect.provide(wholeAgent(line, { approver: people.approver, asker: people.asker })),
      Effect.provideService(AgentOptions, agentOptionsOf(line))
    )
    return exitCode.done
  }))
