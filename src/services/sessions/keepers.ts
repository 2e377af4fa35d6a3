import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import type { Keeper } from "../Sessions.js"
import { Keepers } from "../Sessions.js"

export const KeepersLive = Layer.effect(
  Keepers,
  Effect.map(Ref.make<ReadonlyArray<Keeper>>([]), (keepers) =>
    Keepers.of({
      register: (keeper) => Ref.update(keepers, (before) => [...before.filter(({ name }) => name !== keeper.name), keeper]),
      all: Ref.get(keepers)
    }))
)
