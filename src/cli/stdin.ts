import * as Effect from "effect/Effect"

/**
 * Standard input to its end. Unless it was asked for, a terminal gives null, and so does a pipe on which neither data
 * nor its end comes within a second (decisions.md, The command).
 */
export const readStdin = (wanted: boolean): Effect.Effect<string | null> =>
  Effect.async<string | null>((resume) => {
    const { stdin } = process
    if (!wanted && stdin.isTTY) {
      resume(Effect.succeed(null))
      return
    }
    const parts: Array<Buffer> = []
    const give = (text: string | null) => {
      clearTimeout(timer)
      stdin.removeAllListeners("data").removeAllListeners("end").removeAllListeners("error")
      stdin.pause()
      if (text === null) stdin.unref?.()
      resume(Effect.succeed(text))
    }
    const timer = setTimeout(() => {
      if (!wanted && parts.length === 0) give(null)
    }, 1000)
    stdin.on("data", (part: Buffer) => parts.push(part))
    stdin.on("end", () => give(Buffer.concat(parts).toString("utf8")))
    stdin.on("error", () => give(parts.length === 0 ? null : Buffer.concat(parts).toString("utf8")))
  })
