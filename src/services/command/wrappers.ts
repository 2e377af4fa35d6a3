import { type Field, hole } from "../Commands.js"
import { anything, code, field, type Inner, joined, type Runs, words } from "./inner.js"
import { has, type Options, parseOptions, valueOf } from "./options.js"
import { splitString } from "./splitString.js"

/** A program whose arguments after its own options are another program's. */
const wraps = (spec: Options = {}, skip = 0, reach: "rules" | "guard" = "rules"): Runs => (args) => {
  const parsed = parseOptions(args, { ...spec, posix: true })
  return words(args.slice(parsed.rest + skip), reach)
}

/** Whatever has a `=` in it, as `env` and `sudo` read it. A word that is not known may be one. */
const isAssignment = ({ text }: Field) => /^(?:[^/][^]*)?=/.test(text)
const settingThen = (list: ReadonlyArray<Field>): ReadonlyArray<Inner> => {
  const first = list.findIndex((each) => !isAssignment(each))
  if (first < 0) return []
  const values = list.slice(0, first).map((each) => [each.text.replace(/=[^]*/, ""), { ...each, text: each.text.replace(/^[^=]*=/, "") }] as const)
  const rest = list.slice(first)
  const maybe = rest[0]?.text.includes(hole) === true ? settingThen(rest.slice(1)) : []
  return [{ is: "words", words: rest, sets: values.map(([name]) => name), reach: "rules", values }, ...maybe]
}

const sudo: Runs = (args) => {
  const parsed = parseOptions(args, {
    short: "CDghpRrTtUu",
    long: ["--chdir", "--chroot", "--close-from", "--group", "--host", "--prompt", "--role", "--type", "--user", "--other-user", "--command-timeout"],
    posix: true
  })
  return settingThen(args.slice(parsed.rest))
}
const splits = /^(?:-[iv0]*S|--split-string(?:=|$))/
const env = (args: ReadonlyArray<Field>): ReadonlyArray<Inner> => {
  const parsed = parseOptions(args, { short: "uCSP", long: ["--unset", "--chdir", "--split-string"], posix: true })
  const split = valueOf(parsed, "-S", "--split-string")
  if (split === null) return settingThen(args.slice(parsed.rest).filter(({ text }, index) => index > 0 || text !== "-"))
  // Its words stand in the place of the option, so that options may be among them, and none is what follows the program.
  const at = args.findIndex(({ text }) => splits.test(text))
  const attached = args[at]?.text.replace(splits, "") !== ""
  const rest = args.slice(at + (attached ? 1 : 2))
  const made = splitString(split)
  return made === null ? code(joined([split, ...rest])) : env([...made, ...rest])
}
const su: Runs = (args) => {
  const parsed = parseOptions(args, { short: "cgGsTwu", long: ["--command", "--session-command", "--group", "--shell", "--user"] })
  const command = valueOf(parsed, "-c", "--command", "--session-command")
  if (command !== null) return code(command)
  return valueOf(parsed, "-u", "--user") === null ? [{ is: "input", arguments: [], reach: "rules" }] : words(parsed.others)
}
const watch: Runs = (args) => {
  const parsed = parseOptions(args, { short: "nq", long: ["--interval", "--equexit"], posix: true })
  const rest = args.slice(parsed.rest)
  return rest.length === 0 ? [] : has(parsed, "x", ["--exec"]) ? words(rest) : code(joined(rest))
}
const flock: Runs = (args) => {
  const parsed = parseOptions(args, { short: "wE", long: ["--timeout", "--conflict-exit-code", "--wait"], posix: true })
  const rest = args.slice(parsed.rest + 1)
  const [first, text] = rest
  return (first?.text === "-c" || first?.text === "--command") && text !== undefined ? code(text) : words(rest)
}
const script: Runs = (args) => {
  const command = valueOf(parseOptions(args, { short: "cEIOBTmo", long: ["--command", "--log-in", "--log-out", "--log-io", "--log-timing", "--echo"] }), "-c", "--command")
  return command === null ? [] : code(command)
}
const find: Runs = (args) => {
  const found: Array<Inner> = []
  for (let at = 0; at < args.length; at++) {
    if (!/^-(?:exec|execdir|ok|okdir)$/.test(args[at]?.text ?? "")) continue
    const begin = at + 1
    while (at < args.length && args[at]?.text !== ";" && !(args[at]?.text === "+" && args[at - 1]?.text === "{}")) at++
    const all = args[at]?.text === "+"
    found.push(...words(args.slice(begin, at).map((each) => all && each.text === "{}" ? anything : filled(each, "{}", [hole])[0] ?? each)))
  }
  return found
}
const fd: Runs = (args) =>
  args.flatMap(({ text }, at) => {
    if (!/^(?:-[a-zA-Z]*[xX]|--exec|--exec-batch)$/.test(text)) return []
    const rest = args.slice(at + 1)
    const end = rest.findIndex((each) => each.text === ";")
    return words((end < 0 ? rest : rest.slice(0, end)).map((each) => filled(each, "{}", [hole])[0] ?? each))
  })

