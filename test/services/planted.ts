import * as Effect from "effect/Effect"
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import type { Tree } from "./searching.js"

/** A new folder, by its real path, that is removed with the scope. */
export const temporaryFolder = Effect.acquireRelease(
  Effect.sync(() => realpathSync(mkdtempSync(join(tmpdir(), "shiro-test-")))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

/** Such a folder with a tree in it. */
export const plantedFolder = (tree: Tree) =>
  Effect.tap(temporaryFolder, (root) =>
    Effect.sync(() => {
      for (const [path, planted] of Object.entries(tree)) {
        const full = join(root, path)
        if (typeof planted === "object" && "folder" in planted) {
          mkdirSync(full, { recursive: true })
          continue
        }
        mkdirSync(dirname(full), { recursive: true })
        if (typeof planted === "object" && "link" in planted) symlinkSync(planted.link, full)
        else writeFileSync(full, planted)
      }
    }))
