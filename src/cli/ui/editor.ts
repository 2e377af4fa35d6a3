import { graphemes } from "../../services/graphemes.js"

/** The input line as a value: text, and where the cursor stands (in UTF-16 units, always between graphemes). */
export interface Editor {
  readonly text: string
  readonly cursor: number
}
export const empty: Editor = { text: "", cursor: 0 }
export const withText = (text: string): Editor => ({ text, cursor: text.length })

const lineStart = ({ cursor, text }: Editor) => text.lastIndexOf("\n", cursor - 1) + 1
const lineEnd = ({ cursor, text }: Editor) => {
  const at = text.indexOf("\n", cursor)
  return at === -1 ? text.length : at
}

/** The border of a grapheme before the cursor; line ends count as one. */
const before = ({ cursor, text }: Editor): number => {
  if (cursor === 0) return 0
  const from = Math.max(0, text.lastIndexOf("\n", cursor - 2) + 1)
  let last = from
  for (const { index } of graphemes(text.slice(from, cursor))) last = from + index
  return last
}
const after = ({ cursor, text }: Editor): number => {
  const next = graphemes(text.slice(cursor, cursor + 64)).containing(0)
  return next === undefined ? text.length : cursor + next.segment.length
}
const wordBefore = ({ cursor, text }: Editor): number => cursor - (/[^\s\p{P}]*[\s\p{P}]*$/u.exec(text.slice(0, cursor))?.[0].length ?? 0)
const wordAfter = ({ cursor, text }: Editor): number => cursor + (/^[\s\p{P}]*[^\s\p{P}]*/u.exec(text.slice(cursor))?.[0].length ?? 0)

const cut = ({ text }: Editor, from: number, to: number): Editor => ({ text: text.slice(0, from) + text.slice(to), cursor: from })
const to = (editor: Editor, cursor: number): Editor => ({ ...editor, cursor })

export const insert = ({ cursor, text }: Editor, added: string): Editor =>
  ({ text: text.slice(0, cursor) + added + text.slice(cursor), cursor: cursor + added.length })
/** A pasted text as one piece: its line ends become `\n`, tabs stay, other control characters go. */
export const paste = (editor: Editor, pasted: string): Editor =>
  insert(editor, pasted.replace(/\r\n?/g, "\n").replace(/[\x00-\x08\x0b-\x1f\x7f]/g, ""))

export const left = (editor: Editor) => to(editor, before(editor))
export const right = (editor: Editor) => to(editor, after(editor))
export const home = (editor: Editor) => to(editor, lineStart(editor))
export const end = (editor: Editor) => to(editor, lineEnd(editor))
export const wordLeft = (editor: Editor) => to(editor, wordBefore(editor))
export const wordRight = (editor: Editor) => to(editor, wordAfter(editor))
export const backspace = (editor: Editor) => cut(editor, before(editor), editor.cursor)
export const deleteRight = (editor: Editor) => cut(editor, editor.cursor, after(editor))
export const killToEnd = (editor: Editor) => cut(editor, editor.cursor, Math.max(lineEnd(editor), after(editor) * Number(editor.cursor === lineEnd(editor))))
export const killToStart = (editor: Editor) => cut(editor, lineStart(editor), editor.cursor)
export const killWord = (editor: Editor) => cut(editor, wordBefore(editor), editor.cursor)

/** Up or down one line in a text of several; null where there is none that way. */
export const vertical = (editor: Editor, direction: -1 | 1): Editor | null => {
  const start = lineStart(editor)
  const column = editor.cursor - start
  if (direction === -1) {
    if (start === 0) return null
    const above = to(editor, start - 1)
    return to(editor, Math.min(lineStart(above) + column, lineEnd(above)))
  }
  const stop = lineEnd(editor)
  if (stop === editor.text.length) return null
  const below = to(editor, stop + 1)
  return to(editor, Math.min(below.cursor + column, lineEnd(below)))
}

/** What Enter does: a `\` at the cursor becomes a line end, else the text is sent. */
export const enter = (editor: Editor): { readonly send: string } | { readonly edited: Editor } =>
  editor.text.slice(0, editor.cursor).endsWith("\\")
    ? { edited: insert(cut(editor, editor.cursor - 1, editor.cursor), "\n") }
    : { send: editor.text }

/** The word at the cursor that `@` or `/` completes: `@` anywhere after a space, `/` only as the first thing. */
export const completing = ({ cursor, text }: Editor): { readonly kind: "path" | "command"; readonly from: number; readonly word: string } | null => {
  const head = text.slice(0, cursor)
  const command = /^\/(\S*)$/.exec(head)
  if (command !== null) return { kind: "command", from: 0, word: command[1] ?? "" }
  const path = /(?:^|\s)@(\S*)$/.exec(head)
  return path === null ? null : { kind: "path", from: cursor - (path[1] ?? "").length - 1, word: path[1] ?? "" }
}
/** The word from `from` to the cursor replaced by a choice. */
export const complete = (editor: Editor, from: number, choice: string): Editor => insert(cut(editor, from, editor.cursor), choice)

/** Older and newer prompts around the one being written, which is kept. */
export interface History {
  readonly past: ReadonlyArray<string>
  /** how far back; 0 is the draft */
  readonly back: number
  readonly draft: string
}
export const recallOlder = (history: History, current: string): { readonly history: History; readonly text: string } | null => {
  const back = history.back + 1
  const text = history.past[history.past.length - back]
  return text === undefined ? null : { text, history: { ...history, back, draft: history.back === 0 ? current : history.draft } }
}
export const recallNewer = (history: History): { readonly history: History; readonly text: string } | null => {
  if (history.back === 0) return null
  const back = history.back - 1
  return { history: { ...history, back }, text: back === 0 ? history.draft : history.past[history.past.length - back] ?? "" }
}