const filled = (each: Field, place: string, texts: ReadonlyArray<string>): ReadonlyArray<Field> =>
  place !== "" && each.text.includes(place) ? texts.map((text) => ({ ...each, text: each.text.replaceAll(place, text), literal: false })) : [each]

const mostLines = 20
const xargs: Runs = (args, input) => {
  const parsed = parseOptions(args, {
    short: "IdEnPLsaJR",
    attached: "iel",
    long: ["--delimiter", "--max-args", "--max-procs", "--max-chars", "--arg-file", "--process-slot-var"],
    posix: true
  })
  const rest = args.slice(parsed.rest)
  const fromFile = has(parsed, "a", ["--arg-file"])
  const replaces = has(parsed, "iI", ["--replace"])
  const place = !replaces ? "" : valueOf(parsed, "-I", "-i", "--replace")?.text || "{}"
  const nuls = has(parsed, "0", ["--null"]) && input !== null && !fromFile ? input.split(hole).filter((each) => each !== "") : []
  const lines = input === null || fromFile || input.includes("\0") || /["'\\]/.test(input) ? null : input.split("\n").map((line) => line.trim()).filter((line) => line !== "")
  if (replaces) {
    const texts = lines === null || lines.length > mostLines ? [hole] : lines
    return texts.flatMap((text) => words(rest.map((each) => filled(each, place, [text])[0] ?? each)))
  }
  const tail = lines === null || has(parsed, "d0", ["--delimiter", "--null"]) ? [anything] : lines.flatMap((line) => line.split(/\s+/)).map(field)
  if (rest.length === 0) return words([field("echo"), anything])
  // What ends each word is a NUL, which stands for what is not known as well: both may be meant.
  const ended = nuls.length === 0 || nuls.length > mostLines ? [] : words([...rest, ...nuls.map(field)])
  return [...words([...rest, ...tail]), ...tail[0] === anything ? [] : words([...rest, anything]), ...ended]
}

const parallel: Runs = (args, input) => {
  const parsed = parseOptions(args, {
    short: "jIaCdnNLsSPEU",
    long: ["--jobs", "--arg-file", "--colsep", "--delimiter", "--max-args", "--max-replace-args", "--sshlogin", "--tmpdir", "--results", "--joblog", "--timeout", "--delay", "--retries", "--workdir", "--load", "--memfree", "--basefile", "--tagstring", "--block", "--max-procs"],
    posix: true
  })
  const all = args.slice(parsed.rest)
  const cut = all.findIndex(({ text }) => text.startsWith(":::"))
  const template = cut < 0 ? all : all.slice(0, cut)
  const values = cut < 0 ? (input === null ? null : input.split("\n").filter((line) => line !== "")) : all.slice(cut + 1).filter(({ text }) => !text.startsWith(":::")).map(({ text }) => text)
  const listed = values === null || values.length > mostLines || all.some(({ text }) => text.startsWith("::::")) ? [hole] : values
  return listed.flatMap((value) => {
    if (template.length === 0) return code(field(value))
    const places = template.some(({ text }) => text.includes("{}"))
    const texts = template.map((each) => ({ ...each, text: each.text.replace(/\{[^}\s]*\}/g, () => value) }))
    return code(joined(places ? texts : [...texts, field(value)]))
  })
}

