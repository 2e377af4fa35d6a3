import * as Layer from "effect/Layer"
import { machineLayer } from "../layers/machine.js"
import { agentLayer, servicesLayer, toolboxOver } from "../layers/whole.js"
import { ConfigLive } from "../services/config/live.js"
import { SessionsLive } from "../services/sessions/live.js"
import type { Line } from "./argv.js"
import type { Extra } from "./options.js"
import { optionsOf } from "./options.js"

/** The layers that commands run on, by their line. */

export const machine = (line: Line) => machineLayer(optionsOf(line))
/** The machine and its configuration, without anything that works on the workspace. */
export const base = (line: Line) => {
  const options = optionsOf(line)
  return ConfigLive(options.config, options.yolo).pipe(Layer.provideMerge(machineLayer(options)))
}
export const configured = (line: Line) => servicesLayer(optionsOf(line))
export const wholeToolbox = (line: Line, extra: Extra = {}) => toolboxOver(optionsOf(line, extra))
/** For `shiro tool`: what a command leaves in the background stays, since nobody is there to end it later. */
export const oneTool = (line: Line) => toolboxOver({ ...optionsOf(line, { background: "stay" }), mcp: line.positionals[0]?.startsWith("mcp__") === true })
export const wholeAgent = (line: Line, extra: Extra = {}) => agentLayer(optionsOf(line, extra))
export const sessionsOf = (line: Line) => SessionsLive.pipe(Layer.provide(machine(line)))

