import { type Field, hole } from "../../Commands.js"
import { type Options, parseOptions, type Parsed } from "../../command/options.js"
import { riskyGit } from "./git.js"
import { riskyAwk, riskySed } from "./text.js"

/** What makes a form of a program run another one, or write a file of the caller's choice. */
interface Form {
  readonly spec?: Options
  /** short letters, and long names (which may be shortened) */
  readonly short?: string
  readonly long?: ReadonlyArray<string>
  /** words that say so by themselves */
  readonly words?: RegExp
  /** options that take the next word as their value, whatever it looks like */
  readonly valued?: RegExp
  /** Without any of these it writes files by itself. */
  readonly unless?: { readonly short: string; readonly long: ReadonlyArray<string> }
  /** a first word, options aside, that says so */
  readonly first?: RegExp
  /** more than this many words that are no options */
  readonly most?: number
  /** options that name a folder or a file whose code it runs: harmless inside the workspace */
  readonly abroad?: { readonly short?: string; readonly long?: ReadonlyArray<string> }
}

const forms: Readonly<Record<string, Form>> = {
  find: { valued: /^-(?:i?name|i?path|i?wholename|i?regex|i?lname|type|xtype|size|[acm](?:min|time)|newer\w*|user|group|perm|maxdepth|mindepth|regextype|printf)$/, words: /^-(?:exec|execdir|ok|okdir|delete|fprint|fprint0|fprintf|fls|files0-from)$/ },
  fd: { short: "xX", long: ["--exec", "--exec-batch"] },
  rg: { spec: { short: "ABCEMTdefgjmrt" }, long: ["--pre", "--pre-glob", "--hostname-bin"] },
  tar: { spec: { short: "bCfFgHIKLNTVX" }, short: "IF", long: ["--to-command", "--checkpoint-action", "--use-compress-program", "--info-script", "--new-volume-script", "--rsh-command", "--rmt-command"], words: /^[A-Za-z]*[IF][A-Za-z]*$/ },
  sort: { spec: { short: "koStT", long: ["--key", "--output", "--buffer-size", "--field-separator", "--temporary-directory", "--compress-program", "--files0-from", "--parallel", "--batch-size"] }, short: "oT", long: ["--output", "--compress-program", "--temporary-directory"] },
  tee: { most: 0 },
  env: { short: "SC", long: ["--split-string", "--chdir"] },
  uniq: { spec: { short: "fsw", long: ["--skip-fields", "--skip-chars", "--check-chars"] }, most: 1 },
  shuf: { spec: { short: "inor" }, short: "o", long: ["--output"] },
  split: { most: -1 },
  csplit: { most: -1 },
  dd: { words: /^of=/ },
  curl: { spec: { short: "AbBcCdDeEFhHKmnoPQrtTuUwxXyYz" }, short: "oOJKDcT", long: ["--output", "--output-dir", "--remote-name", "--remote-name-all", "--remote-header-name", "--config", "--dump-header", "--cookie-jar", "--trace", "--trace-ascii", "--stderr", "--libcurl", "--etag-save", "--hsts", "--alt-svc", "--upload-file"] },
  wget: { spec: { short: "aeioOPQtTUwBADIlRX", long: ["--output-document"] }, unless: { short: "O", long: ["--output-document", "--spider"] }, short: "oOaPei", long: ["--output-document", "--output-file", "--append-output", "--directory-prefix", "--execute", "--config", "--use-askpass", "--post-file", "--body-file", "--input-file", "--save-cookies", "--warc-file"] },
  xargs: { short: "a", long: ["--arg-file"] },
  time: { spec: { short: "fo" }, short: "o", long: ["--output"] },
  npm: { spec: { short: "C", long: ["--prefix", "--cwd", "--dir"] }, abroad: { short: "C", long: ["--prefix", "--cwd", "--dir"] }, long: ["--script-shell", "--node-options", "--call"], first: /^(?:exec|x|explore|edit)$/ },
  make: { spec: { short: "CfIjloWE", long: ["--directory", "--file", "--makefile"] }, abroad: { short: "CfI", long: ["--directory", "--file", "--makefile", "--include-dir"] }, words: /^(?:SHELL|\.SHELLFLAGS|MAKEFLAGS)[:+?]?=/, short: "E", long: ["--eval"] },
  vim: { spec: { short: "cSsuUwWViTt", long: ["--cmd", "--startuptime"] }, short: "cSsuUwWVeE", long: ["--cmd", "--startuptime"], words: /^\+(?!\d*$)/ },
  emacs: { spec: { short: "lf" }, short: "lf", words: /^--?(?:eval|execute|load|funcall|script|batch)(?:=|$)/ },
  gdb: { words: /^--?(?:ex|iex|eval-command|init-eval-command|x|ix|command|init-command)(?:=|$)/ },
  lldb: { words: /^-(?:o|O|s|S|k|K)$|^--(?:one-line|source|batch)/ },
  xxd: { spec: { short: "closgRn" }, most: 1 },
  strace: { spec: { short: "abeIoOpPsSuEX", posix: true }, short: "oE", long: ["--output"] },
  ltrace: { spec: { short: "aAeFlnopsuxwD", posix: true }, short: "o", long: ["--output"] },
  iconv: { spec: { short: "fto", long: ["--output", "--from-code", "--to-code"] }, short: "o", long: ["--output"] },
  go: { words: /^--?(?:exec|toolexec|vettool|overlay)(?:=|$)/ },
  cargo: { abroad: { long: ["--manifest-path"] }, spec: { long: ["--manifest-path", "--config"] }, long: ["--config"], words: /^-Z/ },
  gcc: { words: /^(?:-wrapper|-fplugin|-{1,2}specs|-B|@)/ },
  man: { spec: { short: "CHLmMPprRStT" }, short: "PH", long: ["--pager", "--html"] },
  less: { words: /^\+|^-[oOk]|^--log-file|^--lesskey/i },
  zip: { words: /^-[A-Za-z]*T|^--(?:test|unzip-command)/ },
  rsync: { spec: { short: "eBTfM" }, short: "eM", long: ["--rsh", "--rsync-path", "--log-file", "--daemon", "--remote-option", "--write-batch", "--only-write-batch"] },
  ssh: { spec: { short: "BbcDEeFIiJLlmOopQRSWw" }, short: "oFE" },
  scp: { spec: { short: "cDFiJloPSX" }, short: "oSFD" },
  sftp: { spec: { short: "BbcDFiJloPRSsX" }, short: "oSFbD" },
  psql: { words: /\\(?:!|o|w|g\s|copy|i)|\bprogram\b/i, short: "oL", long: ["--output", "--log-file"] },
  sqlite3: { words: /^\.?(?:shell|system|output|once|excel|load|open|import|save|backup)|\.(?:shell|system|output|once|load|save|backup)\b|\b(?:load_extension|writefile|edit)\s*\(/i, long: ["-init", "--init"] },
  mysql: { words: /\\!|^\s*system\b|\binto\s+(?:outfile|dumpfile)\b/i, long: ["--pager", "--tee", "--init-command"] },
  tcpdump: { spec: { short: "BcCEFGiIjmMQrsTVwWyzZ" }, short: "wz" },
  yq: { short: "i", long: ["--inplace", "--in-place"] },
  hash: { short: "p" },
  enable: { short: "f" },
  openssl: { words: /^-(?:out|engine|provider|config)$/ },
  patch: { spec: { short: "BDFioprVYz" }, short: "or", long: ["--output", "--reject-file"] },
  bat: { long: ["--pager"] },
  delta: { long: ["--pager"] },
  node: { words: /^(?:-r|--require|--import|--loader|--experimental-loader)(?:=|$)/ }
}
const alike: Readonly<Record<string, string>> = {
  gfind: "find", fdfind: "fd", gtar: "tar", bsdtar: "tar", gsort: "sort", gawk: "awk", mawk: "awk", nawk: "awk", gsed: "sed", "g++": "gcc", cc: "gcc", "c++": "gcc", clang: "gcc", "clang++": "gcc",
  gmake: "make", vi: "vim", nvim: "vim", ex: "vim", view: "vim", vimdiff: "vim", rvim: "vim", gvim: "vim", pnpm: "npm", yarn: "npm", gtime: "time", mariadb: "mysql", sqlite: "sqlite3", ripgrep: "rg", gxargs: "xargs", genv: "env"
}
const own: Readonly<Record<string, (words: ReadonlyArray<Field>) => string | null>> = { git: riskyGit, awk: riskyAwk, sed: riskySed }

/** Where nothing is kept. */
const free = /^(?:-|\/dev\/(?:null|stdout|stderr|tty))$/
const isAbroad = (text: string) => /^(?:\/|~|\.\.(?:\/|$))|\/\.\.(?:\/|$)|\0/.test(text)
const given = (parsed: Parsed, { abroad, long = [], short = "" }: Form): string | null => {
  for (const { name, value } of parsed.options) {
    if (value !== null && free.test(value.text)) continue
    const outside = name.length === 2 ? abroad?.short?.includes(name[1] ?? " ") === true : abroad?.long?.includes(name) === true
    if (outside && value !== null && isAbroad(value.text)) return name
    if (name.length === 2 && short.includes(name[1] ?? " ")) return name
    const found = long.find((each) => name === each || (name.length > 3 && name.startsWith("--") && each.startsWith(name)))
    if (found !== undefined) return found
  }
  return null
}
const couldBeOption = ({ many, text }: Field) => text.startsWith(hole) || (many && !/^[^\0-]/.test(text))

/**
 * Why a command is a form of its program that runs another one, or writes a file of the caller's choice, as the end of
 * "It asks, since it …"; null when it is not. A pattern in a rule never carries these (hardening.md, Command analysis).
 */
export const risky = (words: ReadonlyArray<Field>): string | null => {
  const written = words[0]?.text.replace(/^[^]*\//, "") ?? ""
  const name = Object.hasOwn(alike, written) ? alike[written] ?? written : written
  if (Object.hasOwn(own, name)) return own[name]?.(words) ?? null
  const form = Object.hasOwn(forms, name) ? forms[name] : undefined
  if (form === undefined) return null
  const args = words.slice(1)
  const dashes = args.findIndex(({ text }) => text === "--")
  const undashed = name === "find" || name === "sqlite3" || dashes < 0 ? args : args.slice(0, dashes)
  // What follows an option of `find` that takes a value is that.
  const open = form.valued === undefined ? undashed : undashed.filter((_, at) => at === 0 || form.valued?.test(undashed[at - 1]?.text ?? "") !== true)
  const option = given(parseOptions(open, form.spec), form)
  if (option !== null) return `has ${option}, which runs a program or writes a file`
  const { first, most, words: telling } = form
  const parsed = parseOptions(args, form.spec)
  const { others } = parsed
  if (form.unless !== undefined && others.length > 0 && !parsed.options.some(({ name: each }) => form.unless?.long.includes(each) === true || (each.length === 2 && form.unless?.short.includes(each[1] ?? " ") === true))) {
    return "writes a file"
  }
  const word = args.find((each) => telling?.test(each.text) === true || (each === others[0] && first?.test(each.text) === true))
  if (word !== undefined) return `has ${word.text.replaceAll(hole, "…").slice(0, 60)}, which runs a program or writes a file`
  if (most !== undefined && others.filter(({ text }) => !free.test(text)).length > most) return "writes the file it is given"
  const hasForms = telling !== undefined || form.short !== undefined || form.long !== undefined
  return hasForms && open.some(couldBeOption) ? "has a word that is not known and could be an option that runs a program" : null
}
