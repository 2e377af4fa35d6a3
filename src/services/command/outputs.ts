import { type Field, hole, type Input, type Text } from "../Commands.js"
import { ansi } from "./ansi.js"

export const nothing: Text = { text: "", sure: true, fetched: false }
export const unsure = (text: Text): Text => ({ ...text, sure: false })
/** What two commands print one after the other. */
export const after = (one: Text, other: Text): Text => ({
  text: one.text === null || other.text === null ? null : one.text + other.text,
  sure: one.sure && other.sure,
  fetched: one.fetched || other.fetched
})

const words = (fields: ReadonlyArray<Field>) => fields.map(({ text }) => text)

const echo = (args: ReadonlyArray<string>): string | null => {
  let from = 0
  let newline = true
  let escapes = false
  for (let option = args[from]; option !== undefined && /^-[neE]+$/.test(option); option = args[++from]) {
    if (option.includes("n")) newline = false
    if (option.includes("e")) escapes = true
    if (option.includes("E")) escapes = false
  }
  const text = args.slice(from).join(" ")
  const shown = escapes ? (text.includes("\\c") ? null : unescaped(text)) : text
  return shown === null ? null : newline ? `${shown}\n` : shown
}
const unescaped = (text: string): string | null => {
  const pieces = text.split(hole).map((piece) => ansi(piece.replace(/\\0([0-7]{1,3})/g, "\\$1").replace(/\\(['"?])/g, "\\\\$1")))
  return pieces.includes(null) ? null : pieces.join(hole)
}

const directive = /%(?:%|([-+ #0]*\d*(?:\.\d+)?)([sdiubq]))/g
const printf = (args: ReadonlyArray<string>): string | null => {
  const [format, ...values] = args[0] === "--" ? args.slice(1) : args
  if (format === undefined || format.startsWith("-") || format.includes(hole)) return null
  const text = unescaped(format)
  const wanted = [...text?.matchAll(directive) ?? []].filter(([all]) => all !== "%%").length
  if (text === null || /%(?!%|[-+ #0]*\d*(?:\.\d+)?[sdiubq])/.test(text.replaceAll("%%", ""))) return null
  let out = ""
  let at = 0
  let plain = true
  do {
    out += text.replace(directive, (all, flags: string | undefined, kind: string | undefined) => {
      if (all === "%%") return "%"
      const value = values[at++] ?? ""
      if (flags !== "" || kind === "q") plain = false
      if (kind === "b") {
        const shown = unescaped(value)
        plain = plain && shown !== null
        return shown ?? ""
      }
      return kind === "s" ? value : value === "" ? "0" : value
    })
  } while (wanted > 0 && at < values.length)
  return plain ? out : null
}

/** Whether a command prints nothing, not even what is set or what it does. */
const isSilent = (name: string, args: ReadonlyArray<string>): boolean => {
  if (!silent.has(name) || args.some((arg) => arg.includes(hole))) return false
  const [first, ...others] = args
  if (name === "cd") return first !== "-"
  if (name === "set" || name === "shopt") return first !== undefined && (others.length > 0 || !/^[-+]o?$/.test(first)) && (name === "set" || /^-[suq]/.test(first))
  if (name === "alias") return first !== undefined && args.every((arg) => arg.includes("="))
  if (/^(?:export|local|declare|readonly)$/.test(name)) return args.some((arg) => !/^[-+]/.test(arg)) && !args.some((arg) => /^-\w*[pfF]/.test(arg))
  return !/^(?:mkdir|rm|touch|cp|mv|chmod|sleep)$/.test(name) || !args.some((arg) => /^-\w*[vc]|^--\w/.test(arg))
}

const silent = new Set([":", "true", "false", "cd", "export", "set", "unset", "shift", "test", "[", "local", "declare", "readonly", "exit", "return", "alias", "mkdir", "rm", "touch", "cp", "mv", "chmod", "sleep", "shopt", "read", "break", "continue"])

/** Programs that fetch from the network what is then on their output. */
export const downloaders: ReadonlySet<string> = new Set([
  "curl", "wget", "wget2", "fetch", "aria2c", "http", "https", "httpie", "xh", "xhs", "curlie", "lynx", "links", "elinks", "w3m", "get", "lwp-request", "lwp-download", "ftp", "axel", "iwr", "irm", "invoke-webrequest", "invoke-restmethod",
  "nc", "ncat", "netcat", "telnet", "tftp", "ssh", "rsh", "dig", "nslookup", "host"
])
/** Forms of other programs that do so too. */
const fetches: Readonly<Record<string, RegExp>> = {
  socat: /\b(?:tcp|udp|ssl|openssl)/i, gh: /^api\b/, glab: /^api\b/, aws: /\bs3 cp\b.* -(?: |$)|\bs3api get-object\b.*\/dev\/stdout/, gsutil: /\b(?:cat|cp\b.* -(?: |$))/, gcloud: /\bstorage cat\b/, rclone: /\bcat\b/,
  scp: /\/dev\/stdout/, rsync: /\/dev\/stdout/, openssl: /\bs_client\b/, git: /\barchive\b.*--remote/
}
const fetchingProgram = /\b(?:urlopen|urlretrieve|requests\s*\.\s*get|httpx\s*\.\s*get|fetch\s*\(|Net::HTTP|LWP|HTTP::Tiny|open-uri|URI\.open|file_get_contents\s*\(\s*["']https?:|https?\.get)/
/** Whether what a command writes comes from the network. */
const isDownload = (name: string, args: ReadonlyArray<string>): boolean =>
  downloaders.has(name) || (Object.hasOwn(fetches, name) && fetches[name]?.test(args.join(" ")) === true) || (/^(?:python|pypy|perl|ruby|node|bun|deno|php)[\d.]*$/.test(name) && args.some((arg) => fetchingProgram.test(arg)))

/** Programs whose output is some of their input, as it is. */
const passing: ReadonlySet<string> = new Set(["head", "tail", "sort", "uniq", "grep", "egrep", "fgrep", "rg", "tac", "shuf", "pv", "sponge", "sed", "tr", "fold", "nl", "expand", "column", "ts", "mbuffer", "buffer", "dos2unix", "iconv", "envsubst", "unbuffer", "less", "more"])

const mostPassed = 2_000

const looksUp = (name: string, first: string) =>
  name === "which" || (name === "command" && /^-[vV]$/.test(first)) || (name === "type" && /^-[pP]$/.test(first))

/** What a command writes to its standard output, as far as that can be told without running it. `name` is the program's base name. */
export const outputOf = (name: string, fields: ReadonlyArray<Field>, input: Input): Text => {
  const args = words(fields.slice(1))
  const fetched = isDownload(name, args) || input.fetched || fields.some((field) => field.fetched)
  const says = (text: string | null): Text => ({ text, sure: true, fetched })
  if (name === "echo") return says(echo(args))
  if (name === "printf" && args[0] !== "-v") return says(printf(args))
  if (name === "tee" || (name === "cat" && args.every((arg) => arg === "-" || arg === "/dev/stdin"))) {
    return { ...says(input.given ? input.text : null), sure: input.sure }
  }
  const [file] = fields.slice(1)
  if (name === "cat" && fields.length === 2 && file?.contents !== undefined) return file.contents
  if (isSilent(name, args)) return nothing
  if (passing.has(name) && input.given && input.text !== null && input.text.length < mostPassed) return { ...says(input.text), sure: false }
  if (looksUp(name, args[0] ?? "")) {
    return { ...says(args.filter((arg) => !arg.startsWith("-")).map((arg) => `${hole}${arg}\n`).join("")), sure: false }
  }
  if (name === "basename" && args.length === 1) return says(`${args[0]?.replace(/\/+$/, "").replace(/^[^]*\//, "") ?? ""}\n`)
  return says(null)
}
