import { Box, Text } from "ink"
import { useRef, useState } from "react"
import { useControls, useFresh, useKeys, useScreen, useSize } from "./controls.js"
import type { Editor, History } from "./editor.js"
import * as E from "./editor.js"
import type { Key, KeyName } from "./keys.js"

interface Menu {
  readonly kind: "path" | "command"
  readonly from: number
  /** what it was made for: once that is edited, no key goes to it */
  readonly of: Editor
  readonly choices: ReadonlyArray<{ readonly value: string; readonly about: string }>
  readonly at: number
}

const edits: Partial<Record<KeyName, (editor: Editor) => Editor>> = {
  left: E.left, right: E.right, home: E.home, end: E.end, "ctrl-a": E.home, "ctrl-e": E.end, "ctrl-b": E.left, "ctrl-f": E.right,
  "word-left": E.wordLeft, "word-right": E.wordRight, backspace: E.backspace, delete: E.deleteRight, "ctrl-d": E.deleteRight,
  "ctrl-k": E.killToEnd, "ctrl-u": E.killToStart, "ctrl-w": E.killWord, "kill-word": E.killWord,
  newline: (editor) => E.insert(editor, "\n")
}

/** Lines of a long text that are drawn around the cursor. */
const mostRows = 8

/** Rows of the screen that the line with the cursor may take; the others take one where there are several. */
const cursorRows = 4

/** Without the half of a character that a cut has left at an end. */
const whole = (text: string) => text.replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, "")

/** The part of a line around the cursor, with the cursor drawn on it. */
const marked = (line: string, cursor: number, most: number, inverse: (text: string) => string) => {
  const from = Math.max(0, Math.min(cursor - Math.floor(most / 2), line.length - most))
  const under = line.slice(cursor)
  const at = under.slice(0, E.right({ text: under, cursor: 0 }).cursor)
  const rest = under.slice(at.length, Math.max(0, from + most - cursor))
  return `${from > 0 ? "…" : ""}${whole(line.slice(from, cursor))}${inverse(at === "" ? " " : at)}${whole(rest)}${at.length + rest.length < under.length ? "…" : ""}`
}
const clipped = (line: string, most: number) => line.length <= most ? line : `${whole(line.slice(0, most - 1))}…`

const Drawn = ({ editor, idle }: { readonly editor: Editor; readonly idle: string }) => {
  const { style } = useControls()
  const { columns } = useSize()
  if (editor.text === "") return <Text>{style.inverse(" ")}{style.dim(` ${idle}`.slice(1))}</Text>
  const before = editor.text.slice(0, editor.cursor).split("\n")
  const row = before.length - 1
  const lines = editor.text.split("\n")
  const first = Math.max(0, Math.min(row - mostRows + 2, lines.length - mostRows))
  const hidden = lines.length - mostRows
  const drawn = lines.slice(first, first + mostRows).map((line, at) =>
    first + at === row ? marked(line, before[row]?.length ?? 0, cursorRows * columns, style.inverse) : clipped(line, columns - 3))
  return (
    <Box flexDirection="column">
      <Text>{drawn.map((line) => line === "" ? " " : line.replaceAll("\t", "    ")).join("\n")}</Text>
      {hidden > 0 && <Text>{style.dim(`${lines.length} lines, ${hidden} not shown`)}</Text>}
    </Box>
  )
}

const Choices = ({ menu }: { readonly menu: Menu }) => {
  const { style } = useControls()
  const first = Math.max(0, menu.at - 6)
  const wide = Math.max(...menu.choices.map(({ value }) => value.length))
  return (
    <Box flexDirection="column">
      {menu.choices.slice(first, first + 8).map((choice) => (
        <Text key={choice.value} wrap="truncate">
          {choice === menu.choices[menu.at] ? style.cyan(`› ${choice.value}`) : `  ${choice.value}`}
          {style.dim(choice.about === "" ? "" : `${" ".repeat(wide - choice.value.length + 1)}${choice.about}`)}
        </Text>
      ))}
      {menu.choices.length > first + 8 && <Text>{style.dim(`  … ${menu.choices.length - first - 8} more`)}</Text>}
    </Box>
  )
}

