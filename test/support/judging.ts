import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Approver, ApproverNobody } from "../../src/services/Approver.js"
import { CommandsLive } from "../../src/services/command/live.js"
import { ConfigMemory } from "../../src/services/Config.js"
import { JailMemory } from "../../src/services/Jail.js"
import { PermissionsLive } from "../../src/services/permissions/live.js"
import { Permissions, type Request, type Verdict } from "../../src/services/Permissions.js"
import { guard } from "../../src/services/plugins/guard.js"
import { type Plugin, Plugins, PluginsMemory } from "../../src/services/Plugins.js"
import { SecretsMemory } from "../../src/services/secrets/memory.js"
import { SurroundingsMemory } from "../../src/services/surroundings/memory.js"

export interface Given {
  readonly rules?: Readonly<Record<string, unknown>>
  readonly yolo?: boolean
  readonly guard?: boolean
  readonly plugins?: ReadonlyArray<Plugin>
  readonly secrets?: ReadonlyArray<string>
  readonly approver?: Layer.Layer<Approver>
  readonly surroundings?: NonNullable<Parameters<typeof SurroundingsMemory>[0]>
}

/** The live judge over memory layers, with the guard where it is wanted. */
export const judging = (given: Given = {}): Layer.Layer<Permissions> => {
  const surroundings = SurroundingsMemory(given.surroundings)
  const plugins = given.guard === true
    ? Layer.effect(Plugins, Effect.map(guard, (each) => Plugins.of({ problems: [], all: [each] }))).pipe(Layer.provide(Layer.merge(CommandsLive, surroundings)))
    : PluginsMemory(given.plugins)
  return PermissionsLive.pipe(Layer.provide(Layer.mergeAll(
    ConfigMemory(given.rules === undefined ? {} : { permission: given.rules }, given.yolo),
    JailMemory(),
    plugins,
    SecretsMemory(given.secrets),
    surroundings,
    given.approver ?? ApproverNobody
  )))
}

export const bash = (command: string): Request<string, unknown> =>
  ({ tool: "bash", touches: "executes", subjects: [{ command }], input: { command } })
export const verdictOn = (command: string): Effect.Effect<Verdict, never, Permissions> =>
  Effect.flatMap(Permissions, (permissions) => permissions.explain(bash(command)))
