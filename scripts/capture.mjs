// Plays a walk through the interactive mode in a real pseudo-terminal, with the bundled project and a scripted model, and
// keeps what the screen shows: a page of text captures for each size, and one picture, docs/terminal.svg.
// Needs a built command: npm run build && node scripts/capture.mjs
import { writeFileSync } from "node:fs"
import { walk } from "./capture/walk.mjs"

const sizes = [{ columns: 80, rows: 24 }, { columns: 200, rows: 50 }]

const page = ({ columns, rows }, captures) => `# The terminal at ${columns}x${rows}

One walk through a session, against the scripted provider: every screen as a terminal of ${columns} columns and ${rows} rows shows it. Written by
\`node scripts/capture.mjs\`; ids, dates, seconds and folders are put in a fixed form. Keys and commands are in [The terminal](terminal.md).

${captures.map(({ about, text, title }, at) => `## ${at + 1}. ${title}\n\n${about}\n\n\`\`\`text\n${text}\n\`\`\``).join("\n\n")}
`

const walks = await Promise.all(sizes.map(async (size) => ({ size, ...await walk(size) })))
for (const { captures, size } of walks) writeFileSync(`docs/terminal-${size.columns}x${size.rows}.md`, page(size, captures))
writeFileSync("docs/terminal.svg", walks[0].svg)
process.exit(0)
