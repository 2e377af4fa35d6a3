import type { Document, Element } from "@mixmark-io/domino"

/** What is no content wherever it stands. */
const never = [
  "script", "style", "noscript", "template", "svg", "math", "iframe", "object", "embed", "canvas", "audio", "video", "link", "meta",
  "button", "input", "select", "textarea", "dialog", "nav", "aside", "footer",
  "[role=navigation]", "[role=banner]", "[role=contentinfo]", "[role=search]", "[role=complementary]", "[role=dialog]", "[role=alertdialog]",
  "[hidden]", "[aria-hidden=true]", ".sr-only", ".visually-hidden", ".screen-reader-text",
  ".navheader", ".navfooter", ".breadcrumb", ".breadcrumbs", ".skip-link",
  // numbers beside code
  ".linenos", ".lineno", ".linenodiv", ".line-numbers-rows", ".gutter"
].join(",")

const invisible = /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|opacity\s*:\s*0(?:\.0+)?\s*(?:;|!|$)|font-size\s*:\s*0(?:\.0+)?(?:px|pt|em|rem|%)?\s*(?:;|!|$)|(?:text-indent|left|top)\s*:\s*-\d{3,}|(?:max-)?(?:width|height)\s*:\s*[01](?:px)?\s*(?:;|!|$)|clip(?:-path)?\s*:\s*(?:rect\(\s*[01]|inset\(\s*(?:50|100)%)|color\s*:\s*transparent|transform\s*:\s*scale\(\s*0\s*\))/i

const each = (from: Document | Element, selector: string): ReadonlyArray<Element> => Array.from(from.querySelectorAll(selector))
const textOf = (element: Element) => (element.textContent ?? "").trim()

const within = (element: Element, names: ReadonlySet<string>): boolean => {
  for (let at = element.parentNode; at !== null; at = at.parentNode) if (names.has(at.nodeName)) return true
  return false
}
const content: ReadonlySet<string> = new Set(["MAIN", "ARTICLE"])

const longest = (elements: ReadonlyArray<Element>): Element | null => {
  let best: Element | null = null
  for (const element of elements) if (best === null || textOf(element).length > textOf(best).length) best = element
  return best
}

/** The part of a page that it is about: what says so itself, unless that is next to nothing of the text. */
const mainOf = (body: Element): Element => {
  const all = textOf(body).length
  const main = longest(each(body, "main,[role=main]"))
  if (main !== null && textOf(main).length > all / 20) return main
  const articles = each(body, "article")
  const article = longest(articles)
  return article !== null && textOf(article).length > all / 2 ? article : body
}

const absolute = (text: string, base: string): string | null => {
  if (!URL.canParse(text, base)) return null
  const url = new URL(text, base)
  return url.protocol === "https:" || url.protocol === "http:" || url.protocol === "mailto:" ? url.href : null
}

/** Signs that link a heading to itself. */
const permalink = /^[\s¶#§⚓∞🔗\u200b-\u200f\ufeff\ue000-\uf8ff]*$/u

const links = (root: Element, base: string) => {
  for (const anchor of each(root, "a")) {
    const given = anchor.getAttribute("href")
    const isEmpty = permalink.test(anchor.textContent ?? "") && anchor.querySelector("img") === undefined
    if (isEmpty) {
      anchor.remove()
      continue
    }
    // Mostly the text once more.
    anchor.removeAttribute("title")
    const href = given === null || given.startsWith("#") ? null : absolute(given, base)
    if (href === null) anchor.removeAttribute("href")
    else anchor.setAttribute("href", href)
  }
  for (const image of each(root, "img")) {
    const source = absolute(image.getAttribute("src") ?? "", base)
    // Without words an image tells a reader of text nothing.
    if (source === null || (image.getAttribute("alt") ?? "").trim() === "") image.remove()
    else image.setAttribute("src", source)
  }
}

/** A table that only arranges things: its cells hold blocks, or there is but one. */
const arranges = (table: Element) =>
  table.querySelector("pre,table,ul,ol,dl,h1,h2,h3,h4,h5,h6,blockquote") !== undefined || table.querySelectorAll("td,th").length < 2 || table.querySelectorAll("tr").length < 1

/** Leaves what a reader of the page would read, with absolute links; changes the document. */
export const clean = (document: Document, url: string): { readonly title: string | null; readonly root: Element | null } => {
  const title = document.title.replace(/\s+/g, " ").trim().slice(0, 300)
  const named = document.querySelector("base[href]")?.getAttribute("href") ?? ""
  const base = absolute(named, url) ?? url
  const { body } = document
  if (body === null) return { title: title === "" ? null : title, root: null }
  for (const element of each(body, never)) element.remove()
  for (const element of each(body, "[style]")) if (invisible.test(element.getAttribute("style") ?? "")) element.remove()
  for (const header of each(body, "header")) if (!within(header, content)) header.remove()
  const root = mainOf(body)
  links(root, base)
  for (const table of each(root, "table")) if (arranges(table)) table.setAttribute("data-arranges", "")
  return { title: title === "" ? null : title, root }
}
