import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Model } from "../../src/services/Model.js"
import { changedFiles } from "../../src/tools/extra/changedFiles.js"
import { gitChangedInRef } from "../../src/tools/extra/gitChangedInRef.js"
import { gitCurrentBranch } from "../../src/tools/extra/gitCurrentBranch.js"
import { gitDiffCommits } from "../../src/tools/extra/gitDiffCommits.js"
import { gitLogFile } from "../../src/tools/extra/gitLogFile.js"
import { gitShowFile } from "../../src/tools/extra/gitShowFile.js"
import { gitBlame } from "../../src/tools/git/gitBlame.js"
import { gitBranch } from "../../src/tools/git/gitBranch.js"
import { gitCommitMessage } from "../../src/tools/git/gitCommitMessage.js"
import { gitDiff } from "../../src/tools/git/gitDiff.js"
import { gitLog } from "../../src/tools/git/gitLog.js"
import { gitShow } from "../../src/tools/git/gitShow.js"
import { gitStatus } from "../../src/tools/git/gitStatus.js"
import { call } from "../../src/tools/pipeline.js"

/** A model that answers with one text and keeps what it was asked. */
export const answering = (text: string) => {
  const asked: Array<{ readonly system: string; readonly prompt: string }> = []
  const layer = Layer.mock(Model, {
    generate: (request) =>
      Effect.sync(() => {
        asked.push(request)
        return text
      })
  })
  return { asked, layer }
}

/** Every git tool, on one path and ref, in each of its forms; gives what each said, errors included. */
export const everyTool = (path: string, ref: string) => {
  const said = <A extends string, E extends { readonly message: string }, R>(name: string, effect: Effect.Effect<A, E, R>) =>
    Effect.map(Effect.merge(Effect.mapError(effect, ({ message }) => message)), (text) => ({ name, text }))
  return Effect.all([
    said("git_status", call(gitStatus, {})),
    said("git_diff", call(gitDiff, {})),
    said("git_diff staged", call(gitDiff, { staged: true })),
    said("git_diff path", call(gitDiff, { path })),
    said("git_diff staged path", call(gitDiff, { path, staged: true })),
    said("git_log", call(gitLog, { limit: 40 })),
    said("git_log path", call(gitLog, { path })),
    said("git_show", call(gitShow, { ref })),
    said("git_show path", call(gitShow, { ref, path })),
    said("git_show ref:path", call(gitShow, { ref: `${ref}:${path}` })),
    said("git_blame", call(gitBlame, { path })),
    said("git_branch", call(gitBranch, {})),
    said("git_branch remote", call(gitBranch, { remote: true })),
    said("git_commit_message", call(gitCommitMessage, {})),
    said("git_log_file", call(gitLogFile, { path })),
    said("git_diff_commits", call(gitDiffCommits, { from: ref, to: "HEAD" })),
    said("git_diff_commits path", call(gitDiffCommits, { from: "HEAD~1", to: ref, path })),
    said("git_show_file", call(gitShowFile, { path, ref })),
    said("git_current_branch", call(gitCurrentBranch, {})),
    said("git_changed_in_ref", call(gitChangedInRef, { ref })),
    said("changed_files", call(changedFiles, {}))
  ])
}
