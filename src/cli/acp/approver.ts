import type { AgentContext, PermissionOption } from "@agentclientprotocol/sdk"
import { methods } from "@agentclientprotocol/sdk"
import * as Effect from "effect/Effect"
import { Answer } from "../../services/Approver.js"
import type { Question } from "../../services/Approver.js"
import type { Calls } from "./calls.js"
import { diffContent } from "./diff.js"

const optionsFor = ({ grant, tool }: Question): Array<PermissionOption> => [
  { optionId: "once", name: "Allow once", kind: "allow_once" },
  ...(grant === null ? [] : [{ optionId: "always", name: `Always allow ${tool} ${grant} in this session`, kind: "allow_always" as const }]),
  { optionId: "no", name: "Reject", kind: "reject_once" }
]

/** Asks the person at the editor; anything but a clear yes is a no. */
export const askEditor = (client: AgentContext, sessionId: string, root: string, calls: Calls) => (question: Question): Effect.Effect<Answer> =>
  Effect.gen(function*() {
    const diffs = question.preview === null ? [] : diffContent(question.preview, root)
    const call = yield* calls.announce(question.callId, question.tool, question.input, diffs)
    const why = question.worker === null ? question.reason : `${question.worker}: ${question.reason}`
    const { outcome } = yield* Effect.tryPromise((signal) =>
      client.request(methods.client.session.requestPermission, {
        sessionId,
        toolCall: {
          ...call,
          status: "pending",
          content: [...call.content, { type: "content", content: { type: "text", text: why } }]
        },
        options: optionsFor(question)
      }, { cancellationSignal: signal, stopWaitingOnCancel: true })
    )
    if (outcome.outcome === "cancelled") return Answer.No({ reason: "The question was dismissed in the editor." })
    return outcome.optionId === "once" ? Answer.Once() : outcome.optionId === "always" && question.grant !== null ? Answer.Always() : Answer.No({ reason: null })
  }).pipe(Effect.catchAll(() => Effect.succeed(Answer.No({ reason: "The editor could not ask its user." }))))
