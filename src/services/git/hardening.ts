/**
 * What keeps a hostile repository from executing, writing or reading elsewhere through git (hardening.md). All of it is
 * environment: git's own configuration from there outranks the repository's.
 */
export interface UserConfig {
  /** values of `safe.directory` in the user's and the system's configuration, in order */
  readonly safeDirectories: ReadonlyArray<string>
  /** further settings of the user's own that change what is listed, not what runs */
  readonly settings: ReadonlyArray<readonly [key: string, value: string]>
}

/** Settings of the user's that are passed on: without them every file could look changed, or ignored ones new. */
export const userSettings = ["core.autocrlf", "core.eol", "core.excludesfile"]

type Environment = Readonly<Record<string, string | undefined>>

const dropped = /^(?:GIT_.*|LC_.*|LANG|LANGUAGE|PAGER|LESS|LV|EDITOR|VISUAL|SSH_ASKPASS.*|GPG_TTY)$/

const fixed = {
  LC_ALL: "C",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_ATTR_NOSYSTEM: "1",
  GIT_NO_LAZY_FETCH: "1",
  GIT_NO_REPLACE_OBJECTS: "1",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_TERMINAL_PROMPT: "0",
  GIT_ALLOW_PROTOCOL: "none",
  GIT_PAGER: "cat",
  GIT_EDITOR: "false",
  GIT_ASKPASS: "false"
}

const settings: ReadonlyArray<readonly [key: string, value: string]> = [
  ["core.fsmonitor", "false"],
  ["core.hooksPath", "/dev/null"],
  ["core.attributesFile", "/dev/null"],
  ["core.pager", "cat"],
  ["core.editor", "false"],
  ["core.askPass", "false"],
  ["core.sshCommand", "false"],
  ["core.gitProxy", "false"],
  ["core.alternateRefsCommand", "false"],
  ["core.quotePath", "false"],
  ["credential.helper", ""],
  ["protocol.allow", "never"],
  ["safe.bareRepository", "explicit"],
  ["gpg.program", "/bin/false"],
  ["gpg.openpgp.program", "/bin/false"],
  ["gpg.ssh.program", "/bin/false"],
  ["gpg.x509.program", "/bin/false"],
  ["gpg.ssh.defaultKeyCommand", "false"],
  ["log.showSignature", "false"],
  ["log.mailmap", "false"],
  ["mailmap.file", "/dev/null"],
  ["mailmap.blob", ""],
  ["color.ui", "false"],
  ["diff.noprefix", "false"],
  ["diff.mnemonicPrefix", "false"],
  ["diff.submodule", "short"],
  ["diff.suppressBlankEmpty", "false"],
  // `git diff` takes the index's lock and rewrites it even under GIT_OPTIONAL_LOCKS=0; only plumbing is run, this is the second bar.
  ["diff.autoRefreshIndex", "false"],
  ["i18n.logOutputEncoding", "UTF-8"],
  ["submodule.recurse", "false"],
  ["maintenance.auto", "false"],
  ["gc.auto", "0"]
]

const withoutGit = (env: Environment): Environment =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !dropped.test(name)))

const numbered = (pairs: ReadonlyArray<readonly [key: string, value: string]>): Environment =>
  Object.fromEntries([
    ["GIT_CONFIG_COUNT", String(pairs.length)],
    ...pairs.flatMap(([key, value], index) => [[`GIT_CONFIG_KEY_${index}`, key], [`GIT_CONFIG_VALUE_${index}`, value]])
  ])

/** For asking git about the user's own configuration, away from any repository. */
export const userEnvironment = (env: Environment): Environment => ({
  ...withoutGit(env),
  LC_ALL: "C",
  GIT_DIR: "/dev/null",
  GIT_TERMINAL_PROMPT: "0"
})

/** For everything else. `filters` are the names of the filter drivers that the repository's configuration defines. */
export const hardened = (env: Environment, user: UserConfig, homeFolder: string, filters: ReadonlyArray<string>): Environment => ({
  ...withoutGit(env),
  ...fixed,
  ...numbered([
    ...settings,
    ["core.excludesFile", `${env["XDG_CONFIG_HOME"] || `${homeFolder}/.config`}/git/ignore`],
    ...user.settings,
    ...user.safeDirectories.map((folder) => ["safe.directory", folder] as const),
    ...filters.flatMap((name) => [
      [`filter.${name}.clean`, ""] as const,
      [`filter.${name}.smudge`, ""] as const,
      [`filter.${name}.process`, ""] as const,
      [`filter.${name}.required`, "false"] as const
    ])
  ])
})

/** Records `key\nvalue` of `git config -z`, or `key` alone. */
export const parseConfig = (text: string): ReadonlyArray<readonly [key: string, value: string]> =>
  text.split("\0").filter((record) => record !== "").map((record) => {
    const end = record.indexOf("\n")
    return end === -1 ? [record, ""] : [record.slice(0, end), record.slice(end + 1)]
  })

/** Names of filter drivers among configuration keys. */
export const filterNames = (keys: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...new Set(keys.flatMap((key) => {
    const name = /^filter\.([^]*)\.[^.]*$/.exec(key)?.[1]
    return name === undefined ? [] : [name]
  }))
]
