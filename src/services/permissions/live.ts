import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Approver } from "../Approver.js"
import { CommandsOnDemand } from "../command/onDemand.js"
import { Commands } from "../Commands.js"
import { Config } from "../Config.js"
import { Jail } from "../Jail.js"
import { fromJudge, Permissions, type Request, type Subject } from "../Permissions.js"
import { Plugins } from "../Plugins.js"
import { tellQuestion } from "../plugins/around.js"
import { Secrets } from "../Secrets.js"
import { Surroundings } from "../Surroundings.js"
import { decide } from "./decide.js"
import { makeJudge } from "./judge.js"
import { decidePath } from "./paths.js"
import { compile, rulesFor } from "./rules.js"

/** Judges by the configuration's rules; grants and counts live as long as the layer. */
export const PermissionsLive = Layer.effect(
  Permissions,
  Effect.gen(function*() {
    const config = yield* Config
    const places = { jail: yield* Jail, secrets: yield* Secrets, surroundings: yield* Surroundings }
    const rules = compile(config.permissionLayers)
    const scene = { rules, places, commands: yield* Commands }
    const judge = Effect.fnUntraced(function*<Name extends string, In>({ tool, touches }: Request<Name, In>, subject: Subject) {
      const own = rulesFor(rules, tool)
      if (typeof subject === "string") return [decide(own, tool, touches, subject)]
      if ("path" in subject) return [yield* decidePath(places, own, tool, touches, subject.path)]
      const { decideLine } = yield* Effect.promise(() => import("./commands.js"))
      return yield* decideLine(scene, tool, touches, subject.command)
    })
    const plugins = (yield* Plugins).all
    const approver = yield* Approver
    const telling = Approver.of({ ...approver, ask: (question) => Effect.zipRight(approver.attended ? tellQuestion(plugins) : Effect.void, approver.ask(question)) })
    return fromJudge(makeJudge({ plugins, yolo: config.yolo, judge }, telling))
  })
).pipe(Layer.provide(CommandsOnDemand))
