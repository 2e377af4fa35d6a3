import type { Question } from "../../services/Approver.js"
import type { Inquiry } from "../../services/Asker.js"
import type { Todo } from "../../services/Todos.js"

/** A call that runs now. */
export interface RunningCall {
  readonly id: string
  readonly name: string
  /** the call in one line; only the name until its input is there */
  readonly title: string
  /** the last of what it has printed */
  readonly tail: string
}
export interface Status {
  readonly model: string
  readonly agent: string
  readonly thinking: string
  readonly branch: string
  readonly contextTokens: number
  readonly contextWindow: number
  readonly tokens: number
  readonly costUsd: number | null
}
/** Everything the live part of the screen is drawn from. What is finished is printed above it and not kept. */
export interface Screen {
  readonly working: boolean
  /** when the turn began, by `performance.now()` */
  readonly since: number
  /** the unfinished line of the answer, as it is drawn */
  readonly partial: string
  readonly reasoningChars: number
  /** `ctrl-r`: the reasoning itself */
  readonly reasoning: string
  readonly reasoningShown: boolean
  readonly calls: ReadonlyArray<RunningCall>
  readonly question: { readonly asked: Question; readonly preview: ReadonlyArray<string> } | null
  readonly inquiry: (Inquiry & { readonly secret: boolean }) | null
  readonly queue: ReadonlyArray<string>
  readonly todos: ReadonlyArray<Todo>
  readonly status: Status
  /** said once below the input, as after the first ctrl-c */
  readonly hint: string
}

export const firstScreen: Screen = {
  working: false,
  since: 0,
  partial: "",
  reasoningChars: 0,
  reasoning: "",
  reasoningShown: false,
  calls: [],
  question: null,
  inquiry: null,
  queue: [],
  todos: [],
  status: { model: "", agent: "default", thinking: "", branch: "", contextTokens: 0, contextWindow: 0, tokens: 0, costUsd: null },
  hint: ""
}

/** A value that components watch; changes are told at most once a frame by whoever sets it. */
export interface Store<A> {
  readonly get: () => A
  readonly set: (value: A) => void
  readonly update: (change: (before: A) => A) => void
  readonly subscribe: (listener: () => void) => () => void
}
export const makeStore = <A>(first: A): Store<A> => {
  let value = first
  const listeners = new Set<() => void>()
  const set = (next: A) => {
    if (next === value) return
    value = next
    for (const listener of listeners) listener()
  }
  return {
    get: () => value,
    set,
    update: (change) => set(change(value)),
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    }
  }
}
