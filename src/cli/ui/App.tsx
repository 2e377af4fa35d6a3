import { Box, Text } from "ink"
import wrapAnsi from "wrap-ansi"
import { withoutEscapes } from "../../tools/text/escapes.js"
import { Approval } from "./Approval.js"
import type { Controls } from "./controls.js"
import { ControlsContext, useControls, useKeys, useResizes, useScreen, useSize } from "./controls.js"
import { Picker } from "./Picker.js"
import { Prompt } from "./Prompt.js"
import type { RunningCall } from "./state.js"

/** Lines of a running command's output that are drawn. */
const panelRows = 8
const reasoningRows = 10

const lastLines = (text: string, rows: number) => withoutEscapes(text).trimEnd().split("\n").slice(-rows)

const Call = ({ call, most }: { readonly call: RunningCall; readonly most: number }) => {
  const { style } = useControls()
  const rows = call.tail === "" || most === 0 ? [] : lastLines(call.tail, most)
  return (
    <Box flexDirection="column">
      <Text wrap="truncate">{style.cyan("⋯ ")}{withoutEscapes(call.title)}</Text>
      {rows.map((row, at) => <Text key={at} wrap="truncate">{style.dim(`  │ ${row}`)}</Text>)}
    </Box>
  )
}

const Thinking = () => {
  const { style } = useControls()
  const { calls, partial, reasoning, reasoningChars, reasoningShown, working } = useScreen()
  const { columns, rows } = useSize()
  const most = calls.length > 0 ? 2 : Math.min(reasoningRows, Math.floor(rows / 4))
  if (!working) return null
  return (
    <Box flexDirection="column">
      {reasoningShown && reasoning !== "" && lastLines(wrapAnsi(reasoning, columns - 1, { hard: true }), most).map((line, at) => <Text key={at} wrap="truncate">{style.dim(line)}</Text>)}
      {partial !== "" && <Text>{partial}</Text>}
      {partial === "" && reasoningChars > 0 && <Text>{style.dim(`thought ${reasoningChars} characters (ctrl-r ${reasoningShown ? "hides" : "shows"} it)`)}</Text>}
    </Box>
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
      {active === undefined ? "" : ` ${withoutEscapes(active.content)}`}
    </Text>
  )
}

const thousands = (count: number) => count < 1000 ? String(count) : `${(count / 1000).toFixed(count < 10_000 ? 1 : 0)}k`

const StatusLine = () => {
  const { style } = useControls()
  const { hint, queue, status, working } = useScreen()
  const percent = status.contextWindow === 0 ? 0 : Math.round(status.contextTokens / status.contextWindow * 100)
  const parts = [
    ...working ? ["working, esc aborts"] : [], ...queue.length === 0 ? [] : [`${queue.length} queued`],
    status.model, `${status.agent}${status.thinking === "" ? "" : ` (${status.thinking})`}`, `context ${percent}%`, `${thousands(status.tokens)} tokens`,
    ...status.costUsd === null ? [] : [`$${status.costUsd.toFixed(3)}`], ...status.branch === "" ? [] : [status.branch]
  ]
  return (
    <Box flexDirection="column">
      {hint !== "" && <Text>{style.yellow(hint)}</Text>}
      <Text wrap="truncate">{style.dim(parts.filter((part) => part !== "").join(" · "))}</Text>
    </Box>
  )
}

const Live = () => {
  const { screen } = useControls()
  const { calls, inquiry, question } = useScreen()
  useResizes()
  const { rows } = useSize()
  const asking = question !== null || inquiry !== null
  const running = calls.slice(asking ? -1 : -4)
  const each = asking ? 0 : Math.max(1, Math.min(panelRows, Math.floor((rows - 16) / Math.max(1, running.length))))
  useKeys(true, (key) => {
    if (key.key === "ctrl-r") screen.update((before) => ({ ...before, reasoningShown: !before.reasoningShown }))
  })
  return (
    <Box flexDirection="column">
      {!asking && <Thinking />}
      {running.map((call) => <Call key={call.id} call={call} most={each} />)}
      {!asking && <Tasks />}
      <Approval />
      {question === null && <Picker />}
      <Prompt active={question === null && inquiry === null} />
      <StatusLine />
    </Box>
  )
}

/** The live part of the screen: everything below what is printed for good. */
export const App = ({ controls }: { readonly controls: Controls }) => (
  <ControlsContext.Provider value={controls}>
    <Live />
  </ControlsContext.Provider>
)
