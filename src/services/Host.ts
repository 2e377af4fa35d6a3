import * as Context from "effect/Context"
import * as Layer from "effect/Layer"

/** As Node names it; spelt out, so that who embeds shiro needs no types of Node's. */
export type Platform =
  | "aix" | "android" | "darwin" | "freebsd" | "haiku" | "linux" | "openbsd" | "sunos" | "win32" | "cygwin" | "netbsd"

/** Facts about the machine and this process. The one place where the environment is read. */
export class Host extends Context.Tag("shiro/Host")<Host, {
  readonly platform: Platform
  /** The environment as shiro was started with it. Never handed to a model. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** The user's home folder, absolute. */
  readonly homeFolder: string
  /** The folder shiro was started in, absolute. */
  readonly cwd: string
  readonly pid: number
}>() {}

/** A Linux machine with an empty environment, home `/home/me`, in `/ws`, except where facts are given. */
export const HostMemory = (facts: Partial<Context.Tag.Service<Host>> = {}) =>
  Layer.succeed(Host, Host.of({ platform: "linux", env: {}, homeFolder: "/home/me", cwd: "/ws", pid: 1, ...facts }))