/** Runs what follows in a shell of its own on another machine or in a container. */
const ssh: Runs = (args) => {
  const parsed = parseOptions(args, { short: "BbcDEeFIiJLlmOoPpQRSWw", posix: true })
  const commands = parsed.options.flatMap(({ name, value }) => {
    const found = name === "-o" && value !== null ? /^\s*(?:ProxyCommand|LocalCommand|KnownHostsCommand)\s*[= ]\s*([^]*)$/i.exec(value.text)?.[1] : undefined
    return found === undefined ? [] : code(field(found), "guard")
  })
  const rest = args.slice(parsed.rest + 1)
  return [...commands, ...rest.length === 0 ? [{ is: "input", arguments: [], reach: "guard" } as const] : code(joined(rest), "guard")]
}

const stays: Runs = () => []
const shift: Runs = (args) => words(args)
const builtinCommand: Runs = (args) => {
  const parsed = parseOptions(args, { posix: true })
  return has(parsed, "vV") ? [] : words(args.slice(parsed.rest))
}
const bwrap: Runs = (args) => {
  const pairs = /^--(?:(?:ro-|dev-)?bind(?:-try|-data)?|symlink|setenv|chmod|file)$/
  const bare = /^--(?:unshare-.*|share-.*|die-with-parent|new-session|as-pid-1|clearenv|disable-userns|assert-userns-disabled|help|version)$/
  let at = 0
  for (let text = args[at]?.text; text?.startsWith("--") === true && text !== "--"; text = args[at]?.text) at += pairs.test(text) ? 3 : bare.test(text) ? 1 : 2
  return words(args.slice(args[at]?.text === "--" ? at + 1 : at))
}
const prefixed = { short: "fo", long: ["--format", "--output"] }

