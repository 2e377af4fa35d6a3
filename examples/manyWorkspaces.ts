// One question to many repositories at once, under one runtime, at most so many at a time. Each has its own layer: its own jail, journal and
// permissions.
import * as Effect from "effect/Effect"
import { Shiro } from "shiro-neko"
import type { ShiroOptions } from "shiro-neko"

export interface Answered {
  readonly root: string
  /** the answer, or why there is none */
  readonly text: string
  readonly failed: boolean
}

export const askAll = (
  roots: ReadonlyArray<string>,
  question: string,
  { atOnce, ...options }: Omit<ShiroOptions, "root"> & { readonly atOnce: number }
) =>
  Effect.forEach(
    roots,
    (root): Effect.Effect<Answered> =>
      Shiro.answer(question).pipe(
        Effect.provide(Shiro.layer({ ...options, root })),
        Effect.scoped,
        Effect.match({
          onSuccess: (text) => ({ root, text, failed: false }),
          // One repository that cannot be worked in is no reason to give up on the others.
          onFailure: ({ message }) => ({ root, text: message, failed: true })
        })
      ),
    { concurrency: atOnce }
  )
