import { useStdout } from "ink"
import { createContext, useContext, useEffect, useRef, useState, useSyncExternalStore } from "react"
import type { Answer } from "../../services/Approver.js"
import type { Key } from "./keys.js"
import type { Screen, Store } from "./state.js"
import { makeStore, firstScreen } from "./state.js"
import type { Style } from "./style.js"
import { plain } from "./style.js"

/** What components can have done; the effects are in `session.ts`. */
export interface Controls {
  readonly screen: Store<Screen>
  readonly style: Style
  /** a prompt or a slash command */
  readonly submit: (text: string) => void
  readonly answer: (answer: Answer) => void
  /** the chosen labels or the free text; null dismisses */
  readonly choose: (labels: ReadonlyArray<string> | null) => void
  /** ctrl-c */
  readonly interrupt: () => void
  /** esc */
  readonly abort: () => void
  readonly completions: (kind: "path" | "command", word: string) => Promise<ReadonlyArray<{ readonly value: string; readonly about: string }>>
  /** earlier prompts of this project, oldest first */
  readonly past: () => ReadonlyArray<string>
  readonly onKey: (listener: (key: Key) => void) => () => void
}

const nothing: Controls = {
  screen: makeStore(firstScreen), style: plain, submit: () => {}, answer: () => {}, choose: () => {}, interrupt: () => {}, abort: () => {},
  completions: () => Promise.resolve([]), past: () => [], onKey: () => () => {}
}
export const ControlsContext = createContext<Controls>(nothing)
export const useControls = () => useContext(ControlsContext)

export const useScreen = (): Screen => {
  const { screen } = useControls()
  return useSyncExternalStore(screen.subscribe, screen.get)
}

/** The terminal's size. Of a live part that is higher only the end is seen, so everything that can grow takes its share of this. */
export const useSize = () => {
  const { stdout } = useStdout()
  return { columns: stdout.columns || 80, rows: stdout.rows || 24 }
}

/** Draws again when the terminal's size changes; for the outermost component. */
export const useResizes = (): void => {
  const { stdout } = useStdout()
  const [, draw] = useState(0)
  useEffect(() => {
    const again = () => draw((count) => count + 1)
    stdout.on("resize", again)
    return () => void stdout.off("resize", again)
  }, [])
}

/** Keys go to `listener` while `active`. */
export const useKeys = (active: boolean, listener: (key: Key) => void): void => {
  const { onKey } = useControls()
  useEffect(() => active ? onKey(listener) : undefined)
}

/** State that keys change: several keys of one read come before the next drawing, and each must find what the one before left. */
export const useFresh = <A>(first: A) => {
  const latest = useRef(first)
  const [, draw] = useState(0)
  return {
    get: () => latest.current,
    set: (value: A) => {
      latest.current = value
      draw((count) => count + 1)
    }
  }
}
