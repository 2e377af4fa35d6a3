import * as Effect from "effect/Effect"
import { accessSync, constants } from "node:fs"
import { delimiter, join } from "node:path"
import type { Host } from "../Host.js"
import { packagedRipgrep } from "./packaged.js"

export interface Ripgrep {
  readonly path: string
  readonly origin: "packaged" | "PATH" | "SHIRO_RIPGREP"
}

const runnable = (path: string) => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

const onPath = (host: typeof Host.Service): string | null =>
  (host.env["PATH"] ?? "").split(delimiter).filter((folder) => folder.startsWith("/") || /^[a-z]:/i.test(folder))
    .map((folder) => join(folder, host.platform === "win32" ? "rg.exe" : "rg")).find(runnable) ?? null

/** Packaged ripgrep first, then PATH; `SHIRO_RIPGREP` names another one, or is `off` (decisions.md). Null: there is none. */
export const locateRipgrep = (host: typeof Host.Service): Effect.Effect<Ripgrep | null> =>
  Effect.sync(() => {
    const wanted = host.env["SHIRO_RIPGREP"]
    if (wanted === "off") return null
    if (wanted !== undefined && wanted !== "") return { path: wanted, origin: "SHIRO_RIPGREP" }
    const own = packagedRipgrep(host.platform)
    if (own !== null && runnable(own)) return { path: own, origin: "packaged" }
    const other = onPath(host)
    return other === null ? null : { path: other, origin: "PATH" }
  })