const Input = ({ editor, menu }: { readonly editor: Editor; readonly menu: Menu | null }) => {
  const { style } = useControls()
  const { working } = useScreen()
  return (
    <Box flexDirection="column">
      <Box>
        <Text>{style.cyan("› ")}</Text>
        <Drawn editor={editor} idle={working ? "write on; it is sent when this turn ends" : "what shall be done? / for commands, @ for paths"} />
      </Box>
      {menu !== null && <Choices menu={menu} />}
    </Box>
  )
}

/** The input line: usable while the agent works, with history and completion. */
export const Prompt = ({ active }: { readonly active: boolean }) => {
  const controls = useControls()
  const { working } = useScreen()
  const [editor, setEditor] = useState<Editor>(E.empty)
  const { get: getMenu, set: setMenu } = useFresh<Menu | null>(null)
  const history = useRef<History>({ past: [], back: 0, draft: "" })
  const latest = useRef(editor)

  const show = (next: Editor) => {
    latest.current = next
    setEditor(next)
    const found = E.completing(next)
    if (found === null) return setMenu(null)
    void controls.completions(found.kind, found.word).then((choices) => {
      if (latest.current === next) setMenu(choices.length === 0 ? null : { kind: found.kind, from: found.from, of: next, choices, at: 0 })
    })
  }
  const send = (text: string) => {
    if (text.trim() === "") return
    history.current = { past: [], back: 0, draft: "" }
    show(E.empty)
    controls.submit(text)
  }
  const choose = (chosen: Menu) => {
    const choice = chosen.choices[chosen.at]
    if (choice !== undefined) show(E.complete(latest.current, chosen.from, choice.value))
  }
  const through = (direction: -1 | 1) => {
    const moved = E.vertical(latest.current, direction)
    if (moved !== null) return show(moved)
    if (history.current.back === 0) history.current = { ...history.current, past: controls.past() }
    const found = direction === -1 ? E.recallOlder(history.current, latest.current.text) : E.recallNewer(history.current)
    if (found === null) return
    history.current = found.history
    latest.current = E.withText(found.text)
    setEditor(latest.current)
    setMenu(null)
  }
  const enter = () => {
    const done = E.enter(latest.current)
    if ("send" in done) send(done.send)
    else show(done.edited)
  }
  /** Keys that an open menu takes; false leaves them to the line. */
  const inMenu = (open: Menu, key: KeyName): boolean => {
    const count = open.choices.length
    const choice = open.choices[open.at]
    if (key === "up" || key === "shift-tab") setMenu({ ...open, at: (open.at + count - 1) % count })
    else if (key === "down") setMenu({ ...open, at: (open.at + 1) % count })
    else if (key === "tab") choose(open)
    else if (key === "escape") setMenu(null)
    else if (key === "enter" && open.kind === "command" && choice !== undefined) send(choice.value.trim())
    else if (key === "enter" && choice !== undefined && choice.value.trim() !== latest.current.text.slice(open.from).trim()) choose(open)
    else return false
    return true
  }
  useKeys(active, (key: Key) => {
    if (key.key === "text") return show(E.insert(latest.current, key.text))
    if (key.key === "paste") return show(E.paste(latest.current, key.text))
    const open = getMenu()
    if (open !== null && open.of === latest.current && inMenu(open, key.key)) return
    if (key.key === "enter") return enter()
    if (key.key === "up") return through(-1)
    if (key.key === "down") return through(1)
    if (key.key === "escape") return controls.abort()
    if (key.key === "ctrl-c" && latest.current.text !== "" && !working) return show(E.empty)
    if (key.key === "ctrl-c" || (key.key === "ctrl-d" && latest.current.text === "")) return controls.interrupt()
    const edit = edits[key.key]
    if (edit !== undefined) show(edit(latest.current))
  })
  return active ? <Input editor={editor} menu={getMenu()} /> : null
}
