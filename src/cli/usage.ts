/** The command line as data: the strict reader (`argv.ts`) and the help of `@effect/cli` (`help.ts`) are made from it. */

export interface Flag {
  readonly name: string
  readonly short?: string
  /** what follows the flag; none for a switch */
  readonly value?: "text" | "count" | "amount"
  /** the only values it takes */
  readonly choices?: ReadonlyArray<string>
  readonly about: string
}
export interface Positional {
  readonly name: string
  readonly optional: boolean
}
export interface Usage {
  readonly name: string
  readonly about: string
  readonly positionals: ReadonlyArray<Positional>
  readonly flags: ReadonlyArray<Flag>
  readonly sub?: ReadonlyArray<Usage>
}

const cwd: Flag = { name: "cwd", value: "text", about: "workspace root; default the current folder" }
const yolo: Flag = { name: "yolo", about: "answer yes to what would ask; never touches what is denied, nor the guard" }
const noPlugins: Flag = { name: "no-plugins", about: "leave plugins out, the guard included" }
const noMcp: Flag = { name: "no-mcp", about: "leave MCP servers out" }
const sandbox: Flag = { name: "sandbox", about: "run commands in a sandbox (bubblewrap)" }
const json = (about: string): Flag => ({ name: "json", about })

/** Flags of whatever runs the agent. */
const run: ReadonlyArray<Flag> = [
  { name: "agent", value: "text", choices: ["default", "quick", "deep", "plan", "review"], about: "which agent runs" },
  { name: "think", value: "text", choices: ["off", "low", "medium", "high", "max"], about: "how much it thinks" },
  { name: "provider", value: "text", about: "wire or preset that overrides the configuration" },
  { name: "model", value: "text", about: "model that overrides the configuration" },
  { name: "base-url", value: "text", about: "endpoint that overrides the configuration" },
  cwd,
  yolo,
  { name: "max-steps", value: "count", about: "stop after so many model calls" },
  { name: "max-cost", value: "amount", about: "stop when so many US dollars are spent" },
  { name: "record", value: "text", about: "write the run as a script that can be replayed" },
  sandbox,
  noMcp,
  { name: "no-subagent", about: "leave the task tool out" },
  { name: "no-instructions", about: "leave AGENTS.md out" },
  { name: "no-skills", about: "leave skills out" },
  noPlugins,
  { name: "no-memory", about: "leave remembered notes out" },
  { name: "no-color", about: "no colours" }
]

export const root: Usage = {
  name: "shiro",
  about: "A coding agent for the terminal.",
  positionals: [{ name: "prompt", optional: true }],
  flags: [
    { name: "print", short: "p", about: "headless: one turn, the answer on stdout" },
    json("with --print: one event a line"),
    { name: "continue", short: "c", about: "go on with the newest session of this folder" },
    { name: "resume", short: "r", value: "text", about: "go on with a session, by id or unique prefix" },
    ...run
  ],
  sub: [
    {
      name: "tool",
      about: "run one tool without a model",
      positionals: [{ name: "name", optional: false }, { name: "json", optional: true }],
      flags: [cwd, yolo, sandbox, noPlugins, { name: "explain", about: "run nothing; print how the call would be decided" }]
    },
    { name: "tools", about: "the tools, their sets and what they cost", positionals: [], flags: [cwd, noPlugins, json("as JSON")] },
    { name: "mcp", about: "serve the tools to MCP clients over stdio", positionals: [], flags: [cwd, yolo, sandbox, noPlugins] },
    { name: "acp", about: "serve as an agent to editors over the Agent Client Protocol", positionals: [], flags: run },
    { name: "demo", about: "a whole turn on a small bundled project: no key, no network", positionals: [], flags: [] },
    { name: "undo", about: "put back the files that the last turn changed", positionals: [], flags: [cwd, { name: "list", about: "show the turns that can be undone" }] },
    {
      name: "sessions",
      about: "saved sessions of this folder",
      positionals: [],
      flags: [cwd],
      sub: [
        { name: "list", about: "the sessions, newest first", positionals: [], flags: [cwd, json("as JSON")] },
        { name: "show", about: "print one", positionals: [{ name: "id", optional: false }], flags: [cwd, json("as JSON")] },
        { name: "rm", about: "remove one", positionals: [{ name: "id", optional: false }], flags: [cwd] }
      ]
    },
    {
      name: "config",
      about: "effective configuration, and where each value is from",
      positionals: [],
      flags: [cwd],
      sub: [
        { name: "show", about: "every value and its source", positionals: [], flags: [cwd, json("as JSON")] },
        { name: "path", about: "the files that are read", positionals: [], flags: [cwd] },
        { name: "schema", about: "the JSON Schema of a configuration file", positionals: [], flags: [] },
        { name: "set", about: "set a key in your own configuration", positionals: [{ name: "key", optional: false }, { name: "value", optional: false }], flags: [cwd] },
        { name: "trust", about: "let this folder's configuration set providers, plugins, MCP servers", positionals: [], flags: [cwd, { name: "revoke", about: "take the trust back" }] }
      ]
    },
    { name: "doctor", about: "what is installed and reachable, and how to mend it", positionals: [], flags: [cwd] }
  ]
}
