import * as Schema from "effect/Schema"

/** Nothing is configured and no local server answers. */
export class NoModel extends Schema.TaggedError<NoModel>()("NoModel", { missing: Schema.Literal("provider", "model"), provider: Schema.String }) {
  /** exit 2 */
  readonly configuration = true
  override get message() {
    return this.missing === "model"
      ? `No model is chosen for ${this.provider}. Set one with --model, SHIRO_MODEL, or \`shiro config set model <name>\`.`
      : "No model is set up, and no local Ollama or LM Studio answers. Set the provider's key in the environment (such as OPENAI_API_KEY or ANTHROPIC_API_KEY) and run `shiro config set model <name>`; for an endpoint of your own set baseURL too. `shiro demo` needs no key."
  }
}
export class UnknownProvider extends Schema.TaggedError<UnknownProvider>()("UnknownProvider", {
  name: Schema.String,
  available: Schema.Array(Schema.String)
}) {
  readonly configuration = true
  override get message() {
    return `Unknown provider "${this.name}". Available: ${this.available.join(", ")}`
  }
}
export class MissingKey extends Schema.TaggedError<MissingKey>()("MissingKey", { provider: Schema.String, variable: Schema.String }) {
  readonly configuration = true
  override get message() {
    return `There is no API key for ${this.provider}. Set ${this.variable} (or SHIRO_API_KEY) in the environment, or run \`shiro config set apiKey <key>\`.`
  }
}
export class MissingBaseUrl extends Schema.TaggedError<MissingBaseUrl>()("MissingBaseUrl", { provider: Schema.String }) {
  readonly configuration = true
  override get message() {
    return `The provider ${this.provider} needs a base URL. Set it with --base-url, SHIRO_BASE_URL, or \`shiro config set baseURL <url>\`.`
  }
}
/** A script file that can't be read or is no script. */
export class BadScript extends Schema.TaggedError<BadScript>()("BadScript", { file: Schema.String, problem: Schema.String }) {
  readonly configuration = true
  override get message() {
    return `The script ${this.file} cannot be used: ${this.problem}`
  }
}
export class ScriptEnded extends Schema.TaggedError<ScriptEnded>()("ScriptEnded", { steps: Schema.Number, request: Schema.Number }) {
  override get message() {
    return `The script has ${this.steps} steps; request ${this.request} has none.`
  }
}
export class ScriptMismatch extends Schema.TaggedError<ScriptMismatch>()("ScriptMismatch", {
  step: Schema.Number,
  expected: Schema.String,
  last: Schema.String
}) {
  override get message() {
    return `Step ${this.step} of the script expects the last result to include ${JSON.stringify(this.expected)}. It was: ${this.last}`
  }
}
export const aboutLength = /context.?(length|window)|maximum context|too many tokens|prompt is too long|input is too long/i
/** The provider answered with an error status. `said` is its own message. */
export class Rejected extends Schema.TaggedError<Rejected>()("Rejected", {
  host: Schema.String,
  status: Schema.Number,
  said: Schema.String,
  /** how often it was asked */
  tries: Schema.Number
}) {
  /** The history is longer than the model takes. */
  get tooLong() {
    return (this.status === 400 || this.status === 413) && aboutLength.test(this.said)
  }
  override get message() {
    const said = this.said === "" ? "" : ` It said: ${this.said}`
    const tries = this.tries > 1 ? ` after ${this.tries} tries` : ""
    switch (this.status) {
      case 401:
      case 403:
        return `${this.host} rejected the API key (${this.status}). Check the key, and that it may use this model.${said}`
      case 404:
        return `${this.host} knows no such model or address (404). Check the model's name and the base URL.${said}`
      case 429:
        return `${this.host} limits the rate or the quota is used up (429)${tries}. Wait, or check the account.${said}`
      default:
        return `${this.host} answered with status ${this.status}${tries}.${said}`
    }
  }
}
/** No connection, or it broke before an answer began. */
export class Unreachable extends Schema.TaggedError<Unreachable>()("Unreachable", {
  host: Schema.String,
  /** ECONNREFUSED, ENOTFOUND, … */
  code: Schema.String,
  tries: Schema.Number
}) {
  override get message() {
    const tries = this.tries > 1 ? ` after ${this.tries} tries` : ""
    return `${this.host} cannot be reached (${this.code})${tries}. Check the base URL and the network.`
  }
}
/** The answer began and did not end: the connection dropped, or the provider reported an error in the stream. */
export class AnswerBroken extends Schema.TaggedError<AnswerBroken>()("AnswerBroken", { host: Schema.String, said: Schema.String }) {
  override get message() {
    return `The answer of ${this.host} broke off: ${this.said}. What had arrived is kept; ask again to go on.`
  }
}
export type ModelFault =
  | NoModel | UnknownProvider | MissingKey | MissingBaseUrl | BadScript | ScriptEnded | ScriptMismatch | Rejected
  | Unreachable | AnswerBroken
