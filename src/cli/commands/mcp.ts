import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Runtime from "effect/Runtime"
import * as Scope from "effect/Scope"
import type { ConfigUnusable } from "../../services/config/load.js"
import type { NoWorkspace } from "../../services/jail/live.js"
import { IdsLive } from "../../services/Ids.js"
import type { Ids } from "../../services/Ids.js"
import type { Toolbox } from "../../services/Toolbox.js"
import { wholeToolbox } from "../layers.js"
import { approverOf, firstRoot, makeServer, serve } from "../mcp/server.js"
import { exitCode } from "../output/exitCode.js"
import { errLine } from "../output/text.js"
import type { Main } from "../run.js"
import { troubles } from "../troubles.js"

/** `shiro mcp`: until the client closes its end. Nothing but the protocol goes to stdout. */
export const main: Main = (line) =>
  Effect.scoped(Effect.gen(function*() {
    const server = makeServer()
    const closed = yield* Deferred.make<void>()
    const ready = yield* Deferred.make<Runtime.Runtime<Toolbox | Ids>, NoWorkspace | ConfigUnusable>()
    const fork = Runtime.runFork(yield* Effect.runtime<never>())
    const scope = yield* Effect.scope
    const build = Effect.gen(function*() {
      const root = yield* firstRoot(server)
      const layer = Layer.merge(wholeToolbox(line, { root, approver: approverOf(server) }), IdsLive)
      const runtime = yield* Layer.toRuntime(layer).pipe(Effect.provideService(Scope.Scope, scope))
      for (const trouble of yield* Effect.provide(troubles, runtime)) yield* errLine(`notice: ${trouble}`)
      return runtime
    })
    server.oninitialized = () => void fork(Effect.intoDeferred(build, ready))
    server.onclose = () => void fork(Deferred.succeed(closed, undefined))
    const endCalls = serve(server, () => Runtime.runPromise(Runtime.defaultRuntime)(Deferred.await(ready)))
    yield* Effect.acquireRelease(
      Effect.promise(() => server.connect(new StdioServerTransport())),
      () => Effect.promise(() => server.close())
    )
    process.stdin.on("end", () => void fork(Deferred.succeed(closed, undefined)))
    yield* Effect.addFinalizer(() => endCalls)
    yield* Effect.raceFirst(Deferred.await(closed), Effect.zipRight(Deferred.await(ready), Effect.never))
    return exitCode.done
  }))
