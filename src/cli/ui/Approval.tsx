import { Box, Text } from "ink"
import wrapAnsi from "wrap-ansi"
import { Answer } from "../../services/Approver.js"
import { withoutEscapes } from "../../tools/text/escapes.js"
import { useControls, useFresh, useKeys, useScreen, useSize } from "./controls.js"
import type { Editor } from "./editor.js"
import * as E from "./editor.js"

/** Lines of a long command or list of paths that are drawn beside a diff, and what stands around both. */
const mostSubjects = 12
const around = 10

/** The first of these lines, and how many are left out. */
const cut = (lines: ReadonlyArray<string>, most: number, dim: (text: string) => string) =>
  lines.length <= most ? lines : [...lines.slice(0, most - 1), dim(`… ${lines.length - most + 1} more lines`)]

/** What wants to run, and the three keys that decide. */
export const Approval = () => {
  const { answer, interrupt, style } = useControls()
  const { question } = useScreen()
  const { columns, rows } = useSize()
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
  const room = Math.max(6, rows - around)
  const told = asked.subjects.filter((subject) => subject !== "*").flatMap((subject) => wrapAnsi(withoutEscapes(subject), columns - 4, { hard: true, trim: false }).split("\n"))
  const subjects = cut(told, preview.length === 0 ? room : Math.min(mostSubjects, Math.floor(room / 3)), style.dim)
  const changes = cut(preview, room - subjects.length, style.dim)
  return (
    <Box flexDirection="column">
      <Text>{style.bold(style.yellow(`${asked.worker === null ? "" : `worker "${withoutEscapes(asked.worker)}": `}${asked.tool} wants to run`))}</Text>
      {subjects.map((subject, at) => <Text key={at} wrap="truncate">  {subject}</Text>)}
      {changes.map((line, at) => <Text key={`p${at}`} wrap="truncate">{line}</Text>)}
      <Text>{style.dim(asked.reason)}</Text>
      {reason === null
        ? <Text>{style.bold("y")} allow once{asked.grant === null ? "" : ` | ${style.bold("a")} always allow ${asked.tool}${asked.grant === "*" ? "" : ` ${asked.grant}`}`} | {style.bold("n")} deny</Text>
        : <Text>Why not? {style.dim("(enter sends, esc goes back)")} {reason.text}{style.inverse(" ")}</Text>}
    </Box>
  )
}
