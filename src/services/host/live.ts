import * as Layer from "effect/Layer"
import { homedir } from "node:os"
import { Host } from "../Host.js"

export const HostLive = Layer.sync(Host, () =>
  Host.of({
    platform: process.platform,
    env: { ...process.env },
    homeFolder: homedir(),
    cwd: process.cwd(),
    pid: process.pid
  }))
