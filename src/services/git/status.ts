/** `git status --porcelain=v2 --branch -z`, read. Paths are relative to the work tree's top. */
export interface StatusEntry {
  readonly path: string
  readonly states: ReadonlyArray<string>
  readonly untracked: boolean
}
export interface StatusText {
  /** null when HEAD is detached */
  readonly branch: string | null
  /** full id; null before the first commit */
  readonly commit: string | null
  readonly entries: ReadonlyArray<StatusEntry>
}

const staged: Readonly<Record<string, string>> = {
  M: "staged modified",
  A: "staged new",
  D: "staged deleted",
  T: "staged type changed"
}
const unstaged: Readonly<Record<string, string>> = {
  M: "modified",
  A: "new, only announced to git (add -N)",
  D: "deleted",
  T: "type changed"
}
const conflicts: Readonly<Record<string, string>> = {
  DD: "both deleted",
  AU: "added by us",
  UD: "deleted by them",
  UA: "added by them",
  DU: "deleted by us",
  AA: "both added",
  UU: "both modified"
}

/** What follows `n` fields that are ended by one space each. */
const fields = (record: string, n: number) => {
  let from = 0
  for (let field = 0; field < n; field++) from = record.indexOf(" ", from) + 1
  return record.slice(from)
}
const described = (table: Readonly<Record<string, string>>, letter: string): ReadonlyArray<string> =>
  letter === "." ? [] : [table[letter] ?? letter]

const moved = (code: string, from: string): ReadonlyArray<string> => {
  const word = (letter: string) => letter === "C" ? "copied" : "renamed"
  const [index = ".", tree = "."] = code
  return [
    ...index === "R" || index === "C" ? [`staged ${word(index)} from ${from}`] : described(staged, index),
    ...tree === "R" || tree === "C" ? [`${word(tree)} from ${from}`] : described(unstaged, tree)
  ]
}

/** `shown` turns the name before a rename into what is shown of it. */
export const parseStatus = (text: string, shown: (path: string) => string = (path) => path): StatusText => {
  const records = text.split("\0")
  const entries: Array<StatusEntry> = []
  let branch: string | null = null
  let commit: string | null = null
  for (let at = 0; at < records.length; at++) {
    const record = records[at] ?? ""
    const code = record.slice(2, 4)
    switch (record.charAt(0)) {
      case "#": {
        const [, name = "", value = ""] = /^# (\S+) ([^]*)$/.exec(record) ?? []
        if (name === "branch.head" && value !== "(detached)") branch = value
        if (name === "branch.oid" && value !== "(initial)") commit = value
        break
      }
      case "1":
        entries.push({ path: fields(record, 8), states: moved(code, ""), untracked: false })
        break
      case "2":
        entries.push({ path: fields(record, 9), states: moved(code, shown(records[++at] ?? "")), untracked: false })
        break
      case "u":
        entries.push({ path: fields(record, 10), states: [`conflict: ${conflicts[code] ?? code}`], untracked: false })
        break
      case "?":
        entries.push({ path: record.slice(2), states: ["untracked"], untracked: true })
        break
    }
  }
  return { branch, commit, entries }
}
