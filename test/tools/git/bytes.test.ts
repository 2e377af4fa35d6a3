import { assert, describe, it } from "@effect/vitest"
import type * as Schema from "effect/Schema"
import { changedFiles } from "../../../src/tools/extra/changedFiles.js"
import { gitChangedInRef } from "../../../src/tools/extra/gitChangedInRef.js"
import { gitCurrentBranch } from "../../../src/tools/extra/gitCurrentBranch.js"
import { gitDiffCommits } from "../../../src/tools/extra/gitDiffCommits.js"
import { gitLogFile } from "../../../src/tools/extra/gitLogFile.js"
import { gitShowFile } from "../../../src/tools/extra/gitShowFile.js"
import { gitBlame } from "../../../src/tools/git/gitBlame.js"
import { gitBranch } from "../../../src/tools/git/gitBranch.js"
import { gitCommitMessage } from "../../../src/tools/git/gitCommitMessage.js"
import { gitDiff } from "../../../src/tools/git/gitDiff.js"
import { gitLog } from "../../../src/tools/git/gitLog.js"
import { gitShow } from "../../../src/tools/git/gitShow.js"
import { gitStatus } from "../../../src/tools/git/gitStatus.js"
import { inputSchema, wireBytes } from "../../../src/tools/Tool.js"

const bytes = <In, I>(tool: { readonly name: string; readonly description: string; readonly input: Schema.Schema<In, I> }) =>
  wireBytes({ name: tool.name, description: tool.description, inputSchema: inputSchema(tool.input) })

const figures = [
  [bytes(gitStatus), 292], [bytes(gitDiff), 473], [bytes(gitLog), 484], [bytes(gitShow), 432], [bytes(gitBlame), 499], [bytes(gitBranch), 500],
  [bytes(gitCommitMessage), 500], [bytes(gitLogFile), 500], [bytes(gitDiffCommits), 500], [bytes(gitShowFile), 500], [bytes(gitCurrentBranch), 500],
  [bytes(gitChangedInRef), 500], [bytes(changedFiles), 500]
] as const

describe("the git tools on the wire", () => {
  it("cost no more than their figures", () => {
    for (const [now, most] of figures) assert.isAtMost(now, most)
    const set = figures.slice(0, 6).reduce((sum, [now]) => sum + now, 0)
    assert.isAtMost(set, 2180)
  })
})
