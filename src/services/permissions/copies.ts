import { hole, type Simple } from "../Commands.js"
import { within } from "../command/builtins.js"
import { parseOptions, valueOf } from "../command/options.js"

const copiers: ReadonlySet<string> = new Set(["cp", "mv", "install", "ln", "rsync", "gcp", "gmv", "scp"])
const base = (path: string) => path.replace(/\/+$/, "").replace(/^[^]*\//, "")

/**
 * The denied file that a command gives a name which is not denied, as written; null for none. Moving or copying a denied
 * file is denied (permissions.md, Secrets); onto another denied name it is not.
 */
export const copiedSecret = ({ folders, words }: Simple, isDenied: (path: string) => boolean): string | null => {
  if (!copiers.has(base(words[0]?.text ?? ""))) return null
  const parsed = parseOptions(words.slice(1), { short: "tSm", long: ["--target-directory", "--suffix", "--mode"] })
  const into = valueOf(parsed, "-t", "--target-directory")?.text
  const names = parsed.others.map(({ text }) => text)
  const target = into ?? names.at(-1) ?? ""
  const sources = into === undefined ? names.slice(0, -1) : names
  const denied = (path: string) => folders.some((folder) => isDenied(within(folder ?? ".", path) ?? path.replaceAll(hole, "")))
  return sources.find((source) => {
    if (!denied(source)) return false
    const keepsName = into !== undefined || target.endsWith("/") || target === "." || target === ".." || sources.length > 1
    return !denied(target) && !(keepsName && denied(`${target.replace(/\/+$/, "")}/${base(source)}`))
  }) ?? null
}
