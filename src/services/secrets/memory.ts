import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Secrets } from "../Secrets.js"

/** Denies the given paths and masks the given values; without arguments nothing is secret. */
export const SecretsMemory = (denied: ReadonlyArray<string> = [], values: ReadonlyArray<string> = []) => {
  const mask = (text: string) => values.reduce((masked, value) => masked.replaceAll(value, "[secret hidden]"), text)
  return Layer.succeed(Secrets, Secrets.of({
    deniedName: (path) => denied.includes(path),
    deniedPaths: Effect.succeed(denied),
    deniedIdentity: () => Effect.succeed(false),
    deniedBlobs: Effect.succeed(new Set<string>()),
    mask: (text) => Effect.sync(() => mask(text)),
    maskStream: Effect.sync(() => ({ push: mask, end: () => "" })),
    changed: Effect.void
  }))
}
