import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"

/** What a tool does to the world; its default decision and the read-only filter derive from it. */
export type Touches = "reads" | "writes" | "executes" | "network" | "ownState"

/** What a rule is matched against: plain text, a path (as the model gave it) or a shell line. */
export type Subject =
  | string
  | { readonly path: string }
  | { readonly command: string }

/** What a rule decides; of several the strictest holds: `deny`, then `ask`, then `allow`. */
export type Decision = "allow" | "ask" | "deny"
export const strictest = (decisions: ReadonlyArray<Decision>): Decision =>
  decisions.includes("deny") ? "deny" : decisions.includes("ask") ? "ask" : "allow"

export type By =
  | "guard" | "rules" | "default" | "grant" | "jail" | "secrets" | "repeat" | "input" | "plugin" | "protected"
  | "analysis" | "yolo"

/** How one simple command or path was judged. */
export interface Part {
  readonly subject: string
  readonly decision: Decision
  /** the pattern that decided, null for a default */
  readonly rule: string | null
  /** where it is from: `default`, a configuration file, `session`, `guard`, … */
  readonly source: string
}
/** A decision on one call, with who made it (`by`) and why (`reason`, a sentence). */
export interface Verdict {
  readonly decision: Decision
  readonly by: By
  /** a sentence */
  readonly reason: string
  readonly parts: ReadonlyArray<Part>
  /** what "always" would grant, as shown to the user; null where it grants nothing */
  readonly grant: string | null
}

export interface Request<Name extends string, In> {
  readonly tool: Name
  readonly touches: Touches
  readonly subjects: ReadonlyArray<Subject>
  readonly input: In
  /** a unified diff for the person who is asked */
  readonly preview?: Effect.Effect<string | null>
}

export class Denied extends Data.TaggedError("Denied")<{
  readonly tool: string
  readonly by: string
  readonly reason: string
}> {
  readonly refused = true
  override get message() {
    return this.reason
  }
}

// Assigned by the class's static block: nothing outside this module can make a permit.
let grant: <Name extends string, In>(request: Request<Name, In>) => Permit<Name, In>
/** Proof that exactly this call was decided and may run. */
export class Permit<Name extends string, In> {
  readonly #granted = true
  readonly tool: Name
  readonly input: In
  private constructor(request: Request<Name, In>) {
    this.tool = request.tool
    this.input = request.input
  }
  static {
    grant = (request) => new Permit(request)
  }
  get granted() {
    return this.#granted
  }
}

/** The answer to a call that was decided, and asked about where that was needed. */
export type Settled =
  | { readonly granted: true }
  | { readonly granted: false; readonly by: By; readonly reason: string }

/** What every call passes: guard and plugins, rules, repeat guard, approval. `permissions/judge.ts` has the live one. */
export interface Judge {
  /** What the rules say of a call, asking nobody and counting nothing: for `--explain`. */
  readonly explain: <Name extends string, In>(request: Request<Name, In>) => Effect.Effect<Verdict>
  /** The same as part of a turn: the repeat guard counts it. Once per call id; asking again gives the same verdict. */
  readonly review: <Name extends string, In>(request: Request<Name, In>) => Effect.Effect<Verdict>
  /** `review`, then asks the approver where the verdict is `ask`. Once per call id. */
  readonly settle: <Name extends string, In>(request: Request<Name, In>) => Effect.Effect<Settled>
  /** The call was let through: another one that comes with the same id is judged anew. */
  readonly spent: <Name extends string, In>(request: Request<Name, In>) => Effect.Effect<void>
  /** A call ended well: a successful write restarts the repeat count of commands. */
  readonly ended: <Name extends string, In>(request: Request<Name, In>) => Effect.Effect<void>
}

/** Judges calls: guard, plugins, rules, repeats, and approval where they ask for it. Fails with `Denied`. */
export class Permissions extends Context.Tag("shiro/Permissions")<Permissions, Judge & {
  /** `settle`, as the proof that a tool's body needs. */
  readonly permit: <Name extends string, In>(request: Request<Name, In>) => Effect.Effect<Permit<Name, In>, Denied>
}>() {}

/** The one way to a `Permissions` service, hence to a permit: from a judge. */
export const fromJudge = (judge: Judge): Context.Tag.Service<Permissions> =>
  Permissions.of({
    ...judge,
    permit: (request) =>
      Effect.flatMap(judge.settle(request), (settled) =>
        settled.granted
          ? Effect.as(judge.spent(request), grant(request))
          : new Denied({ tool: request.tool, by: settled.by, reason: settled.reason }))
  })
