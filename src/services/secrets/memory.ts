import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Secrets } from "../Secrets.js"
import { make } from "./make.js"

/** Denies the given paths and masks the given values; without arguments nothing is secret. */
export const SecretsMemory = (denied: ReadonlyArray<string> = [], values: ReadonlyArray<string> = []) =>
  Layer.effect(Secrets, make({
    deniedName: (path) => denied.includes(path),
    list: Effect.succeed({ denied: denied.map((path) => ({ path, identity: "", text: "", blobs: [] })), examples: [] }),
    ownKeys: values,
    existing: () => Effect.succeed(new Set<string>())
  }))