/** Programs that run others, whom permission rules have to allow as well. */
const table: Readonly<Record<string, Runs>> = {
  sudo,
  doas: wraps({ short: "Cu" }),
  env,
  su,
  runuser: su,
  nice: wraps({ short: "n", long: ["--adjustment"] }),
  nohup: wraps(),
  time: wraps(prefixed),
  gtime: wraps(prefixed),
  timeout: wraps({ short: "ks", long: ["--kill-after", "--signal"] }, 1),
  gtimeout: wraps({ short: "ks", long: ["--kill-after", "--signal"] }, 1),
  command: builtinCommand,
  builtin: shift,
  exec: wraps({ short: "a" }),
  xargs,
  gxargs: xargs,
  find,
  gfind: find,
  fd,
  fdfind: fd,
  parallel,
  sem: parallel,
  busybox: shift,
  toybox: shift,
  setsid: wraps(),
  stdbuf: wraps({ short: "ioe", long: ["--input", "--output", "--error"] }),
  ionice: (args) => has(parseOptions(args, { short: "cn", posix: true }), "pPu") ? stays(args, null) : wraps({ short: "cn", long: ["--class", "--classdata"] })(args, null),
  chrt: wraps({ short: "TPD" }, 1),
  taskset: wraps({}, 1),
  chroot: wraps({ long: ["--userspec", "--groups"] }, 1),
  unshare: wraps({ short: "SGRw" }),
  nsenter: wraps({ short: "tSGrw", long: ["--target"] }),
  setpriv: wraps({ long: ["--reuid", "--regid", "--groups", "--inh-caps", "--ambient-caps", "--bounding-set", "--securebits", "--pdeathsig", "--selinux-label", "--apparmor-profile"] }),
  setarch: (args) => words(args.slice(parseOptions(args.slice(1), { posix: true }).rest + 1)),
  linux32: wraps(),
  linux64: wraps(),
  gosu: wraps({}, 1),
  "su-exec": wraps({}, 1),
  setuidgid: wraps({}, 1),
  chpst: wraps({ short: "uUb/eMmdopfcrtlL" }),
  "systemd-run": wraps({ short: "pMHEtuG", long: ["--unit", "--property", "--machine", "--host", "--setenv", "--uid", "--gid", "--slice", "--description", "--working-directory", "--on-active", "--on-calendar"] }),
  "systemd-inhibit": wraps(),
  strace: wraps({ short: "abeIoOpPsSuEX" }),
  ltrace: wraps({ short: "aAeFlnopsuxwD" }),
  watch,
  flock,
  script,
  unbuffer: wraps(),
  catchsegv: wraps(),
  fakeroot: wraps({ short: "lisubf" }),
  eatmydata: wraps(),
  proxychains: wraps({ short: "f" }),
  proxychains4: wraps({ short: "f" }),
  torsocks: wraps(),
  rlwrap: wraps({ short: "bcCDefgHlmMOpPqsStwz" }),
  "xvfb-run": wraps({ short: "efnpsw", long: ["--error-file", "--auth-file", "--server-num", "--server-args", "--xauth-protocol", "--wait"] }),
  "dbus-run-session": wraps(),
  caffeinate: wraps({ short: "tw" }),
  numactl: wraps({ short: "CNmpilP" }),
  cgexec: wraps({ short: "g" }),
  "aa-exec": wraps({ short: "pn" }),
  firejail: wraps(),
  proot: wraps({ short: "rbqwvkiRS" }),
  valgrind: wraps(),
  prlimit: wraps({ short: "p" }),
  arch: wraps({ short: "e" }),
  sg: (args) => args[1]?.text === "-c" && args[2] !== undefined ? code(args[2]) : code(joined(args.slice(1))),
  newgrp: stays,
  faketime: wraps({ short: "fpmM" }, 1),
  bwrap,
  run0: wraps({ short: "ugD", long: ["--user", "--group", "--chdir", "--setenv", "--unit", "--property"] }),
  dzdo: sudo,
  pfexec: wraps({ short: "P" }),
  please: sudo,
  cpulimit: wraps({ short: "lpe", long: ["--limit", "--pid", "--exe"] }),
  trickle: wraps({ short: "duwtl" }),
  nocache: wraps({ short: "n" }),
  daemonize: wraps({ short: "acepolu" }),
  tini: wraps({ short: "pe" }),
  "dumb-init": wraps({ short: "r", long: ["--rewrite"] }),
  runcon: wraps({ short: "turl", long: ["--type", "--user", "--role", "--range"] }),
  "sandbox-exec": wraps({ short: "pfnD" }),
  uclampset: wraps({ short: "mM" }),
  memusage: wraps({ short: "npd" }),
  softlimit: wraps({ short: "acdfmoprst" }),
  "s6-setuidgid": wraps({}, 1),
  ssh,
  mosh: ssh,
  coproc: shift
}
/** The loader, and emulators, which run the file they are given. */
const loads = /^(?:ld(?:-linux[\w.-]*|-musl[\w.-]*)?\.so(?:\.\d+)?|ld-\d[\d.]*\.so|qemu-(?:x86_64|aarch64|arm|i386|riscv64)(?:-static)?|box64|rosetta)$/
const loader = wraps({ short: "LE", long: ["--library-path", "--preload", "--argv0", "--audit"] })
export const wrapperOf = (name: string): Runs | null => Object.hasOwn(table, name) ? table[name] ?? null : loads.test(name) ? loader : null
