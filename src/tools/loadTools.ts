import * as Effect from "effect/Effect"
import * as Ref from "effect/Ref"
import * as Schema from "effect/Schema"
import * as Tool from "./Tool.js"

/** What a server offers is not there under this name. */
export class NotDeferred extends Schema.TaggedError<NotDeferred>()("NotDeferred", {
  names: Schema.Array(Schema.String),
  known: Schema.Array(Schema.String)
}) {
  override get message() {
    return `No such tools to load: ${this.names.join(", ")}. Nothing was loaded. There are: ${this.known.join(", ")}`
  }
}

/** Brings deferred tools of MCP servers into the next request. `known` are the names that can be loaded now. */
export const loadTools = (loaded: Ref.Ref<ReadonlySet<string>>, known: Effect.Effect<ReadonlyArray<string>>) =>
  Tool.make({
    name: "load_tools",
    set: null,
    description: "Make listed MCP tools callable from your next step on.",
    input: Schema.Struct({ names: Schema.Array(Schema.String).pipe(Schema.minItems(1)) }),
    touches: "ownState",
    subjects: () => ["*"],
    body: Effect.fn("load_tools")(function*({ names }) {
      const there = yield* known
      const missing = names.filter((name) => !there.includes(name))
      if (missing.length > 0) return yield* new NotDeferred({ names: missing, known: there })
      yield* Ref.update(loaded, (before) => new Set([...before, ...names]))
      return `Loaded; call ${names.length === 1 ? "it" : "them"} from the next step on: ${names.join(", ")}`
    })
  })
