import { has, parseOptions, valueOf } from "../../command/options.js"
import { ask, byName, firstOf, refuse, type Rule } from "./finding.js"

const rm: Rule = ({ args, name }) => {
  const parsed = parseOptions(args)
  const recursive = has(parsed, "rR", ["--recursive"], 1)
  if (!recursive && !has(parsed, "f", ["--force"], 1)) return null
  return refuse(recursive ? `a recursive delete (${name})` : `a forced delete (${name} -f)`, "what it removes cannot be brought back")
}
const windows: Rule = ({ name, texts }) =>
  texts.some((text) => /^\/[sfq]$/i.test(text)) ? refuse(`a recursive or forced delete (${name})`, "what it removes cannot be brought back") : null
const removeItem: Rule = ({ texts }) =>
  texts.some((text) => /^-(?:r|rec|recurse|recursive|fo|for|force)/i.test(text)) ? refuse("a recursive or forced delete", "what it removes cannot be brought back") : null

/** Whether a mode, octal or symbolic, lets everybody write. */
export const worldWritable = (mode: string): boolean => {
  if (/^[=+-]?[0-7]+$/.test(mode)) return !mode.startsWith("-") && (Number(mode.at(-1)) & 2) !== 0
  return mode.split(",").some((clause) => {
    const [, who = "", actions = ""] = /^([ugoa]*)((?:[-+=][rwxXstugo]*)+)$/.exec(clause) ?? []
    const others = /[oa]/.test(who)
    return others && [...actions.matchAll(/([-+=])([rwxXstugo]*)/g)].some(([, sign, bits = ""]) => sign !== "-" && /[wu]/.test(bits))
  })
}
const open = (what: string) => refuse(what, "everybody on the machine could write there")
const chmod: Rule = ({ args }) => {
  const parsed = parseOptions(args, { long: ["--reference"] })
  if (has(parsed, "", ["--reference"])) return null
  // A mode that takes rights away looks like an option: `-w`, `-x`.
  const [mode] = parsed.others
  return mode !== undefined && worldWritable(mode.text) ? open(`chmod ${mode.text}`) : null
}
const withMode: Rule = ({ args, name }) => {
  const mode = valueOf(parseOptions(args, { short: "mgotSZ", long: ["--mode", "--group", "--owner", "--target-directory", "--suffix"] }), "-m", "--mode")
  return mode !== null && worldWritable(mode.text) ? open(`${name} -m ${mode.text}`) : null
}
const setfacl: Rule = ({ texts }) => texts.some((text) => /(?:^|,|=)(?:d(?:efault)?:)?o(?:ther)?:{1,2}[rx-]*w/.test(text)) ? open("setfacl for everybody") : null
const umask: Rule = ({ texts }) => {
  const [mask] = texts.filter((text) => !text.startsWith("-"))
  const everybody = mask !== undefined && (/^[0-7]+$/.test(mask) ? (Number(mask.at(-1)) & 2) === 0 : /(?:^|,)[ug]*[oa][ugoa]*[=+][rx]*w/.test(mask))
  return everybody ? ask(`umask ${mask}`, "everybody on the machine could write to new files") : null
}
const truncate: Rule = ({ args }) => {
  const parsed = parseOptions(args, { short: "sr", long: ["--size", "--reference"] })
  const size = valueOf(parsed, "-s", "--size")
  return size !== null && /^[<]?0+(?:[KMGTPEkB]|iB)*$/.test(size.text.trim()) ? ask("emptying a file (truncate -s 0)", "its content is lost") : null
}
const shred: Rule = ({ texts }) => texts.some((text) => /^--(?:help|version)$/.test(text)) ? null : ask("shred", "what it overwrites cannot be brought back")
const rsync: Rule = ({ args }) => {
  const parsed = parseOptions(args, { short: "eBTfM" })
  return parsed.options.some(({ name }) => /^--del(?:ete)?(?:-|$)|^--remove-source-files$/.test(name)) && !has(parsed, "n", ["--dry-run"])
    ? ask("rsync --delete", "it removes files in the target that the source does not have")
    : null
}
const rimraf: Rule = ({ name, texts }) => texts.some((text) => !text.startsWith("-")) ? ask(`a recursive delete (${name})`, "what it removes cannot be brought back") : null
/** A `find` that removes whatever it comes to. */
const find: Rule = ({ texts }) => {
  const tests = texts.some((text) => /^-(?:i?name|i?path|i?wholename|i?regex|i?lname|size|[acm]?(?:min|time)|newer.*|empty|user|group|perm|links|inum|samefile)$/.test(text))
  return texts.includes("-delete") && !tests ? ask("find -delete without a condition", "it removes everything below") : null
}

const table = byName({
  rm, grm: rm, srm: rm,
  del: windows, erase: windows, rd: windows, "remove-item": removeItem, ri: removeItem,
  chmod, gchmod: chmod, mkdir: withMode, install: withMode, mkfifo: withMode, mknod: withMode, setfacl, umask,
  truncate, shred, rsync, rimraf, "del-cli": rimraf, wipe: shred, find
})
const windowsRmdir: Rule = (suspect) => suspect.name === "rmdir" ? windows(suspect) : null
export const files: Rule = firstOf(table, windowsRmdir)
