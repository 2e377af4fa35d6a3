import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SubscriptionRef from "effect/SubscriptionRef"

export const todoStatuses = ["pending", "in_progress", "done", "blocked"] as const
export interface Todo {
  readonly content: string
  readonly status: (typeof todoStatuses)[number]
  readonly note?: string
}

/** The agent's task list: part of the prompt, saved with the session. */
export class Todos extends Context.Tag("shiro/Todos")<Todos, {
  /** the current list; its `changes` is a stream */
  readonly list: SubscriptionRef.SubscriptionRef<ReadonlyArray<Todo>>
}>() {}

/** A list nobody keeps and no prompt shows. */
export const TodosMemory = Layer.effect(Todos, Effect.map(SubscriptionRef.make<ReadonlyArray<Todo>>([]), (list) => Todos.of({ list })))

/** What is odd about a list, for the model that sent it. */
export const warningsOf = (todos: ReadonlyArray<Todo>): ReadonlyArray<string> => {
  const active = todos.filter(({ status }) => status === "in_progress").length
  const open = todos.filter(({ status }) => status === "pending").length
  return [
    ...(active > 1 ? [`Warning: ${active} tasks are in_progress; work on one at a time.`] : []),
    ...(active === 0 && open > 0 ? ["Warning: nothing is in_progress while work remains; mark what you do next."] : []),
    ...todos.filter(({ note, status }) => status === "blocked" && (note ?? "").trim() === "").map(({ content }) =>
      `Warning: "${content}" is blocked without a note; say what blocks it.`)
  ]
}

const marks = { pending: "[ ]", in_progress: "[>]", done: "[x]", blocked: "[!]" } as const
export const renderTodos = (todos: ReadonlyArray<Todo>): string =>
  todos.map(({ content, note, status }) => `${marks[status]} ${content}${note === undefined ? "" : ` (${note})`}`).join("\n")
