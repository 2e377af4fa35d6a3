import { type Node, type Redirect, type Script, Unreadable } from "./ast.js"

interface Pending {
  readonly redirect: Redirect
  readonly delimiter: string
  /** `<<-`: leading tabs are not part of it */
  readonly strip: boolean
  /** the delimiter was quoted: nothing in the body is expanded */
  readonly literal: boolean
}

/** Readers that contain each other, handed in so that their modules need not. */
export interface Grammar {
  /** commands up to what can't begin one */
  readonly commands: (cursor: Cursor) => Script
  /** a compound command with its redirections; null where none begins */
  readonly compound: (cursor: Cursor) => Node | null
  /** a here-document's text */
  readonly document: (cursor: Cursor) => Redirect["target"]
}

const mostDepth = 150

/** A place in a text that is being read, with what has to be remembered on the way. */
export class Cursor {
  at = 0
  /** here-documents whose bodies begin after the next line end */
  pending: Array<Pending> = []
  readonly doubts: Set<string>
  private depth: number
  private outside = 0
  /** where here-documents' texts stood */
  private readonly bodies = new Map<number, number>()

  constructor(
    readonly text: string,
    readonly grammar: Grammar,
    parent: Cursor | null = null
  ) {
    this.doubts = parent?.doubts ?? new Set()
    this.depth = parent === null ? 0 : parent.depth + 1
    this.check()
  }

  private check() {
    if (this.depth > mostDepth) throw new Unreadable("it nests too deeply")
  }
  now(): string {
    return this.text[this.at] ?? ""
  }
  get done(): boolean {
    return this.at >= this.text.length
  }
  peek(ahead: number): string {
    return this.text[this.at + ahead] ?? ""
  }
  sees(text: string): boolean {
    return this.text.startsWith(text, this.at)
  }
  take(text: string): boolean {
    if (!this.sees(text)) return false
    this.at += text.length
    return true
  }
  /** `pattern` must be sticky. */
  match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at
    return pattern.exec(this.text)
  }
  inner(text: string): Cursor {
    return new Cursor(text, this.grammar, this)
  }
  deeper<A>(read: () => A): A {
    this.depth++
    this.check()
    const result = read()
    this.depth--
    return result
  }

  /** Blanks, continued lines and a comment. */
  blanks() {
    while (!this.done) {
      if (this.now() === " " || this.now() === "\t") this.at++
      else if (this.sees("\\\n")) this.at += 2
      else break
    }
    if (this.now() === "#" && this.startsToken()) {
      const end = this.text.indexOf("\n", this.at)
      this.at = end < 0 ? this.text.length : end
    }
  }
  private startsToken() {
    return this.at === 0 || /[\s;&|()<>]/.test(this.text[this.at - 1] ?? "")
  }
  /** Line ends, with the here-documents that begin after them, and blanks around. Gives whether there was one. */
  lineEnds(): boolean {
    let any = false
    this.blanks()
    while (this.take("\n")) {
      any = true
      if (this.outside > 0) this.doubts.add("a here-document begins before a substitution of several lines")
      const pending = this.pending
      this.pending = []
      for (const each of pending) this.body(each)
      this.blanks()
    }
    return any
  }

  private body({ delimiter, literal, redirect, strip }: Pending) {
    const lines: Array<string> = []
    const start = this.at
    let closed = false
    while (!this.done && !closed) {
      let line = this.line()
      while (!literal && !this.done && /(?:^|[^\\])(?:\\\\)*\\$/.test(line)) line = line.slice(0, -1) + this.line()
      if (strip) line = line.replace(/^\t+/, "")
      if (line === delimiter) closed = true
      else lines.push(`${line}\n`)
    }
    if (!closed) this.doubts.add("a here-document has no end")
    this.bodies.set(start, this.at)
    const text = lines.join("")
    redirect.target = literal
      ? { parts: [{ is: "text", text, quoted: true }], start, end: this.at }
      : { ...this.grammar.document(this.inner(text)), start, end: this.at }
  }
  private line(): string {
    const end = this.text.indexOf("\n", this.at)
    const line = this.text.slice(this.at, end < 0 ? this.text.length : end)
    this.at = end < 0 ? this.text.length : end + 1
    return line
  }

  /** Reads what is enclosed: its here-documents are its own. */
  enclosed<A>(read: () => A): A {
    const { at: begun, outside, pending } = this
    this.outside += pending.length
    this.pending = []
    const result = this.deeper(read)
    if (this.pending.length > 0) throw new Unreadable("a here-document begins in a substitution and has no text there")
    // Bash 5.2 reads what it has printed, and then leaves out a semicolon, so that two commands become one.
    const bodies = [...this.bodies].filter(([start]) => start >= begun)
    const rest = () => bodies.reduceRight((text, [start, end]) => text.slice(0, start - begun) + text.slice(end - begun), this.text.slice(begun, this.at))
    if (bodies.length > 0 && rest().includes(";")) throw new Unreadable("a here-document and a semicolon are in one substitution")
    this.pending = pending
    this.outside = outside
    return result
  }
}
