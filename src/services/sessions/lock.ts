import { closeSync, openSync, readFileSync, unlinkSync, writeSync } from "node:fs"

/** When a process started, as the system counts it; tells a living owner from a later process of the same number. */
const startOf = (pid: number): string => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? ""
  } catch {
    return ""
  }
}

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM"
  }
}

const ownerOf = (file: string): number | null => {
  try {
    const [pid = "", start = ""] = readFileSync(file, "utf8").split(" ")
    const number = Number(pid)
    if (!Number.isInteger(number) || number <= 0 || !isAlive(number)) return null
    const now = startOf(number)
    return start !== "" && now !== "" && start !== now ? null : number
  } catch {
    return null
  }
}

/** Takes a lock file, also from a process that is gone; gives the number of a living owner instead of null. */
export const takeLock = (file: string): number | null => {
  for (let tries = 0; tries < 5; tries++) {
    try {
      const descriptor = openSync(file, "wx", 0o600)
      writeSync(descriptor, `${process.pid} ${startOf(process.pid)}`)
      closeSync(descriptor)
      return null
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error
      const owner = ownerOf(file)
      if (owner !== null) return owner
      dropLock(file)
    }
  }
  return 0
}

export const dropLock = (file: string) => {
  try {
    unlinkSync(file)
  } catch {
    // Already gone.
  }
}
