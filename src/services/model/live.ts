import type { LanguageModelV3, LanguageModelV3CallOptions, LanguageModelV3StreamPart } from "@ai-sdk/provider"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import type * as Context from "effect/Context"
import { readFile } from "node:fs/promises"
import { setTimeout } from "node:timers/promises"
import { Config } from "../Config.js"
import { Host } from "../Host.js"
import type { Choice, Conversation, ModelFault, Price, WireName } from "../Model.js"
import { Model } from "../Model.js"
import type { Line } from "./converse.js"
import type { Endpoint } from "./endpoint.js"
import { endpointOf, modelNames, resolve } from "./endpoint.js"
import { AnswerBroken, BadScript } from "./faults.js"
import type { Begun, Learnt } from "./request.js"
import { begin, learntKey, nothingLearnt } from "./request.js"
import { faultOf, refusalOf, saidIn } from "./refusal.js"
import type { Played, Player } from "./script.js"
import type { Script } from "./scriptSteps.js"
import { parseScript, player } from "./script.js"
import { hostOf } from "./wires.js"
import { once } from "../once.js"

const defaultRetries = 4
/** The one host whose chat completions may be replaced by responses. */
const isOpenAi = (host: string) => host === "api.openai.com"

const readerOf = ({ pace, parts }: Played, signal: AbortSignal | undefined): Begun => {
  const later = pace > 0 ? [...parts] : []
  return {
    wire: "script",
    first: pace > 0 ? [] : parts,
    reader: new ReadableStream<LanguageModelV3StreamPart>({
      pull: async (controller) => {
        const part = later.shift()
        if (part === undefined) return controller.close()
        if (part.type === "text-delta") await setTimeout(pace, undefined, { signal })
        controller.enqueue(part)
      }
    }).getReader()
  }
}

/** Which level goes out: none where nobody asked and the table does not know the model to think. */
const levelFor = (endpoint: Endpoint, wanted: Conversation["thinking"], insisted: boolean) =>
  endpoint.facts.thinks || insisted ? wanted : null

const withModel = (at: Endpoint, model: string | undefined, price?: Price): Endpoint =>
  model === undefined || model === at.model ? at : endpointOf(at.preset, { ...at, model, pricing: price })

interface Settings {
  readonly maySwitch: (host: string) => boolean
  readonly learnt: Ref.Ref<Learnt>
  readonly choice: Ref.Ref<Choice>
  /** the script that answers in place of a provider */
  readonly player: Effect.Effect<Player, ModelFault>
}

const collect = (begun: Begun, host: string) =>
  Effect.tryPromise({
    try: async () => {
      let text = ""
      const waiting = [...begun.first]
      while (true) {
        const part = waiting.shift() ?? (await begun.reader.read()).value
        if (part === undefined) return text.trim()
        if (part.type === "text-delta") text += part.delta
        if (part.type === "error") throw part.error
      }
    },
    catch: (error) => new AnswerBroken({ host, said: refusalOf(error, 0).said })
  })

