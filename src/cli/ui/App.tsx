import { Box, Text } from "ink"
import { useEffect, useState } from "react"
import wrapAnsi from "wrap-ansi"
import { Approval } from "./Approval.js"
import type { Controls } from "./controls.js"
import { ControlsContext, useControls, useKeys, useResizes, useScreen, useSize } from "./controls.js"
import { fitting, still } from "./fit.js"
import { Picker } from "./Picker.js"
import { Prompt } from "./Prompt.js"
import type { RunningCall } from "./state.js"

/** Lines of a running command's output that are drawn. */
const panelRows = 8
const reasoningRows = 20

const lastLines = (text: string, rows: number) => still(text).trimEnd().split("\n").slice(-rows)

const Call = ({ call, most }: { readonly call: RunningCall; readonly most: number }) => {
  const { style } = useControls()
  const rows = call.tail === "" || most === 0 ? [] : lastLines(call.tail, most)
  return (
    <Box flexDirection="column">
      <Text wrap="truncate">{style.cyan("⋯ ")}{still(call.title)}</Text>
      {rows.map((row, at) => <Text key={at} wrap="truncate">{style.dim(`  │ ${row}`)}</Text>)}
    </Box>
  )
}

const Thinking = () => {
  const { style } = useControls()
  const { calls, partial, reasoning, reasoningChars, reasoningShown, working } = useScreen()
  const { columns, rows } = useSize()
  const most = calls.length > 0 ? 2 : Math.max(2, Math.min(reasoningRows, rows - 14))
  const shown = reasoningShown && reasoning !== ""
  return (
    <>
      {shown && lastLines(wrapAnsi(reasoning, columns - 1, { hard: true }), most).map((line, at) => <Text key={at} wrap="truncate">{style.dim(line)}</Text>)}
      {(working || shown) && partial === "" && reasoningChars > 0 && calls.length === 0 &&
        <Text>{style.dim(`thought ${reasoningChars} characters (ctrl-r ${reasoningShown ? "hides" : "shows"} it)`)}</Text>}
    </>
  )
}

const Tasks = () => {
  const { style } = useControls()
  const { todos } = useScreen()
  if (todos.length === 0) return null
  const done = todos.filter(({ status }) => status === "done").length
  const active = todos.find(({ status }) => status === "in_progress")
  const filled = Math.round(done / todos.length * 16)
  return (
    <Text wrap="truncate">
      {style.green("█".repeat(filled))}{style.dim("░".repeat(16 - filled))} {done}/{todos.length}
      {active === undefined ? "" : ` ${still(active.content)}`}
    </Text>
  )
}

const thousands = (count: number) => count < 1000 ? String(count) : `${(count / 1000).toFixed(count < 10_000 ? 1 : 0)}k`

/** Draws again every second while something is worked on. */
const useSeconds = (working: boolean) => {
  const [, draw] = useState(0)
  useEffect(() => {
    if (!working) return
    const timer = setInterval(() => draw((count) => count + 1), 1000)
    return () => clearInterval(timer)
  }, [working])
}

const elapsed = (since: number) => {
  const seconds = Math.max(0, Math.floor((performance.now() - since) / 1000))
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

const StatusLine = () => {
  const { style } = useControls()
  const { columns } = useSize()
  const { hint, inquiry, question, queue, since, status, working } = useScreen()
  useSeconds(working)
  const percent = status.contextWindow === 0 ? 0 : Math.round(status.contextTokens / status.contextWindow * 100)
  const asking = question !== null || inquiry !== null
  // while something is asked, esc is for the question
  const doing = [...working ? [`working ${elapsed(since)}${asking ? "" : ", esc aborts"}`] : [], ...queue.length === 0 ? [] : [`${queue.length} queued`]].join(" · ")
  const rest = fitting([
    { text: status.model, weight: 5 },
    { text: `${status.agent}${status.thinking === "" ? "" : ` (${status.thinking})`}`, weight: 2 },
    { text: `context ${percent}%`, weight: 6 },
    { text: `${thousands(status.tokens)} tokens`, weight: 1 },
    { text: status.costUsd === null || status.tokens === 0 ? "" : `$${status.costUsd.toFixed(3)}`, weight: 4 },
    { text: status.branch, weight: 3 }
  ], columns - 1 - (doing === "" ? 0 : doing.length + 3), " · ")
  return (
    <Box flexDirection="column">
      {hint !== "" && <Text wrap="truncate">{style.yellow(hint)}</Text>}
      <Text wrap="truncate">{style.cyan(doing)}{style.dim(`${doing === "" ? "" : " · "}${rest}`)}</Text>
    </Box>
  )
}

/** Prompts that wait are drawn up to so many. */
const mostWaiting = 3

const Waiting = () => {
  const { style } = useControls()
  const { queue, working } = useScreen()
  return working && queue.slice(0, mostWaiting).map((text, at) =>
    <Text key={at} wrap="truncate">{style.dim(`↳ ${still(text).trim().split("\n")[0] ?? ""}`)}</Text>)
}

const Live = () => {
  const { screen } = useControls()
  const { calls, inquiry, partial, question, working } = useScreen()
  useResizes()
  const { rows } = useSize()
  const asking = question !== null || inquiry !== null
  const running = asking ? [] : calls.slice(-4)
  const each = Math.max(1, Math.min(panelRows, Math.floor((rows - 16) / Math.max(1, running.length))))
  useKeys(true, (key) => {
    if (key.key === "ctrl-r") screen.update((before) => ({ ...before, reasoningShown: !before.reasoningShown }))
  })
  return (
    <Box flexDirection="column">
      {working && !asking && partial !== "" && <Text>{partial}</Text>}
      <Box flexDirection="column" paddingTop={1}>
        {!asking && <Thinking />}
        {running.map((call) => <Call key={call.id} call={call} most={each} />)}
        {!asking && <Tasks />}
        {!asking && <Waiting />}
        <Approval />
        {question === null && <Picker />}
        <Prompt active={question === null && inquiry === null} />
        <StatusLine />
      </Box>
    </Box>
  )
}

/** The live part of the screen: everything below what is printed for good. */
export const App = ({ controls }: { readonly controls: Controls }) => (
  <ControlsContext.Provider value={controls}>
    <Live />
  </ControlsContext.Provider>
)
