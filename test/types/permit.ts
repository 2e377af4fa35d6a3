import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Permissions, Permit, type Request } from "../../src/services/Permissions.js"
import { make } from "../../src/tools/Tool.js"

/** What must not compile: a tool's body is reached with a permit of the permission service for that tool, or not at all. */

const facts = {
  set: null,
  description: "Give the text back.",
  input: Schema.Struct({ text: Schema.String }),
  touches: "ownState",
  subjects: () => ["*"],
  body: ({ text }: { readonly text: string }) => Effect.succeed(text)
} as const
const echo = make({ name: "echo", ...facts })
const other = make({ name: "other", ...facts })

const request = { tool: "echo", touches: "ownState", subjects: ["*"], input: { text: "hi" } } as const satisfies Request<"echo", { readonly text: string }>

// @ts-expect-error a decoded input is no permit
export const byInput = echo.run({ text: "hi" })

// @ts-expect-error an object that looks like a permit lacks the private brand
export const byLookAlike = echo.run({ tool: "echo", input: { text: "hi" }, granted: true })

// @ts-expect-error only the permission service's module can make a permit
export const byNew = echo.run(new Permit(request))

export const byService = Effect.flatMap(Permissions, (permissions) => Effect.flatMap(permissions.permit(request), echo.run))

export const ofAnotherTool = Effect.flatMap(Permissions, (permissions) =>
  Effect.flatMap(permissions.permit(request), (permit) =>
    // @ts-expect-error the permit of one tool does not run another
    other.run(permit)))

// @ts-expect-error the body itself is not part of a tool
export const byBody = echo.body
