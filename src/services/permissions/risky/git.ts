import type { Field } from "../../Commands.js"
import { hole } from "../../Commands.js"
import { gitCall } from "../../command/gitRuns.js"

/** Options before the subcommand that make git run or read what they name. */
const before = ["-c", "--config-env", "--exec-path", "--git-dir", "--work-tree", "--namespace"]

/** By subcommand, the options that run a program or write a file; `*`: for all of them. */
const options: Readonly<Record<string, ReadonlyArray<string>>> = {
  "*": ["--output", "--no-index", "--ext-diff", "--textconv", "--open-files-in-pager", "--upload-pack", "--receive-pack"],
  grep: ["-O"],
  clone: ["-u", "-c", "--config", "--template", "--separate-git-dir", "--reference"],
  fetch: ["--exec"],
  pull: ["--exec"],
  push: ["--exec"],
  "ls-remote": ["--exec"],
  init: ["--template", "--separate-git-dir"],
  archive: ["-o", "--exec", "--remote"],
  rebase: ["-x", "--exec"],
  "format-patch": ["-o", "--output-directory"],
  difftool: ["-x", "--extcmd", "-t", "--tool"],
  mergetool: ["-t", "--tool"],
  "cat-file": ["--filters"],
  "fast-export": ["--export-marks"],
  "checkout-index": ["--prefix"],
  mailsplit: ["-o"],
  am: ["--directory"],
  apply: ["--directory"],
  help: ["-w", "--web"]
}
/** Subcommands that run other programs, or write files elsewhere, by themselves. */
const always = new Set(["filter-branch", "submodule--helper", "daemon", "instaweb", "send-email", "credential", "hook", "web--browse", "difftool", "mergetool", "bundle", "fast-import", "remote-ext", "shell", "upload-pack", "receive-pack", "p4", "svn"])
/** Subcommands to which a word that is not known could not say anything of the kind. */
const harmless = new Set(["add", "commit", "status", "checkout", "branch", "merge", "tag", "stash", "restore", "switch", "rm", "mv", "reset", "rev-parse", "cherry-pick", "revert", "ls-files", "describe", "check-ignore", "symbolic-ref", "name-rev", "rev-list", "config-get"])

const names = (text: string, option: string) =>
  option.startsWith("--")
    ? text === option || text.startsWith(`${option}=`) || (text.length > 5 && option.startsWith(text.replace(/=[^]*/, "")) && text.startsWith("--"))
    : new RegExp(`^-(?!-)[A-Za-z]*${option[1] ?? ""}`).test(text)

const settles = ({ args }: { readonly args: ReadonlyArray<Field> }): string | null => {
  const reads = args.some(({ text }) => /^(?:--get(?:-.*)?|--list|-l|get|list|--show-origin|--show-scope|--name-only)$/.test(text))
  const others = args.filter(({ text }) => !text.startsWith("-"))
  return reads || (others.length === 1 && args.every(({ many, text }) => !many && !/^--(?:unset|add|replace|rename|remove|edit)/.test(text) && text !== "-e"))
    ? null
    : "changes git's configuration, which can name programs"
}
const run = (args: ReadonlyArray<Field>, words: ReadonlyArray<string>) => args.some(({ text }) => words.includes(text))

/** Why this form of git can run another program, or write a file of the caller's choice; null when it can't. */
export const riskyGit = (words: ReadonlyArray<Field>): string | null => {
  const call = gitCall(words.slice(1))
  const early = call.before.find((option) => before.includes(option))
  if (early !== undefined) return `has ${early}, which can make git run another program`
  const moved = words.findIndex(({ text }) => text === "-C")
  if (call.before.includes("-C") && /^(?:\/|~|\.\.(?:\/|$))|\0/.test(words[moved + 1]?.text ?? hole)) return "runs in another folder, whose configuration can name programs"
  const { args, subcommand } = call
  if (subcommand === null) return null
  if (subcommand.many || subcommand.text.includes(hole)) return "has a subcommand that is not known"
  const name = subcommand.text
  if (always.has(name)) return `is git ${name}, which runs other programs or writes files elsewhere`
  if (name === "config") return settles(call)
  if ((name === "bisect" && run(args, ["run"])) || (name === "submodule" && run(args, ["foreach"]))) return "runs the program it is given"
  if (args.some(({ text }) => /^ext::/i.test(text) || /=ext::/i.test(text))) return "has an ext:: address, which runs a program"
  const end = args.findIndex(({ text }) => text === "--")
  const open = end < 0 ? args : args.slice(0, end)
  const listed = [...options["*"] ?? [], ...Object.hasOwn(options, name) ? options[name] ?? [] : []]
  for (const { many, text } of open) {
    const found = text.startsWith("-") ? listed.find((option) => names(text, option)) : undefined
    if (found !== undefined) return `has ${found}, which runs a program or writes a file`
    if (!harmless.has(name) && (text.startsWith(hole) || (many && !/^[^\0-]/.test(text)))) return "has a word that is not known and could be an option that runs a program"
  }
  return null
}
