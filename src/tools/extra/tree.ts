import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Entry } from "../../services/Walker.js"
import { Walker } from "../../services/Walker.js"
import { optionalFlag, optionalNumber } from "../core/fields.js"
import { entryLines, hiddenFolder } from "../text/entries.js"
import { lowered } from "../text/lowered.js"
import * as Tool from "../Tool.js"

const mostLevels = 6

interface Branch {
  readonly entry: Entry
  readonly below: Array<Branch>
}

const isFolder = ({ entry: { kind } }: Branch) => kind === "folder" || kind === "link"

/** In each folder its folders first; `entries` come depth first, each folder right before what is in it. */
const foldersFirst = (entries: ReadonlyArray<Entry>): ReadonlyArray<Entry> => {
  const top: Array<Branch> = []
  const open: Array<Branch> = []
  for (const entry of entries) {
    while (open.length > 0 && !entry.path.startsWith(`${open[open.length - 1]?.entry.path ?? ""}/`)) open.pop()
    const branch: Branch = { entry, below: [] }
    ;(open[open.length - 1]?.below ?? top).push(branch)
    if (entry.kind === "folder") open.push(branch)
  }
  const flat = (branches: ReadonlyArray<Branch>): ReadonlyArray<Entry> =>
    [...branches.filter(isFolder), ...branches.filter((branch) => !isFolder(branch))].flatMap((branch) => [branch.entry, ...flat(branch.below)])
  return flat(top)
}

export const tree = Tool.make({
  name: "tree",
  set: "extra",
  description: "Shape of a folder: its tree without sizes, folders first. depth: 1-6, default 3.",
  input: Schema.Struct({
    path: Schema.optionalWith(Schema.String, { exact: true }),
    depth: optionalNumber(),
    includeIgnored: optionalFlag
  }),
  touches: "reads",
  subjects: ({ path }) => path === undefined ? ["*"] : [{ path }],
  body: Effect.fn("tree")(function*({ depth = 3, includeIgnored = false, path = "." }) {
    const walker = yield* Walker
    const walked = yield* walker.walk({ folder: path, depth: Math.min(depth, mostLevels), includeIgnored })
    return [
      ...walked.hidden ? [hiddenFolder(walked.folder, includeIgnored)] : entryLines(walked.folder, foldersFirst(walked.entries), false),
      ...lowered("depth", depth, mostLevels),
      ...walked.unreadable.map((folder) => `${folder}/ could not be listed.`)
    ].join("\n")
  })
})
