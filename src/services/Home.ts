import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Host } from "./Host.js"

/** shiro's own folder: configuration, sessions, journals, notes. `SHIRO_HOME`, else `~/.shiro`. Absolute. */
export class Home extends Context.Tag("shiro/Home")<Home, { readonly folder: string }>() {}

export const HomeLive = Layer.effect(
  Home,
  Effect.map(Host, (host) => Home.of({ folder: host.env["SHIRO_HOME"] || `${host.homeFolder}/.shiro` }))
)
/** shiro's home folder by its path, `/home/me/.shiro` if none is given; nothing is made. */
export const HomeMemory = (folder = "/home/me/.shiro") => Layer.succeed(Home, Home.of({ folder }))
