type Environment = Readonly<Record<string, string | undefined>>

/** Nobody sits at a command's terminal: no pager, no prompt, no editor, no colours. */
const forced = {
  PAGER: "cat",
  GIT_PAGER: "cat",
  MANPAGER: "cat",
  GIT_TERMINAL_PROMPT: "0",
  GIT_EDITOR: "true",
  SSH_ASKPASS_REQUIRE: "never",
  NO_COLOR: "1",
  TERM: "dumb"
}
/** Programs that ask for a password on a screen, what overrides `NO_COLOR`, and the key that is shiro's own. */
const dropped = new Set(["SSH_ASKPASS", "GIT_ASKPASS", "SUDO_ASKPASS", "FORCE_COLOR", "CLICOLOR_FORCE", "COLORTERM", "SHIRO_API_KEY"])

export const environment = (env: Environment): Environment => ({
  ...Object.fromEntries(Object.entries(env).filter(([name]) => !dropped.has(name))),
  ...forced
})

/**
 * Runs after the profiles, in the same shell: they may have set PATH anew, so the caller's comes first again and only
 * entries that the profiles alone have are appended; relative ones are not taken over. Leaves no name of its own.
 */
const afterProfiles = `${Object.entries(forced).map(([name, value]) => `export ${name}=${value}`).join("; ")}
if [ "$PATH" != "$SHIRO_PATH" ]; then
  SHIRO_REST=$PATH:; PATH=$SHIRO_PATH
  while [ -n "$SHIRO_REST" ]; do
    SHIRO_ENTRY=\${SHIRO_REST%%:*}; SHIRO_REST=\${SHIRO_REST#*:}
    case $SHIRO_ENTRY in /*) case :$PATH: in *:"$SHIRO_ENTRY":*) ;; *) PATH=\${PATH:+$PATH:}$SHIRO_ENTRY ;; esac ;; esac
  done
  export PATH; unset SHIRO_REST SHIRO_ENTRY
fi
unset SHIRO_PATH SHIRO_START ${[...dropped].join(" ")}`

export interface Invocation {
  readonly program: string
  readonly args: ReadonlyArray<string>
  readonly env: Environment
  readonly verbatim: boolean
}

/** `bash -lc` or `cmd /c`. The command stands as it is behind a prefix in its first line, so that line numbers are right. */
export const invocation = (platform: NodeJS.Platform, env: Environment, command: string): Invocation =>
  platform === "win32"
    ? { program: "cmd", args: ["/d", "/s", "/c", `"${command}"`], env: environment(env), verbatim: true }
    : {
      program: "bash",
      args: ["-lc", `eval "$SHIRO_START"; ${command}`],
      env: { ...environment(env), SHIRO_START: afterProfiles, SHIRO_PATH: env["PATH"] ?? "" },
      verbatim: false
    }
