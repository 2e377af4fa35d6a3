// A tool of your own, over a service of your own. The tool never sees how the service works, so tests give it another one.
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { Shiro, Tools } from "shiro-neko"
import type { ShiroOptions } from "shiro-neko"

/** Tickets by number. */
export class Tracker extends Context.Tag("example/Tracker")<Tracker, {
  readonly title: (ticket: number) => Effect.Effect<string, NoSuchTicket>
}>() {}

export class NoSuchTicket extends Schema.TaggedError<NoSuchTicket>()("NoSuchTicket", { ticket: Schema.Number }) {
  override get message() {
    return `There is no ticket ${this.ticket}. Ask the user for its number.`
  }
}

export const ticket = Tools.make({
  name: "ticket",
  set: null,
  description: "Title of a ticket of the project's tracker.",
  input: Schema.Struct({ number: Schema.Number }),
  touches: "network",
  subjects: ({ number }) => [String(number)],
  body: Effect.fn("ticket")(function*({ number }) {
    return `#${number}: ${yield* (yield* Tracker).title(number)}`
  })
})

/** Where tickets come from; a real one would ask an HTTP API. */
export const TrackerOf = (titles: Readonly<Record<number, string>>) =>
  Layer.succeed(Tracker, Tracker.of({
    title: (number) => {
      const title = titles[number]
      return title === undefined ? new NoSuchTicket({ ticket: number }) : Effect.succeed(title)
    }
  }))

/** shiro over a workspace, with the tool beside its own ones, allowed by a rule. */
export const withTickets = (tracker: Layer.Layer<Tracker>, options: ShiroOptions) =>
  Shiro.layer({
    ...options,
    config: { ...options.config, permission: { ...options.config?.permission, ticket: "allow" } },
    toolbox: { ...options.toolbox, more: Effect.map(Tools.offer(ticket), (offered) => [offered]).pipe(Effect.provide(tracker)) }
  })
