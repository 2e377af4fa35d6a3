// The walk itself: what is typed, what must then be on the screen, and which screens are kept.
import { execFileSync } from "node:child_process"
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { picture } from "./picture.mjs"
import { first, second } from "./steps.mjs"
import { openTerminal } from "./terminal.mjs"

const [enter, escape, clearLine, ctrlC] = ["\r", "\x1b", "\x15", "\x03"]
const ready = "what shall be done?"
/** The line below the input when nothing is worked on and all that is known of the session is told. */
const idle = /what shall be done\?.*\nscript\/script · .* tokens · main$/

/** A copy of the project of the demo in a repository of its own. */
const place = () => {
  const folder = mkdtempSync(join(tmpdir(), "shiro-capture-"))
  const project = join(folder, "project")
  cpSync("demo/project", project, { recursive: true })
  writeFileSync(join(project, "src/index.js"), 'export { slug } from "./slug.js"\n')
  const git = (...args) => execFileSync("git", ["-c", "user.name=demo", "-c", "user.email=demo@localhost", ...args], { cwd: project })
  git("init", "-q", "-b", "main")
  git("add", "-A")
  git("commit", "-qm", "Slugs")
  const open = (steps, size, ...more) => {
    const script = join(folder, "script.json")
    writeFileSync(script, JSON.stringify(steps))
    const env = { PATH: process.env.PATH, HOME: folder, SHIRO_HOME: join(folder, "home"), TERM: "xterm-256color", LANG: "C.UTF-8", SHIRO_SCRIPT: script }
    return openTerminal({ args: ["--provider", "script", ...more], env, project, ...size })
  }
  return { open, remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }) }
}

/** A turn with every kind of question, up to the command that runs. */
const asked = async ({ keep, keepPicture, see, type }) => {
  await see(idle)
  keep("A session begins", "The header says what decides what the agent can do.")
  type(`a test fails, find out why and mend it${enter}`)
  await see(/run the tests first[^]*bash wants to run/)
  keep("A command asks", "`y` is pressed.")
  type("y")
  await see(/✓ read_file test[^]*edit_file wants to run/)
  type("n")
  await see("Why not?")
  type("the test is right, mend the function")
  await see("mend the function")
  keep("An edit asks, with its diff: no, for a reason", "`n`, the reason, `enter`: the model reads it.")
  type(enter)
  await see(/✓ todo_write[^]*edit_file wants to run\s+src\/slug\.js/)
  keep("The next edit: yes, once", "`y`. The task list has its first item in progress.")
  keepPicture()
  type("y")
  await see(/✓ edit_file src[^]*\+# Slugs/)
  keep("Another edit: yes, always", "`a`: the edit after this one no longer asks.")
  type("a")
  await see(/✓ edit_file README[^]*✓ edit_file README[^]*other callers, too\?\n/)
  keep("The agent asks", "`1`, or `enter`.")
  type("1")
  await see(/✓ todo_write +2 of[^]*│ read_file/)
  keep("A helper works", "Each of its calls is told with its outcome; below it is the task list.")
}

/** The command that runs, what is typed meanwhile, and how a turn is stopped. */
const stopped = async ({ keep, see, type }) => {
  await see("bash wants to run")
  type("y")
  await see(/✓ task[^]*│ watching, round 3/)
  type(`can slugs have a longest length?${enter}`)
  await see("1 queued")
  keep("A command runs, and the next prompt waits", "The output is live. The prompt is sent when the turn has ended.")
  type(ctrlC)
  await see("Nothing else calls slug, so every")
  keep("ctrl-c has stopped the command, the turn goes on", "The answer is on its way; its last line is not finished.")
  await see("A length limit belongs into")
  type(`and what of umlauts?${enter}`)
  await see("1 queued")
  keep("The prompt that waited is answered", "Another one waits.")
  type(escape)
  await see("stopped: interrupted")
  await see(idle)
  keep("esc has aborted the turn", "What waited is gone with it.")
}

const commands = async ({ keep, see, type }) => {
  type("/co")
  await see("/compact")
  keep("The command menu", "It opens as a command is typed; `tab` or `enter` takes the marked one.")
  type(`${clearLine}/tools${enter}`)
  await see(/web_fetch[^]*what shall be done/)
  keep("/tools", "The end of the list, where it is longer than the screen.")
  type(`${clearLine}look at @slug`)
  await see("@test/slug.test.js")
  keep("A path is completed", "`tab` takes the marked one.")
  type(`${clearLine}/undo${enter}`)
  await see("Put back 2 files")
  keep("The turn's changes are put back", "Of both files, in one step.")
  type(`/exit${enter}`)
}

const tokensIn = (text) => /\d+ tokens/.exec(text)?.[0] ?? ""

const resumed = async ({ keep, see, text, type }) => {
  await see(idle)
  const before = tokensIn(text())
  type(`what was the cause?${enter}`)
  await see("of other characters was")
  // what the turn took is told a little after its end
  await see((shown) => idle.test(shown) && tokensIn(shown) !== before)
  keep("`shiro -c` goes on with the session", "It has the id from above, and the agent knows what was said.")
  type(`/resume${enter}`)
  await see("Which session?")
  keep("/resume", "Any other session of the folder is chosen from a list.")
  type(escape)
  await see(ready)
  type(`/exit${enter}`)
}

/** Plays the walk at this size. Gives the kept screens, and one of them as a picture. */
export const walk = async (size) => {
  const captures = []
  let svg = ""
  const at = place()
  const play = async (terminal, ...parts) => {
    try {
      const tools = {
        see: terminal.see,
        text: terminal.text,
        type: terminal.type,
        keep: (title, about) => captures.push({ title, about, text: terminal.text() }),
        keepPicture: () => {
          svg = picture(terminal)
        }
      }
      for (const part of parts) await part(tools)
      await terminal.ended
    } finally {
      terminal.kill()
    }
  }
  try {
    await play(at.open(first, size), asked, stopped, commands)
    await play(at.open(second, size, "-c"), resumed)
  } finally {
    at.remove()
  }
  return { captures, svg }
}
