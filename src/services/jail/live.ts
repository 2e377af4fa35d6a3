import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as fs from "node:fs"
import * as path from "node:path"
import { Jail, makeJail } from "../Jail.js"

/** The folder that shiro is to work in is not there. */
export class NoWorkspace extends Data.TaggedError("NoWorkspace")<{ readonly folder: string; readonly code: string }> {
  override get message() {
    return `${this.folder} cannot be worked in: ${this.code === "ENOENT" ? "there is no such folder" : this.code}.`
  }
}

const codeOf = (error: unknown) => error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "EIO"

/** The jail around `root`, which is resolved once; what `root` was before that stays good for absolute paths. */
export const JailLive = (root: string) =>
  Layer.effect(Jail, Effect.try({
    try: () => {
      const given = path.resolve(root)
      const real = fs.realpathSync.native(given)
      if (!fs.statSync(real).isDirectory()) throw Object.assign(new Error("no folder"), { code: "ENOTDIR" })
      return makeJail(real, given === real ? [] : [given], process.platform)
    },
    catch: (error) => new NoWorkspace({ folder: root, code: codeOf(error) })
  }))
