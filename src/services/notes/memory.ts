import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import { Notes } from "../Notes.js"
import { make } from "./make.js"

/** Notes that live as long as the layer; the given ones are facts remembered at time 0. */
export const NotesMemory = (texts: ReadonlyArray<string> = []) =>
  Layer.effect(Notes, Effect.map(
    Ref.make<ReadonlyArray<string>>(texts.map((add) => JSON.stringify({ add, kind: "fact", at: 0 }))),
    (lines) => make({ lines: Ref.get(lines), append: (line) => Ref.update(lines, (before) => [...before, line]) })
  ))
