import { type Field, hole } from "../Commands.js"
import { globFits, holesFit } from "./globs.js"
import { isShell } from "./shells.js"
import { runnerOf } from "./runners.js"
import { wrapperOf } from "./wrappers.js"

const base = (path: string) => path.replace(/^[^]*\//, "")

/** Programs that matter by what they do; a pattern in place of a name may mean them. */
const telling = [
  "rm", "git", "dd", "chmod", "mkfs", "shred", "truncate", "sudo", "env", "bash", "sh", "dash", "zsh", "xargs", "find", "eval", "nohup", "timeout", "busybox", "python3", "python", "perl", "node", "ruby",
  "psql", "mysql", "sqlite3", "shutdown", "reboot", "poweroff", "halt", "wipefs", "curl", "wget", "tee", "cp", "rsync", "docker", "kubectl", "terraform", "npm", "aws", "gh"
]

/**
 * The program names (without folder, in lower case) that a command word may stand for: as written, with what is not
 * known left out, or those that fit a pattern.
 */
export const namesOf = (word: Field | undefined): ReadonlyArray<string> => {
  if (word === undefined) return []
  if (word.glob !== null) {
    const pattern = base(word.glob).toLowerCase()
    return telling.filter((name) => globFits(pattern, name))
  }
  const name = base(word.text).toLowerCase()
  if (!name.includes(hole)) return [name]
  const without = name.replaceAll(hole, "")
  return without === "" ? [] : [without, ...telling.filter((each) => each !== without && holesFit(name, each))]
}

export const runsOthers = (name: string): boolean => isShell(name) || wrapperOf(name) !== null || runnerOf(name) !== null
