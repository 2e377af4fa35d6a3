import * as Effect from "effect/Effect"
import { GitRefused } from "../Git.js"
import type { UserConfig } from "./hardening.js"
import { parseConfig, userEnvironment, userSettings } from "./hardening.js"
import type { Program } from "./program.js"

/** The first version that takes configuration with any key from the environment. */
const oldest = [2, 31] as const

/** What is taken over from the user's own configuration, read away from any repository; and that git is fit for use. */
export const readUser = Effect.fnUntraced(function*(git: Program, environment: Readonly<Record<string, string | undefined>>) {
  const env = userEnvironment(environment)
  const pattern = `^(safe\\.directory|${userSettings.map((key) => key.replace(".", "\\.")).join("|")})$`
  const [version, config] = yield* Effect.all([
    git("/", env, ["version"]),
    git("/", env, ["config", "--includes", "-z", "--get-regexp", pattern])
  ], { concurrency: 2 })
  const [, major = "0", minor = "0"] = /(\d+)\.(\d+)/.exec(version.out) ?? []
  if (Number(major) < oldest[0] || (Number(major) === oldest[0] && Number(minor) < oldest[1])) {
    return yield* new GitRefused({
      why: `${version.out.trim()} is too old to be kept from running a repository's programs. Install git ${oldest.join(".")} or newer.`
    })
  }
  const pairs = parseConfig(config.out)
  const user: UserConfig = {
    safeDirectories: pairs.flatMap(([key, value]) => key === "safe.directory" ? [value] : []),
    settings: pairs.filter(([key]) => key !== "safe.directory")
  }
  return user
})
