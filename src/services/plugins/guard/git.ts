import { type Field, hole } from "../../Commands.js"
import { gitCall } from "../../command/gitRuns.js"
import { has, parseOptions, type Parsed, valueOf } from "../../command/options.js"
import { ask, type Finding, refuse, type Rule } from "./finding.js"

type Sub = (args: ReadonlyArray<Field>, parsed: Parsed) => Finding | null

const lost = "changes that are not committed are lost"
const discards = (what: string) => refuse(what, lost)
const afterDashes = (args: ReadonlyArray<Field>) => {
  const at = args.findIndex(({ text }) => text === "--")
  return at < 0 ? [] : args.slice(at + 1)
}
const beforeDashes = (args: ReadonlyArray<Field>) => {
  const at = args.findIndex(({ text }) => text === "--")
  return at < 0 ? args : args.slice(0, at)
}
const isForce = (name: string) => name === "-f" || (name.startsWith("--forc") && !name.startsWith("--force-if"))

const push: Sub = (_args, parsed) => {
  const refs = parsed.others.slice(1)
  if (parsed.options.some(({ name }) => isForce(name)) || parsed.others.some(({ text }) => text.startsWith("+"))) return refuse("a forced push", "it overwrites what others have pushed")
  if (has(parsed, "d", ["--delete"], 2)) return ask("deleting a branch on the remote", "others may need it")
  if (has(parsed, "", ["--mirror", "--prune"], 3)) return ask("a push that deletes what is not here (--mirror, --prune)", "others may need it")
  return refs.some(({ text }) => /^:./.test(text)) ? ask("deleting a branch on the remote", "others may need it") : null
}
const checkout: Sub = (args, parsed) => {
  if (has(parsed, "f", ["--force"], 3)) return discards("git checkout --force")
  const paths = afterDashes(args)
  if (paths.length > 0) return discards("git checkout of paths")
  if (has(parsed, "", ["--pathspec-from-file"], 3)) return discards("git checkout of paths")
  if (has(parsed, "bB", ["--orphan", "--detach", "--track"], 3) && !has(parsed, "", ["--ours", "--theirs"], 3)) return null
  const others = parseOptions(beforeDashes(args), spec.checkout).others
  if (others.length > 1) return discards("git checkout of paths")
  const [only] = others
  if (only === undefined) return null
  const isPath = has(parsed, "", ["--ours", "--theirs"], 3) || /^(?:\.{1,2}(?:\/|$)|:[/(!^])|[*?[\\ ]|\/$/.test(only.glob ?? only.text)
  if (isPath || only.glob !== null) return discards("git checkout of paths")
  return only.text.includes(hole) || args.some(({ text }) => text === "--") ? null : { ...discards("git checkout of a path"), ifPath: [only.text] }
}
const restore: Sub = (_args, parsed) => {
  const named = parsed.others.length > 0 || has(parsed, "", ["--pathspec-from-file"], 3)
  const indexOnly = has(parsed, "S", ["--staged"], 3) && !has(parsed, "W", ["--worktree"], 3)
  return named && !indexOnly ? discards("git restore of the work tree") : null
}
const clean = (settings: ReadonlyArray<{ readonly key: string; readonly value: Field }>): Sub => (_args, parsed) => {
  const unforced = settings.some(({ key, value }) => key === "clean.requireforce" && /^(?:false|no|off|0)$/i.test(value.text))
  const dry = has(parsed, "n", ["--dry-run"], 2)
  return !dry && (unforced || has(parsed, "f", ["--force"], 2)) ? refuse("git clean", "files that git does not track are lost") : null
}
const branch: Sub = (_args, parsed) => {
  const deletes = has(parsed, "d", ["--delete"], 2)
  return has(parsed, "D") || (deletes && has(parsed, "f", ["--force"], 2)) ? refuse("deleting a branch that is not merged (git branch -D)", "its commits can be lost") : null
}
const stash: Sub = (args) => {
  const [sub] = parseOptions(args).others
  return sub?.text === "drop" || sub?.text === "clear" ? refuse(`git stash ${sub.text}`, "stashed work is lost") : null
}
const worktree: Sub = (args, parsed) =>
  args[0]?.text === "remove" && has(parsed, "f", ["--force"], 2) ? discards("removing a worktree by force") : null
const reset: Sub = (_args, parsed) =>
  has(parsed, "", ["--hard"], 1) && !has(parsed, "", ["--help"], 3)
    ? discards("git reset --hard")
    : has(parsed, "", ["--merge"], 2) ? ask("git reset --merge", "staged changes are lost") : null

const first = (word: string, finding: Finding): Sub => (args) => args.some(({ text }) => text === word) ? finding : null
const history = (what: string) => ask(what, "commits can be lost for good")

const spec = {
  checkout: { short: "bB", long: ["--conflict", "--orphan", "--pathspec-from-file"] },
  push: { short: "o", long: ["--push-option", "--repo", "--receive-pack", "--exec", "--recurse-submodules"] },
  restore: { short: "s", long: ["--source", "--conflict", "--pathspec-from-file"] },
  switch: { short: "cC", long: ["--conflict", "--create", "--force-create", "--orphan"] },
  clean: { short: "e", long: ["--exclude"] },
  branch: { short: "u", long: ["--set-upstream-to", "--sort", "--format", "--contains", "--no-contains", "--points-at"] },
  none: {}
} as const

const subs: Readonly<Record<string, Sub>> = {
  push, checkout, co: checkout, restore, branch, stash, worktree, reset,
  switch: (_args, parsed) => has(parsed, "f", ["--force", "--discard-changes"], 3) ? discards("git switch that discards changes") : null,
  "checkout-index": (_args, parsed) => has(parsed, "f", ["--force"], 2) ? discards("git checkout-index --force") : null,
  "send-pack": (args, parsed) => push(args, parsed), "http-push": (args, parsed) => push(args, parsed),
  "read-tree": (_args, parsed) => has(parsed, "", ["--reset"], 3) && has(parsed, "u") ? discards("git read-tree --reset -u") : null,
  rm: (_args, parsed) => has(parsed, "f", ["--force"], 2) && !has(parsed, "n", ["--cached", "--dry-run"], 2) ? ask("git rm --force", lost) : null,
  submodule: (args, parsed) => args.some(({ text }) => text === "deinit") && has(parsed, "f", ["--force"], 2) ? ask("git submodule deinit --force", lost) : null,
  "update-ref": (_args, parsed) => has(parsed, "d", ["--delete"], 2) ? history("git update-ref -d") : null,
  reflog: (args) => args.some(({ text }) => text === "expire" || text === "delete") ? history("removing entries of the reflog") : null,
  "filter-branch": () => history("git filter-branch"),
  "filter-repo": () => history("git filter-repo"),
  gc: (_args, parsed) => /^(?:now|all|0)/.test(valueOf(parsed, "--prune")?.text ?? "") ? history("git gc --prune=now") : null,
  prune: (_args, parsed) => has(parsed, "n", ["--dry-run"], 2) ? null : history("git prune"),
  lfs: first("prune", ask("git lfs prune", "large files that were not pushed can be lost"))
}
const specOf = (name: string) =>
  name === "checkout" || name === "co" ? spec.checkout : name === "push" ? spec.push : name === "restore" ? spec.restore : name === "switch" ? spec.switch : name === "clean" ? spec.clean : name === "branch" ? spec.branch : spec.none

/** git commands that throw work away, by their parsed arguments. */
export const git: Rule = ({ args, name, simple }) => {
  if (name === "git-filter-repo") return history("git filter-repo")
  if (name === "bfg" || (name === "java" && args.some(({ text }) => /(?:^|\/)bfg[^/]*\.jar$/.test(text)))) return history("bfg, which rewrites history")
  const dashed = /^git-(.+)$/.exec(name)?.[1]
  if (name !== "git" && name !== "hub" && dashed === undefined) return null
  const call = dashed === undefined ? gitCall(args) : { ...gitCall([]), subcommand: { ...args[0], text: dashed }, args }
  const sub = call.subcommand?.text ?? ""
  const parsed = parseOptions(call.args, specOf(sub))
  if (parsed.options.some((option) => option.name === "--help" || (option.name === "-h" && option.value === null))) return null
  if (sub === "clean") return clean(call.settings)(call.args, parsed)
  if (sub === "update-ref" && has(parsed, "", ["--stdin"], 3) && /^(?:start\n)?delete\s/m.test(simple.input.text ?? "")) return history("git update-ref deleting refs")
  if (sub === "gc" && call.settings.some(({ key, value }) => /^gc\.(?:.*\.)?reflogexpire(?:unreachable)?$|^gc\.pruneexpire$/.test(key) && /^(?:now|all|0)/.test(value.text))) return history("git gc that expires at once")
  if (sub === "push" && call.settings.some(({ key, value }) => /^remote\..*\.(?:push|mirror)$/.test(key) && /^(?:\+|true|1|yes)/.test(value.text))) return refuse("a forced push", "it overwrites what others have pushed")
  return Object.hasOwn(subs, sub) ? subs[sub]?.(call.args, parsed) ?? null : null
}
