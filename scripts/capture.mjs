// Plays a walk through the interactive mode in a real pseudo-terminal, with the bundled project and a scripted model, and
// keeps what the screen shows: text captures in docs/terminal.md (between its marks) and one picture, docs/terminal.svg.
// Needs a built command: npm run build && node scripts/capture.mjs
import { spawn } from "@lydell/node-pty"
import xterm from "@xterm/headless"
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"

const columns = 100
const rows = 30
const edit = (path, oldString, newString) => ({ name: "edit_file", input: { path, oldString, newString } })
const steps = [
  { text: "I'll run the tests first.", tools: [{ name: "bash", input: { command: "node --test | grep '^# fail'" } }] },
  { text: "A test fails. I read the function.", tools: [{ name: "read_file", input: { path: "src/slug.js" } }] },
  { text: "The pattern lacks its **global** flag, so only the first run of other characters becomes a hyphen.", tools: [edit("src/slug.js", '.replace(/[^a-z0-9]+/, "-")', '.replace(/[^a-z0-9]+/g, "-")')] },
  { tools: [{ name: "ask", input: { question: "Shall the tests run again?", options: [{ label: "yes", detail: "takes a second" }, { label: "no" }] } }] },
  { tools: [{ name: "bash", input: { command: "for n in 1 2 3; do echo checked $n; done; node --test >/dev/null && echo all pass; sleep 60" } }] },
  { text: "The tests pass. The last command was stopped, nothing else is to do.\n\n| file | change |\n| --- | --- |\n| `src/slug.js` | pattern with `g` |" }
]

const folder = mkdtempSync(join(tmpdir(), "shiro-capture-"))
const project = join(folder, "project")
cpSync("demo/project", project, { recursive: true })
writeFileSync(join(folder, "script.json"), JSON.stringify(steps))
const screen = new xterm.Terminal({ cols: columns, rows, scrollback: 5000, allowProposedApi: true })
const child = spawn(process.execPath, [resolve("dist/cli/main.js"), "--provider", "script"], {
  cwd: project,
  cols: columns,
  rows,
  env: { PATH: process.env.PATH, HOME: folder, SHIRO_HOME: join(folder, "home"), TERM: "xterm-256color", SHIRO_SCRIPT: join(folder, "script.json") }
})
child.onData((chunk) => screen.write(chunk))
screen.onData((answer) => child.write(answer))

const line = (row) => screen.buffer.active.getLine(screen.buffer.active.baseY + row)
const pause = (millis) => new Promise((done) => setTimeout(done, millis))
/** What differs from run to run is put in a fixed form. */
const settled = (text) => text.replaceAll(project, "~/project").replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, (id) => id.replace(/[0-9a-f]/g, "0")).replace(/working \d+ s/, "working 3 s")
const text = () => settled(Array.from({ length: rows }, (_, row) => line(row)?.translateToString(true) ?? "").map((shown) => shown.trimEnd()).join("\n").trimEnd())
const see = async (wanted) => {
  for (let tries = 0; !text().includes(wanted); tries++) {
    if (tries > 1500) throw new Error(`${wanted} never came. The screen:\n${text()}`)
    await pause(20)
  }
  await pause(150)
}

/** The colours of the picture, by the terminal's own numbers. */
const palette = { 1: "#e06c75", 2: "#98c379", 3: "#e5c07b", 6: "#56b6c2" }
const [foreground, background] = ["#d7dae0", "#1e2127"]
const escaped = (chars) => chars.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
const styleOf = (cell) => {
  const colour = cell.isFgPalette() ? palette[cell.getFgColor()] ?? foreground : foreground
  return cell.isInverse()
    ? `fill="${background}"`
    : `fill="${colour}"${cell.isBold() ? ' font-weight="bold"' : ""}${cell.isDim() ? ' opacity="0.6"' : ""}${cell.isItalic() ? ' font-style="italic"' : ""}`
}
const wide = 8.4
const high = 18
const picture = () => {
  const drawn = []
  const used = text().split("\n").length
  for (let row = 0; row < used; row++) {
    const runs = []
    for (let column = 0; column < columns; column++) {
      const cell = line(row)?.getCell(column)
      if (cell === undefined || cell.getWidth() === 0) continue
      const style = styleOf(cell)
      if (cell.isInverse()) drawn.push(`<rect x="${(16 + column * wide).toFixed(1)}" y="${row * high + 20}" width="${wide}" height="${high}" fill="${foreground}"/>`)
      const last = runs.at(-1)
      if (last !== undefined && last.style === style) last.chars += cell.getChars() || " "
      else runs.push({ style, column, chars: cell.getChars() || " " })
    }
    for (const { chars, column, style } of runs) {
      if (chars.trim() === "") continue
      const shown = settled(chars.trimEnd())
      drawn.push(`<text x="${(16 + column * wide).toFixed(1)}" y="${row * high + 34}" ${style} xml:space="preserve">${escaped(shown)}</text>`)
    }
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${Math.ceil(columns * wide + 32)}" height="${used * high + 36}" font-family="ui-monospace, Menlo, Consolas, monospace" font-size="14">
<rect width="100%" height="100%" rx="8" fill="${background}"/>
${drawn.join("\n")}
</svg>
`
}

const captures = []
const keep = (title) => captures.push(`### ${title}\n\n\`\`\`text\n${text()}\n\`\`\``)
let svg = ""
try {
  await see("what shall be done?")
  keep("A session begins")
  child.write("a test fails, find out why and mend it\r")
  await see("bash wants to run")
  keep("A command asks")
  child.write("y")
  await see("edit_file wants to run")
  keep("An edit asks, with its diff")
  svg = picture()
  child.write("y")
  await see("Shall the tests run again?")
  keep("The agent asks")
  child.write("1")
  await see("bash wants to run")
  child.write("y")
  await see("│ all pass")
  child.write("and then look at the other callers")
  await see("› and then look")
  keep("A command runs, and the next prompt is typed meanwhile")
  child.write("\x15\x03")
  await see("nothing else is to do")
  await see("what shall be done?")
  keep("ctrl-c has stopped the command; the turn went on")
  child.write("/co")
  await see("/compact")
  keep("The command menu")
  child.write("\x15@slug")
  await see("@test/slug.test.js")
  keep("A path is completed")
  child.write("\x15/undo\r")
  await see("Put back 1 file")
  keep("The turn's change is put back")
  const ended = new Promise((done) => child.onExit(done))
  child.write("/exit\r")
  await ended
  const page = readFileSync("docs/terminal.md", "utf8")
  const mark = "<!-- captures: written by scripts/capture.mjs -->"
  writeFileSync("docs/terminal.md", `${page.slice(0, page.indexOf(mark))}${mark}\n\n${captures.join("\n\n")}\n`)
  writeFileSync("docs/terminal.svg", svg)
} finally {
  child.kill()
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
}
process.exit(0)
