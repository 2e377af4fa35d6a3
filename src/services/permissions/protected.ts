/** Places that no tool may write, and places where a write asks whatever a rule allows (hardening.md, Jail). */
export interface Protection {
  readonly decision: "ask" | "deny"
  readonly why: string
}

const startUp = new Set([
  ".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".bash_aliases", ".profile", ".zshrc", ".zshenv", ".zprofile",
  ".zlogin", ".zlogout", ".kshrc", ".inputrc", ".cshrc", ".tcshrc", ".login", ".envrc", "config.fish"
])

/** `path` is workspace-relative; letter case does not count, since some file systems ignore it. */
export const protection = (path: string): Protection | null => {
  const parts = path.toLowerCase().split("/")
  const name = parts.at(-1) ?? ""
  const parent = parts.at(-2)
  if (parts.includes(".git")) return { decision: "deny", why: "git's own files are not written by tools" }
  if (parent === ".shiro" && name === "config.json") return { decision: "deny", why: "it is shiro's own configuration" }
  if (startUp.has(name)) return { decision: "ask", why: "a shell runs it at its start" }
  if (name === ".mcp.json") return { decision: "ask", why: "it names programs that agents start" }
  if ((parent === ".vscode" && name === "tasks.json") || parts.includes(".idea")) {
    return { decision: "ask", why: "an editor runs what it names" }
  }
  return null
}
