import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { createInterface } from "node:readline/promises"
import { Answer, Approver, ApproverNobody, type Question } from "../services/Approver.js"

const prompt = ({ grant, preview, reason, subjects, tool }: Question) =>
  [
    `${tool} wants to run`,
    ...subjects.filter((subject) => subject !== "*"),
    ...preview === null ? [] : [preview],
    reason,
    `y allow once | ${grant === null ? "" : `a always allow ${grant} | `}n deny: `
  ].join("\n")

/** Asks on the terminal shiro was started from, by a line on stderr; where there is none, nobody is there. */
export const ApproverOnTerminal = process.stdin.isTTY && process.stderr.isTTY
  ? Layer.succeed(Approver, Approver.of({
    attended: true,
    ask: (question) =>
      Effect.promise(async (signal) => {
        const lines = createInterface({ input: process.stdin, output: process.stderr })
        try {
          const word = (await lines.question(prompt(question), { signal })).trim().toLowerCase()
          if (word === "y" || word === "yes") return Answer.Once()
          return word === "a" && question.grant !== null ? Answer.Always() : Answer.No({ reason: "The user said no." })
        } finally {
          lines.close()
        }
      })
  }))
  : ApproverNobody
