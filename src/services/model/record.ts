import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import * as Schema from "effect/Schema"
import { mkdir, rename, writeFile } from "node:fs/promises"
import { dirname } from "node:path"
import type { Answered } from "../Model.js"
import { Model } from "../Model.js"
import type { ScriptStep } from "./scriptSteps.js"

/** The script of a run can't be written. */
export class NotRecorded extends Schema.TaggedError<NotRecorded>()("NotRecorded", { file: Schema.String, cause: Schema.Defect }) {
  override get message() {
    return `The script of this run cannot be written to ${this.file}. Check that the folder exists and is writable.`
  }
}

interface Recorded {
  readonly steps: ReadonlyArray<ScriptStep>
  readonly agents: Readonly<Record<string, ReadonlyArray<ScriptStep>>>
}

const stepOf = ({ message, usage }: Answered): ScriptStep => {
  const of = (type: "text" | "reasoning") => message.parts.flatMap((part) => part.type === type ? [part.text] : []).join("")
  const tools = message.parts.flatMap((part) => part.type === "call" ? [{ name: part.name, input: part.input, id: part.id }] : [])
  const [text, reasoning] = [of("text"), of("reasoning")]
  return {
    ...(reasoning === "" ? {} : { reasoning }),
    ...(text === "" ? {} : { text }),
    ...(tools.length === 0 ? {} : { tools }),
    usage
  }
}

const add = (before: Recorded, label: string | null, step: ScriptStep): Recorded =>
  label === null
    ? { ...before, steps: [...before.steps, step] }
    : { ...before, agents: { ...before.agents, [label]: [...before.agents[label] ?? [], step] } }

/** The model below, with every answer of the run also written to `file` as a script that replays it. */
export const ModelRecorded = (file: string) =>
  Layer.effect(Model, Effect.gen(function*() {
    const model = yield* Model
    const recorded = yield* Ref.make<Recorded>({ steps: [], agents: {} })
    const oneAtATime = yield* Effect.makeSemaphore(1)
    const save = (script: Recorded) =>
      Effect.tryPromise({
        try: async () => {
          await mkdir(dirname(file), { recursive: true })
          const content = Object.keys(script.agents).length === 0 ? script.steps : script
          // Whole or not at all: a run that is killed leaves a script that can be played.
          await writeFile(`${file}.part`, `${JSON.stringify(content, null, 2)}\n`)
          await rename(`${file}.part`, file)
        },
        catch: (cause) => new NotRecorded({ file, cause })
      })
    return Model.of({
      ...model,
      converse: (conversation) =>
        Effect.gen(function*() {
          const told = yield* Ref.make(false)
          const keep = (answer: Answered) =>
            Effect.gen(function*() {
              if (answer.message.parts.length === 0) return
              yield* save(yield* Ref.updateAndGet(recorded, (before) => add(before, conversation.label ?? null, stepOf(answer))))
            }).pipe(
              oneAtATime.withPermits(1),
              Effect.catchAll((fault) =>
                Effect.flatMap(Ref.getAndSet(told, true), (before) => before ? Effect.void : conversation.piece({ type: "notice", message: fault.message })))
            )
          yield* model.converse({ ...conversation, answered: (answer) => Effect.andThen(keep(answer), conversation.answered(answer)) })
        })
    })
  }))
