// A reviewer for pull requests in CI: reads the diff and the repository, writes nothing, and ends with a word that a script can test.
import * as Effect from "effect/Effect"
import { Shiro } from "shiro-neko"
import type { ShiroOptions } from "shiro-neko"

export interface Review {
  readonly text: string
  readonly passes: boolean
}

const task = (diff: string) =>
  `Review this pull request. Read what it touches before you judge. Report findings by severity with path and line. Your last line is PASS or FAIL.\n\n${diff}`

/** `diff`: as `git diff main...HEAD` prints it. The agent `review` holds only tools that read, so nothing has to be approved. */
export const review = (diff: string, options: ShiroOptions) =>
  Shiro.answer(task(diff)).pipe(
    Effect.map((text): Review => ({ text, passes: /^PASS\s*$/m.test(text.split("\n").at(-1) ?? "") })),
    Effect.provide(Shiro.layer({ ...options, config: { ...options.config, agent: "review" }, mcp: false })),
    Effect.scoped
  )
