import { Box, Text } from "ink"
import { Answer } from "../../services/Approver.js"
import { withoutEscapes } from "../../tools/text/escapes.js"
import { useControls, useFresh, useKeys, useScreen } from "./controls.js"
import type { Editor } from "./editor.js"
import * as E from "./editor.js"

/** Lines of a long command or list of paths that are drawn. */
const mostSubjects = 12

/** What wants to run, and the three keys that decide. */
export const Approval = () => {
  const { answer, interrupt, style } = useControls()
  const { question } = useScreen()
  const { get, set: setReason } = useFresh<Editor | null>(null)
  useKeys(question !== null, (key) => {
    if (question === null) return
    const reason = get()
    if (reason !== null) {
      if (key.key === "enter") {
        setReason(null)
        answer(Answer.No({ reason: reason.text.trim() === "" ? null : reason.text.trim() }))
      } else if (key.key === "escape") setReason(null)
      else if (key.key === "text" || key.key === "paste") setReason(E.paste(reason, key.text))
      else if (key.key === "backspace") setReason(E.backspace(reason))
      return
    }
    if (key.key === "ctrl-c") return interrupt()
    if (key.key === "escape") return setReason(E.empty)
    if (key.key !== "text") return
    const word = key.text.toLowerCase()
    if (word === "y") answer(Answer.Once())
    else if (word === "a" && question.asked.grant !== null) answer(Answer.Always())
    else if (word === "n") setReason(E.empty)
  })
  if (question === null) return null
  const { asked, preview } = question
  const reason = get()
  const subjects = asked.subjects.filter((subject) => subject !== "*").flatMap((subject) => withoutEscapes(subject).split("\n"))
  return (
    <Box flexDirection="column">
      <Text>{style.bold(style.yellow(`${asked.worker === null ? "" : `worker "${withoutEscapes(asked.worker)}": `}${asked.tool} wants to run`))}</Text>
      {subjects.slice(0, mostSubjects).map((subject, at) => <Text key={at}>  {subject}</Text>)}
      {subjects.length > mostSubjects && <Text>{style.dim(`  … ${subjects.length - mostSubjects} more`)}</Text>}
      {preview.map((line, at) => <Text key={`p${at}`} wrap="truncate">{line}</Text>)}
      <Text>{style.dim(asked.reason)}</Text>
      {reason === null
        ? <Text>{style.bold("y")} allow once{asked.grant === null ? "" : ` | ${style.bold("a")} always allow ${asked.tool}${asked.grant === "*" ? "" : ` ${asked.grant}`}`} | {style.bold("n")} deny</Text>
        : <Text>Why not? {style.dim("(enter sends, esc goes back)")} {reason.text}{style.inverse(" ")}</Text>}
    </Box>
  )
}
