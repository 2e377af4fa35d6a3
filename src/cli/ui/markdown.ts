import stringWidth from "string-width"
import wrapAnsi from "wrap-ansi"
import { withoutEscapes } from "../../tools/text/escapes.js"
import { still, wrap } from "./fit.js"
import type { Style } from "./style.js"

const inline = (text: string, style: Style): string =>
  text
    .split(/(`[^`]+`)/)
    .map((part) =>
      part.length > 2 && part.startsWith("`") && part.endsWith("`")
        ? style.cyan(part.slice(1, -1))
        : part
          // links first: colours have brackets of their own
          .replace(/\[([^[\]]+)\]\((https?:[^)\s]+)\)/g, (_, label: string, url: string) => label === url ? url : `${label} ${style.dim(`(${url})`)}`)
          .replace(/\*\*([^*]+)\*\*/g, (_, inner: string) => style.bold(inner))
          .replace(/(?<![\w*])\*([^*\s][^*]*)\*(?!\w)/g, (_, inner: string) => style.italic(inner))
    )
    .join("")

const cells = (row: string) => row.trim().replace(/^\||\|$/g, "").split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"))
const isRule = (row: string) => /^[\s|:-]+$/.test(row) && row.includes("-")

/** Columns of a table are not made narrower than this. */
const narrowest = 8

/** Widths that fit into a line between them, taken from the widest columns first. */
const fitted = (widths: ReadonlyArray<number>, room: number): ReadonlyArray<number> => {
  const fit = [...widths]
  for (let over = fit.reduce((sum, width) => sum + width, 0) - room; over > 0; over--) {
    const widest = Math.max(...fit)
    if (widest <= narrowest) return fit
    fit[fit.indexOf(widest)] = widest - 1
  }
  return fit
}

const table = (rows: ReadonlyArray<string>, style: Style, room: number): ReadonlyArray<string> => {
  const bodies = rows.filter((row) => !isRule(row)).map((row) => cells(row).map((cell) => inline(cell, style)))
  const columns = Math.max(...bodies.map((row) => row.length))
  const whole = Array.from({ length: columns }, (_, at) => Math.max(...bodies.map((row) => stringWidth(row[at] ?? ""))))
  const widths = fitted(whole, room - 2 * (columns - 1))
  const lines = (row: ReadonlyArray<string>): ReadonlyArray<string> => {
    const parts = widths.map((width, at) => wrap(row[at] ?? "", width))
    return Array.from({ length: Math.max(...parts.map(({ length }) => length)) }, (_, level) =>
      widths.map((width, at) => `${parts[at]?.[level] ?? ""}${" ".repeat(Math.max(0, width - stringWidth(parts[at]?.[level] ?? "")))}`).join("  ").trimEnd())
  }
  return bodies.flatMap((row, at) => at === 0 && rows.some(isRule) ? [...lines(row).map(style.bold), style.dim(widths.map((width) => "─".repeat(width)).join("  "))] : lines(row))
}

/** Rows of the unfinished line that are drawn. */
const mostDrawn = 12

/** Lines a continuation is set in by, so that lists stay lists. */
const indentOf = (line: string) => /^(\s*(?:[•☐☑]|\d+[.)])\s+|\s*)/.exec(line)?.[0] ?? ""
const wrapped = (line: string, width: number): ReadonlyArray<string> => {
  if (stringWidth(line) <= width) return [line]
  const hang = " ".repeat(Math.min(stringWidth(indentOf(line)), Math.floor(width / 2)))
  return wrapAnsi(line, Math.max(20, width - hang.length), { hard: true, trim: false }).split("\n").map((part, at) => at === 0 ? part : hang + part.trimStart())
}

/**
 * Markdown as it streams: whole lines come out rendered and for good, the unfinished one is `rest`. Terminal escapes in
 * the text are taken out first.
 */
export const makeMarkdown = (style: Style, width: () => number) => {
  let rest = ""
  let fence: string | null = null
  let rows: Array<string> = []
  const flushTable = (): ReadonlyArray<string> => {
    const done = rows
    rows = []
    return done.length === 0 ? [] : table(done, style, width())
  }
  const prose = (line: string): string => {
    const heading = /^(#{1,6})\s+(.*)$/.exec(line)
    if (heading !== null) return style.bold(inline(heading[2] ?? "", style))
    const quote = /^>\s?(.*)$/.exec(line)
    if (quote !== null) return wrap(inline(quote[1] ?? "", style), width() - 2).map((part) => style.dim(`│ ${part}`)).join("\n")
    const item = /^(\s*)[-*+]\s+(?:\[([ xX])\]\s+)?(.*)$/.exec(line)
    if (item !== null) return `${item[1] ?? ""}${item[2] === undefined ? "•" : item[2] === " " ? "☐" : "☑"} ${inline(item[3] ?? "", style)}`
    return /^(?:---+|\*\*\*+|___+)\s*$/.test(line) ? style.dim("─".repeat(Math.min(40, width()))) : inline(line, style)
  }
  const finished = (line: string): ReadonlyArray<string> => {
    const mark = /^\s*(```+|~~~+)(.*)$/.exec(line)
    if (fence !== null) {
      if (mark !== null && (mark[1] ?? "").startsWith(fence) && (mark[2] ?? "").trim() === "") {
        fence = null
        return []
      }
      return [style.dim("  ") + line]
    }
    if (mark !== null) {
      fence = mark[1] ?? "```"
      const language = (mark[2] ?? "").trim()
      return [...flushTable(), ...language === "" ? [] : [style.dim(`  ${language}`)]]
    }
    if (line.trimStart().startsWith("|")) {
      rows.push(line)
      return []
    }
    return [...flushTable(), ...prose(line).split("\n").flatMap((part) => wrapped(part, width()))]
  }
  return {
    push: (text: string): ReadonlyArray<string> => {
      const lines = (rest + text).split("\n")
      rest = lines.pop() ?? ""
      return lines.flatMap((line) => finished(withoutEscapes(line)))
    },
    /** Ends the text: what is left over as lines. */
    end: (): ReadonlyArray<string> => {
      const last = rest === "" ? [] : finished(withoutEscapes(rest))
      rest = ""
      fence = null
      return [...last, ...flushTable()]
    },
    /** the unfinished line as it came */
    rest: () => rest,
    /** the unfinished line for the live part of the screen, rendered as far as it goes; only its end when it is long */
    drawn: (): string => {
      const line = still(rest).slice(-2 * mostDrawn * width())
      const rendered = fence !== null ? [`  ${line}`] : line.trimStart().startsWith("|") ? [line] : prose(line).split("\n").flatMap((part) => wrapped(part, width()))
      return rendered.slice(-mostDrawn).join("\n")
    }
  }
}
export type Markdown = ReturnType<typeof makeMarkdown>
