import type { Element, Node } from "@mixmark-io/domino"
import domino from "@mixmark-io/domino"
import { runInNewContext } from "node:vm"
import Turndown from "turndown"
import { clean } from "./clean.js"

export interface Converted {
  readonly title: string | null
  readonly text: string
  /** a sentence where it is not the page's markdown, else null */
  readonly note: string | null
}

/** UTF-16 units of a page that are converted, and how long that may take: a hostile page can make it take hours. */
const mostUnits = 3_000_000
const limitMillis = 3_000

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: "\"", apos: "'", nbsp: " " }
const numbered = (name: string): string | undefined => {
  const code = /^#(?:x([\da-f]+)|(\d+))$/i.exec(name)
  const point = code === null ? NaN : code[1] === undefined ? Number(code[2]) : parseInt(code[1], 16)
  return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : undefined
}
/** Elements whose content is no text. */
const silent = /^(?:script|style|noscript|template|textarea)$/i
const breaking = /^(?:p|div|br|li|tr|h[1-6]|section|article|pre|table|dt|dd)$/i

/** The text between the tags, whatever a page is made of: in one pass, so that no page takes long. */
const bare = (html: string): string => {
  const lower = html.toLowerCase()
  const parts: Array<string> = []
  let at = 0
  while (at < html.length) {
    const open = html.indexOf("<", at)
    parts.push(html.slice(at, open < 0 ? html.length : open))
    if (open < 0) break
    const isComment = html.startsWith("<!--", open)
    const end = isComment ? html.indexOf("-->", open + 4) : html.indexOf(">", open)
    if (end < 0) break
    at = end + (isComment ? 3 : 1)
    const name = /^[a-z][a-z0-9]*/.exec(lower.slice(lower[open + 1] === "/" ? open + 2 : open + 1, open + 12))?.[0] ?? ""
    if (breaking.test(name)) parts.push("\n")
    if (!silent.test(name) || lower[open + 1] === "/") continue
    const closing = lower.indexOf(`</${name}`, at)
    if (closing < 0) break
    at = closing
  }
  return parts.join("").replace(/&(#?\w{1,8});/g, (whole, name: string) => entities[name] ?? numbered(name) ?? whole)
}

/** No blanks at the ends of lines, one empty line at most. Line by line: a pattern for it would take time by the square. */
const tidy = (text: string) => {
  const lines: Array<string> = []
  for (const line of text.split("\n")) {
    const whole = line.trimEnd()
    if (whole !== "" || lines.at(-1) !== "") lines.push(whole)
  }
  return lines.join("\n").trim()
}

const isElement = (node: Node): node is Element => node.nodeType === 1

/** Code as it is shown: line breaks may be elements. */
const codeText = (node: Node): string => {
  if (node.nodeName === "BR") return "\n"
  // Several versions of an example stand in one block.
  if (node.nodeName === "PRE" && isElement(node) && node.querySelectorAll("code").length > 1) {
    return Array.from(node.querySelectorAll("code")).map(codeText).join("\n\n")
  }
  return node.childNodes.length === 0 ? node.textContent ?? "" : Array.from(node.childNodes).map(codeText).join("")
}
const languageOf = (pre: Element): string => {
  const near = [pre, pre.querySelector("code"), pre.parentNode, pre.parentNode?.parentNode ?? null]
  for (const element of near) {
    if (element === null || element === undefined || !isElement(element)) continue
    const given = element.getAttribute("data-lang") ?? element.getAttribute("data-language")
    const named = /(?:^|[\s-])(?:lang|language|source|highlight-source|highlight|brush:?)[-\s]([\w+#.]+)/i.exec(element.getAttribute("class") ?? "")?.[1]
    const name = (given ?? named ?? "").toLowerCase()
    if (name !== "" && !["text", "default", "none", "plaintext", "notranslate"].includes(name)) return name
  }
  return ""
}
const fenced = (pre: Element): string => {
  const text = codeText(pre).replace(/^\n+/, "").trimEnd()
  if (text === "") return ""
  const runs = [...text.matchAll(/`{3,}/g)].map(([run]) => run.length)
  const fence = "`".repeat(Math.max(2, ...runs) + 1)
  return `\n\n${fence}${languageOf(pre)}\n${text}\n${fence}\n\n`
}

const tableOf = (cell: Element): Element | null => {
  for (let at = cell.parentNode; at !== null; at = at.parentNode) if (at.nodeName === "TABLE") return at
  return null
}
const isGrid = (cell: Element) => tableOf(cell)?.getAttribute("data-arranges") === null
const cells = (row: Element) => Array.from(row.childNodes).filter((node) => node.nodeName === "TD" || node.nodeName === "TH")
const spanOf = (cell: Element) => Math.min(20, Math.max(1, Number(cell.getAttribute("colspan") ?? "1") || 1))

const cell = (content: string, node: Element) =>
  isGrid(node) ? ` ${content.trim().replace(/\s*\n\s*/g, " ").replace(/\|/g, "\\|")} |${" |".repeat(spanOf(node) - 1)}` : `\n\n${content.trim()}\n\n`
const row = (content: string, node: Element) => {
  if (!isGrid(node)) return `\n\n${content.trim()}\n\n`
  const isFirst = tableOf(node)?.querySelector("tr") === node
  const width = cells(node).reduce((sum, each) => sum + (isElement(each) ? spanOf(each) : 1), 0)
  return content.trim() === "" ? "" : `\n|${content.trimEnd()}${isFirst ? `\n|${" --- |".repeat(width)}` : ""}`
}
const table = (content: string) => `\n\n${content.trim()}\n\n`

const item = (content: string, node: Element) => {
  const list = node.parentNode
  const before = list === null ? 0 : Array.from(list.childNodes).filter((each) => each.nodeName === "LI").findIndex((each) => each === node)
  const mark = list?.nodeName === "OL" ? `${(Number(list.getAttribute("start") ?? "1") || 1) + before}. ` : "- "
  return `\n${mark}${content.trim().replace(/\n{2,}/g, "\n").replace(/\n/g, `\n${" ".repeat(mark.length)}`)}`
}

const makeTurndown = () => {
  const turndown = new Turndown({ headingStyle: "atx", hr: "---", bulletListMarker: "-", codeBlockStyle: "fenced", emDelimiter: "*" })
  // Read by a model, not rendered: a backslash before each underscore is noise.
  turndown.escape = (text) => text
  turndown.addRule("pre", { filter: "pre", replacement: (_content, node) => fenced(node) })
  turndown.addRule("cell", { filter: ["td", "th"], replacement: cell })
  turndown.addRule("row", { filter: "tr", replacement: row })
  turndown.addRule("rows", { filter: ["thead", "tbody", "tfoot"], replacement: (content) => content })
  turndown.addRule("table", { filter: "table", replacement: table })
  turndown.addRule("caption", { filter: "caption", replacement: (content) => `\n\n${content.trim()}\n\n` })
  turndown.addRule("term", { filter: "dt", replacement: (content) => `\n\n${content.trim()}\n` })
  turndown.addRule("description", { filter: "dd", replacement: (content) => `\n: ${content.trim().replace(/\n/g, "\n  ")}\n` })
  turndown.addRule("link without words", { filter: (node) => node.nodeName === "A" && (node.getAttribute("href") ?? "") === "", replacement: (content) => content })
  turndown.addRule("link to what it says", {
    filter: (node) => node.nodeName === "A" && (node.textContent ?? "").trim() === node.getAttribute("href"),
    replacement: (content) => content.trim()
  })
  turndown.addRule("item", { filter: "li", replacement: item })
  turndown.addRule("strike", { filter: ["del", "s"], replacement: (content) => `~~${content}~~` })
  return turndown
}

const convert = (html: string, url: string): Converted => {
  const { root, title } = clean(domino.createDocument(html), url)
  return { title, text: root === null ? "" : tidy(makeTurndown().turndown(root)), note: null }
}

/** A page as markdown, without what is around its content and without what nobody sees. */
export const toMarkdown = (html: string, url: string): Converted => {
  const bounded = html.slice(0, mostUnits)
  const cut = html.length > mostUnits ? `Only its first ${mostUnits.toLocaleString("en-US")} characters were converted.` : null
  let converted: Converted | null = null
  const run = () => {
    converted = convert(bounded, url)
  }
  try {
    // The machine stops what is called in there, whatever it is doing.
    runInNewContext("run()", { run }, { timeout: limitMillis })
  } catch {
    converted = null
  }
  const { note, text, title } = converted ?? { title: null, text: tidy(bare(bounded)), note: "The page could not be converted; this is its bare text." }
  return { title, text, note: [note, cut].filter((each) => each !== null).join(" ") || null }
}
