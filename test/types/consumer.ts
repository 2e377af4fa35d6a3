// What a user of the package compiles; CI does so against the tarball, with libraries checked.
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { AgentEvent, Shiro, Tools } from "shiro-neko"
import { PermissionsMemory } from "shiro-neko/testing"
export const own = Tools.make({ name: "own", set: null, description: "x", input: Schema.Struct({}), touches: "reads", subjects: () => ["*"], body: () => Effect.succeed("x") })
export const answer: Effect.Effect<string, unknown> = Shiro.answer("hi").pipe(Effect.provide(Shiro.layer({ root: "." })), Effect.scoped)
export const decode = Schema.decodeUnknown(AgentEvent)
export const layer = PermissionsMemory("deny")
