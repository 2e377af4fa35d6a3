import * as Effect from "effect/Effect"

const write = (stream: NodeJS.WriteStream, text: string) =>
  Effect.async<void>((resume) => {
    if (text === "") resume(Effect.void)
    else stream.write(text, () => resume(Effect.void))
  })

const line = (text: string) => text === "" || text.endsWith("\n") ? text : `${text}\n`

/** To stdout, as it is. */
export const out = (text: string) => write(process.stdout, text)
/** To stdout, as whole lines. */
export const outLine = (text: string) => write(process.stdout, line(text))
/** To stderr, as whole lines. */
export const errLine = (text: string) => write(process.stderr, line(text))
export const outJson = (value: unknown) => outLine(JSON.stringify(value, null, 2))
