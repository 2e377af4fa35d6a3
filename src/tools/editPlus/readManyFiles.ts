import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { readLines, windowFields } from "../core/readFile.js"
import { resultCap, shares } from "../text/cap.js"
import type { Rendered } from "../text/window.js"
import { renderLines } from "../text/window.js"
import * as Tool from "../Tool.js"

const mostFiles = 20

const files = Schema.Array(Schema.Struct(windowFields)).pipe(
  Schema.filter((each) => (each.length > 0 && each.length <= mostFiles) || `Expected 1 to ${mostFiles} files, actual ${each.length}`)
)

/** One file's part: its label and what fits into `room` units. */
interface Block {
  readonly path: string
  readonly render: (room: number) => Rendered
}

const label = (path: string) => `===== ${path} =====\n`

/** The blocks in an even share of the cap each; what one does not need passes over. */
const join = (blocks: ReadonlyArray<Block>): string => {
  const frames = blocks.reduce((sum, { path }) => sum + label(path).length + 2, 0)
  const naming = 100 + blocks.reduce((sum, { path }) => sum + path.length + 2, 0)
  const sizes = blocks.map(({ render }) => render(Number.MAX_SAFE_INTEGER).text.length)
  const fits = sizes.reduce((sum, size) => sum + size, frames) <= resultCap
  const given = shares(sizes, Math.max(0, resultCap - frames - (fits ? 0 : naming)))
  const rendered = blocks.map(({ path, render }, index) => ({ path, ...render(given[index] ?? 0) }))
  const cut = rendered.filter(({ isCut }) => isCut).map(({ path }) => path)
  const naive = rendered.map(({ path, text }) => label(path) + text).join("\n\n")
  return cut.length === 0 ? naive : `${naive}\n\nCut to fit into one result: ${cut.join(", ")}. Continue at the offsets given.`
}

export const readManyFiles = Tool.make({
  name: "read_many_files",
  set: "edit-plus",
  description: "read_file for up to 20 files in one call. One that can't be read is reported in its block.",
  input: Schema.Struct({ files }),
  touches: "reads",
  subjects: ({ files }) => files.map(({ path }) => ({ path })),
  body: Effect.fn("read_many_files")(function*({ files }) {
    const blocks = yield* Effect.forEach(
      files,
      (file) =>
        readLines(file).pipe(Effect.match({
          onSuccess: (window): Block => ({ path: file.path, render: (room) => renderLines(window, room) }),
          onFailure: (error): Block => ({ path: file.path, render: () => ({ text: `[unreadable: ${error.message}]`, isCut: false }) })
        })),
      { concurrency: 8 }
    )
    return join(blocks)
  })
})
