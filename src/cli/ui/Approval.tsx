import { Box, Text } from "ink"
import { useMemo } from "react"
import stringWidth from "string-width"
import wrapAnsi from "wrap-ansi"
import { Answer } from "../../services/Approver.js"
import { useControls, useFresh, useKeys, useScreen, useSize } from "./controls.js"
import type { Editor } from "./editor.js"
import * as E from "./editor.js"
import { flowing, still } from "./fit.js"

/** Rows of the screen that are not for what is asked about. */
const around = 7

/** A diff's line in rows; those after the first stand under its text. */
const broken = (line: string, columns: number) =>
  stringWidth(line) <= columns
    ? [line]
    : wrapAnsi(line, columns - 6, { hard: true, trim: false, wordWrap: false }).split("\n").map((row, at) => at === 0 ? row : `      ${row}`)

/** The rows from `first` on that there is room for, with what is left out above and below. */
const windowOf = (lines: ReadonlyArray<string>, first: number, room: number, dim: (text: string) => string) => {
  if (lines.length <= room) return lines
  const above = first > 0
  const end = lines.length - first <= room ? lines.length : first + room - 1
  const left = lines.length - end
  return [
    ...above ? [dim(`… ${first + 1} lines above, ↑ shows them`)] : [],
    ...lines.slice(first + (above ? 1 : 0), end),
    ...left > 0 ? [dim(`… ${left} more ${left === 1 ? "line" : "lines"}, ↓ shows them`)] : []
  ]
}

/** What wants to run, and the three keys that decide. */
export const Approval = () => {
  const { answer, interrupt, style } = useControls()
  const { question } = useScreen()
  const { columns, rows } = useSize()
  const { get, set: setReason } = useFresh<Editor | null>(null)
  const { get: getFirst, set: setFirst } = useFresh<{ readonly of: string; readonly at: number }>({ of: "", at: 0 })
  const view = useMemo(() => question === null ? [] : [
    ...question.asked.subjects.filter((subject) => subject !== "*").flatMap((subject) =>
      wrapAnsi(still(subject), columns - 4, { hard: true, trim: false }).split("\n").map((row) => `  ${row}`)),
    ...question.preview.flatMap((line) => broken(line, columns))
  ], [question, columns])
  const grants = question === null || question.asked.grant === null ? "" : `${question.asked.tool}${question.asked.grant === "*" ? "" : ` ${question.asked.grant}`}`
  const choices = flowing([
    `${style.bold("y")} allow once`, ...grants === "" ? [] : [`${style.bold("a")} always allow ${still(grants)}`], `${style.bold("n")} deny`
  ], columns - 1, " | ")
  const room = Math.max(4, rows - around - choices.length)
  const callId = question?.asked.callId ?? ""
  const first = getFirst().of === callId ? Math.max(0, Math.min(getFirst().at, view.length - room)) : 0
  const scroll = (by: number) => setFirst({ of: callId, at: Math.max(0, Math.min(first + by, view.length - room)) })
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
    if (key.key === "up") return scroll(-1)
    if (key.key === "down") return scroll(1)
    if (key.key === "page-up") return scroll(2 - room)
    if (key.key === "page-down") return scroll(room - 2)
    if (key.key !== "text") return
    const word = key.text.toLowerCase()
    if (word === "y") answer(Answer.Once())
    else if (word === "a" && question.asked.grant !== null) answer(Answer.Always())
    else if (word === "n") setReason(E.empty)
  })
  if (question === null) return null
  const { asked } = question
  const reason = get()
  return (
    <Box flexDirection="column">
      <Text wrap="truncate">{style.bold(style.yellow(`${asked.worker === null ? "" : `worker "${still(asked.worker)}": `}${asked.tool} wants to run`))}</Text>
      {windowOf(view, first, room, style.dim).map((line, at) => <Text key={at} wrap="truncate">{line}</Text>)}
      <Text wrap="truncate">{style.dim(asked.reason)}</Text>
      {reason === null
        ? <Text>{choices.join("\n")}</Text>
        : <Text>Why not? {style.dim("(enter sends, esc goes back)")} {reason.text}{style.inverse(" ")}</Text>}
    </Box>
  )
}
