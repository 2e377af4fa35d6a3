import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as SubscriptionRef from "effect/SubscriptionRef"
import { renderTodos, Todos, todoStatuses, warningsOf } from "../../services/Todos.js"
import * as Tool from "../Tool.js"

export const todoWrite = Tool.make({
  name: "todo_write",
  set: null,
  description: "Replace your task list; send the complete list each time. One task in_progress; a blocked one has a note.",
  input: Schema.Struct({
    todos: Schema.Array(Schema.Struct({
      content: Schema.String,
      status: Schema.Literal(...todoStatuses),
      note: Schema.optionalWith(Schema.String, { exact: true })
    }))
  }),
  touches: "ownState",
  subjects: () => ["*"],
  body: Effect.fn("todo_write")(function*({ todos }) {
    yield* SubscriptionRef.set((yield* Todos).list, todos)
    const done = todos.filter(({ status }) => status === "done").length
    return [`${done} of ${todos.length} tasks done.`, renderTodos(todos), ...warningsOf(todos)].filter((part) => part !== "").join("\n")
  })
})
