import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SubscriptionRef from "effect/SubscriptionRef"
import { PromptParts } from "../PromptParts.js"
import { Keepers } from "../Sessions.js"
import type { Todo } from "../Todos.js"
import { renderTodos, Todos, todoStatuses } from "../Todos.js"

const Saved = Schema.Array(Schema.Struct({
  content: Schema.String,
  status: Schema.Literal(...todoStatuses),
  note: Schema.optionalWith(Schema.String, { exact: true })
}))

/** The list as part of the prompt, rebuilt before every step, and kept with the session. */
export const TodosLive = Layer.effect(
  Todos,
  Effect.gen(function*() {
    const list = yield* SubscriptionRef.make<ReadonlyArray<Todo>>([])
    yield* (yield* PromptParts).register(Effect.map(SubscriptionRef.get(list), (todos) => ({
      name: "tasks",
      text: todos.length === 0 ? "" : `# Your task list\n${renderTodos(todos)}`,
      stable: false,
      tool: "todo_write"
    })))
    yield* (yield* Keepers).register({
      name: "todos",
      current: SubscriptionRef.get(list),
      restore: (value) => Either.match(Schema.decodeUnknownEither(Saved)(value), { onLeft: () => Effect.void, onRight: (todos) => SubscriptionRef.set(list, todos) })
    })
    return Todos.of({ list })
  })
)
