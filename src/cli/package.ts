import { existsSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

/** The folder of the package this runs from, wherever the build put the code. */
export const packageFolder = (): string => {
  let folder = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(folder, "demo", "script.json")) && dirname(folder) !== folder) folder = dirname(folder)
  return folder
}