const make = (settings: Settings) =>
  Effect.gen(function*() {
    const context = yield* Effect.context<Config | Host>()
    const { values } = yield* Config
    const endpoint = Effect.flatMap(Ref.get(settings.choice), resolve).pipe(Effect.provide(context))

    const lineOf = Effect.fnUntraced(function*(at: Endpoint, asked: Pick<Conversation, "thinking" | "label" | "insists">, notice: (message: string) => Effect.Effect<void>) {
      if (at.preset.wire === "script") {
        const play = yield* settings.player
        const scripted: Line = {
          host: "The script",
          manner: Effect.succeed({ wire: "script", echoesReasoning: false }),
          ask: (options) => Effect.map(play.next(asked.label ?? null, options.prompt), (played) => readerOf(played, options.abortSignal))
        }
        return scripted
      }
      const { echoesReasoning = false, wire } = at.preset
      const opened = new Map<WireName, LanguageModelV3>()
      const line: Line = {
        host: hostOf(at),
        manner: Effect.map(Ref.get(settings.learnt), ({ switched }) => ({
          wire: wire === "openai" && switched.has(learntKey(at)) ? "openai-responses" as const : wire,
          echoesReasoning
        })),
        ask: (options: LanguageModelV3CallOptions) =>
          begin({
            endpoint: at,
            thinking: levelFor(at, asked.thinking, asked.insists ?? false),
            maxRetries: values.maxRetries ?? defaultRetries,
            maySwitch: settings.maySwitch,
            learnt: settings.learnt,
            opened,
            notice
          }, options)
      }
      return line
    })

    const conversing = Effect.fn("Model.converse")(function*(conversation: Conversation) {
      const at = withModel(yield* endpoint, conversation.model)
      const line = yield* lineOf(at, conversation, (message) => conversation.piece({ type: "notice", message }))
      const { converse } = yield* Effect.promise(() => import("./converse.js"))
      yield* converse(line, conversation)
    })

    const generate = Effect.fn("Model.generate")(function*(request: { readonly system: string; readonly prompt: string }) {
      const at = yield* endpoint
      const line = yield* lineOf(at, { thinking: "off" }, () => Effect.void)
      return yield* Effect.scoped(Effect.gen(function*() {
        const controller = yield* Effect.acquireRelease(Effect.sync(() => new AbortController()), (held) => Effect.sync(() => held.abort()))
        const begun = yield* line.ask({
          prompt: [{ role: "system", content: request.system }, { role: "user", content: [{ type: "text", text: request.prompt }] }],
          abortSignal: controller.signal
        })
        return yield* collect(begun, line.host)
      }))
    })

    const list = Effect.fn("Model.list")(function*() {
      const at = yield* endpoint
      if (at.preset.wire === "script") return []
      const headers: Record<string, string> = at.preset.wire === "anthropic"
        ? { "x-api-key": at.apiKey, "anthropic-version": "2023-06-01" }
        : at.apiKey === "" ? {} : { authorization: `Bearer ${at.apiKey}` }
      const refused = (error: unknown) => faultOf(refusalOf(error, 0), hostOf(at), 1)
      const answer = yield* Effect.tryPromise({ try: (signal) => fetch(`${at.baseURL}/models`, { headers, signal }), catch: refused })
      const body = yield* Effect.tryPromise({ try: () => answer.text(), catch: refused })
      if (!answer.ok) return yield* faultOf({ status: answer.status, said: saidIn(body), retryAfterMillis: null }, hostOf(at), 1)
      return yield* Effect.try({ try: () => modelNames(JSON.parse(body)), catch: refused })
    })

    return Model.of({
      current: Effect.map(endpoint, ({ facts }) => facts),
      facts: (model) => Effect.map(endpoint, (at) => withModel(at, model, values.pricing?.[model]).facts),
      converse: conversing,
      generate,
      list: list(),
      select: (choice) => Ref.update(settings.choice, (before) => ({ ...(choice.provider === undefined ? before : {}), ...choice }))
    })
  })

const scriptFile = Effect.gen(function*() {
  const { cwd, env } = yield* Host
  const file = env["SHIRO_SCRIPT"] ?? ""
  if (file === "") return yield* new BadScript({ file: "", problem: "SHIRO_SCRIPT names no file. Set it to a JSON file with a list of steps." })
  const path = file.startsWith("/") ? file : `${cwd}/${file}`
  const text = yield* Effect.tryPromise({
    try: () => readFile(path, "utf8"),
    catch: () => new BadScript({ file, problem: "it cannot be read." })
  })
  return player(yield* parseScript(file, text))
})

/** Models behind the configured provider. `maySwitch` is for tests: which hosts OpenAI's switch of wires is for. */
export const modelLive = (maySwitch: (host: string) => boolean = isOpenAi) =>
  Layer.effect(Model, Effect.gen(function*() {
    const host = yield* Host
    return yield* make({
      maySwitch,
      learnt: yield* Ref.make(nothingLearnt),
      choice: yield* Ref.make<Choice>({}),
      player: yield* once(Effect.provideService(scriptFile, Host, host))
    })
  }))
export const ModelLive = modelLive()

/** A model that answers by a script: the in-memory layer, for tests, demos and embedders. */
export const ModelScripted = (script: Script): Layer.Layer<Model> =>
  Layer.effect(Model, Effect.gen(function*() {
    const host: Context.Tag.Service<Host> = Host.of({ platform: "linux", env: {}, homeFolder: "/", cwd: "/", pid: 1 })
    const config = Config.of({ values: { provider: "script" }, sources: {}, permissionLayers: [], warnings: [], yolo: false })
    return yield* make({
      maySwitch: isOpenAi,
      learnt: yield* Ref.make(nothingLearnt),
      choice: yield* Ref.make<Choice>({}),
      player: Effect.succeed(player(script))
    }).pipe(Effect.provideService(Host, host), Effect.provideService(Config, config))
  }))
