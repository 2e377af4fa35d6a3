// CSI, OSC (ended by BEL or ST), DCS/SOS/PM/APC strings, two-byte escapes, the C1 forms of CSI and OSC.
const sequences =
  // oxlint-disable-next-line no-control-regex
  /\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b[PX^_][^\x1b]*(?:\x1b\\)?|\x1b[ -/]*[0-~]|\x9b[0-?]*[ -/]*[@-~]|\x1b/g

/** Takes terminal escape sequences out, and control characters that a terminal acts on (tab and newline stay, `\r\n` becomes `\n`). */
export const withoutEscapes = (text: string): string =>
  text.replace(sequences, "").replace(/\r\n/g, "\n").replace(/[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f\x7f]/g, "")
