import { Box, Text } from "ink"
import { useControls, useFresh, useKeys, useScreen, useSize } from "./controls.js"
import type { Editor } from "./editor.js"
import * as E from "./editor.js"
import { still, wrap } from "./fit.js"

/** Choices drawn at a time, where there is room. */
const mostChoices = 12

const untouched: { readonly at: number; readonly chosen: ReadonlySet<number>; readonly text: Editor } = { at: 0, chosen: new Set(), text: E.empty }

/** A question of the agent or of the set-up: a list to choose from (several where asked for), or free text. */
export const Picker = () => {
  const { choose, interrupt, style } = useControls()
  const { inquiry } = useScreen()
  const { columns, rows } = useSize()
  const window = Math.max(3, Math.min(mostChoices, rows - 10))
  const { get, set } = useFresh(untouched)
  const end = (labels: ReadonlyArray<string> | null) => {
    set(untouched)
    choose(labels)
  }
  useKeys(inquiry !== null, (key) => {
    if (inquiry === null) return
    const { multiple, options } = inquiry
    const { at, chosen, text } = get()
    const setAt = (place: number) => set({ ...get(), at: place })
    const setText = (edited: Editor) => set({ ...get(), text: edited })
    if (key.key === "escape") return end(null)
    if (key.key === "ctrl-c") return interrupt()
    if (options.length === 0) {
      if (key.key === "enter") return text.text.trim() === "" ? undefined : end([text.text.trim()])
      if (key.key === "text" || key.key === "paste") return setText(E.paste(text, key.text))
      if (key.key === "backspace") return setText(E.backspace(text))
      if (key.key === "left") return setText(E.left(text))
      if (key.key === "right") return setText(E.right(text))
      return
    }
    if (key.key === "up") return setAt((at + options.length - 1) % options.length)
    if (key.key === "down" || key.key === "tab") return setAt((at + 1) % options.length)
    const number = key.key === "text" && /^[1-9]$/.test(key.text) ? Number(key.text) - 1 : null
    if (multiple && ((key.key === "text" && key.text === " ") || number !== null)) {
      const turned = number ?? at
      return set({ ...get(), chosen: new Set(chosen.has(turned) ? [...chosen].filter((each) => each !== turned) : [...chosen, turned]) })
    }
    if (number !== null && options[number] !== undefined) return end([options[number].label])
    if (key.key === "enter") {
      const picked = multiple && chosen.size > 0 ? [...chosen].sort((one, other) => one - other) : [at]
      return end(picked.flatMap((index) => options[index] === undefined ? [] : [options[index].label]))
    }
  })
  if (inquiry === null) return null
  const { at, chosen, text } = get()
  const first = Math.max(0, Math.min(at - Math.floor(window / 2), inquiry.options.length - window))
  return (
    <Box flexDirection="column">
      <Text>{wrap(still(inquiry.question), columns - 1).map(style.bold).join("\n")}</Text>
      {inquiry.options.slice(first, first + window).map((option, index) => {
        const place = first + index
        const mark = inquiry.multiple ? (chosen.has(place) ? "☑ " : "☐ ") : `${place + 1}. `
        const line = `${place === at ? "› " : "  "}${mark}${still(option.label)}`
        return (
          <Text key={place} wrap="truncate">
            {place === at ? style.cyan(line) : line}
            {style.dim(option.detail === undefined ? "" : `  ${still(option.detail)}`)}
          </Text>
        )
      })}
      {inquiry.options.length === 0
        ? <Text>{style.cyan("› ")}{inquiry.secret ? "•".repeat(text.text.length) : text.text}{style.inverse(" ")}</Text>
        : <Text>{style.dim(inquiry.multiple ? "space marks, enter sends, esc dismisses" : "enter or a number chooses, esc dismisses")}</Text>}
    </Box>
  )
}
