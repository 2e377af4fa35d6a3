import * as Effect from "effect/Effect"
import { accessSync, constants } from "node:fs"
import { createRequire } from "node:module"
import { delimiter, join } from "node:path"
import type { Host } from "../Host.js"

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

/** Asks the platform's package for its binary; `@vscode/ripgrep` itself throws where there is none. */
const packaged = (platform: string): string | null => {
  const name = platform === "win32" ? "rg.exe" : "rg"
  try {
    const fromRipgrep = createRequire(createRequire(import.meta.url).resolve("@vscode/ripgrep"))
    return fromRipgrep.resolve(`@vscode/ripgrep-${platform}-${process.arch}/bin/${name}`)
  } catch {
    return null
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
    const own = packaged(host.platform)
    if (own !== null && runnable(own)) return { path: own, origin: "packaged" }
    const other = onPath(host)
    return other === null ? null : { path: other, origin: "PATH" }
  })
