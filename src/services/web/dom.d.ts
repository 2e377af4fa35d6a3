/** What is used of domino's documents; it brings no types of its own. */
declare module "@mixmark-io/domino" {
  export interface Node {
    readonly nodeType: number
    readonly nodeName: string
    readonly parentNode: Element | null
    readonly childNodes: ArrayLike<Node>
    textContent: string | null
  }
  export interface Element extends Node {
    readonly getAttribute: (name: string) => string | null
    readonly setAttribute: (name: string, value: string) => void
    readonly removeAttribute: (name: string) => void
    readonly querySelector: (selector: string) => Element | undefined
    readonly querySelectorAll: (selector: string) => ArrayLike<Element>
    readonly remove: () => void
    readonly previousElementSibling: Element | null
  }
  export interface Document {
    readonly title: string
    readonly body: Element | null
    readonly documentElement: Element | null
    readonly querySelector: (selector: string) => Element | undefined
    readonly querySelectorAll: (selector: string) => ArrayLike<Element>
  }
  const domino: { readonly createDocument: (html: string) => Document }
  export default domino
}
/** What is used of turndown, over domino's elements: its own types want a browser's. */
declare module "turndown" {
  import type { Element } from "@mixmark-io/domino"
  export default class Turndown {
    constructor(options: Readonly<Record<string, string>>)
    escape: (text: string) => string
    addRule(key: string, rule: {
      readonly filter: string | ReadonlyArray<string> | ((node: Element) => boolean)
      readonly replacement: (content: string, node: Element) => string
    }): this
    turndown(root: Element): string
  }
}
