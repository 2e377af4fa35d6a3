import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { Home } from "../Home.js"
import { Jail } from "../Jail.js"
import { Skills } from "../Skills.js"
import { make } from "./make.js"

/** `name.md` and `name/SKILL.md` of one folder, by name. */
const filesIn = async (folder: string) => {
  const names = (await readdir(folder, { withFileTypes: true }).catch(() => [])).sort((one, other) => one.name < other.name ? -1 : 1)
  const paths = names.flatMap((entry) =>
    entry.isDirectory() ? [join(folder, entry.name, "SKILL.md")] : entry.name.endsWith(".md") ? [join(folder, entry.name)] : [])
  const read = await Promise.all(paths.map((path) => readFile(path, "utf8").then((text) => [{ path, text }], () => [])))
  return read.flat()
}

/** `skills/` in shiro's home, then `.shiro/skills` in the workspace. */
export const SkillsLive = Layer.effect(
  Skills,
  Effect.gen(function*() {
    const { folder } = yield* Home
    const { root } = yield* Jail
    return yield* make(Effect.promise(async () => [
      ...await filesIn(join(folder, "skills")),
      ...await filesIn(join(root, ".shiro", "skills"))
    ]))
  })
)
