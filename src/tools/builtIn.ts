import * as Effect from "effect/Effect"
import { ask } from "./agent/ask.js"
import { forget } from "./agent/forget.js"
import { recall } from "./agent/recall.js"
import { remember } from "./agent/remember.js"
import { skill } from "./agent/skill.js"
import { task } from "./agent/task.js"
import { todoWrite } from "./agent/todoWrite.js"
import { bash } from "./core/bash.js"
import { editFile } from "./core/editFile.js"
import { glob } from "./core/glob.js"
import { grep } from "./core/grep.js"
import { readFile } from "./core/readFile.js"
import { writeFile } from "./core/writeFile.js"
import { applyPatch } from "./editPlus/applyPatch.js"
import { deleteFile } from "./editPlus/deleteFile.js"
import { listDir } from "./editPlus/listDir.js"
import { moveFile } from "./editPlus/moveFile.js"
import { multiEdit } from "./editPlus/multiEdit.js"
import { readManyFiles } from "./editPlus/readManyFiles.js"
import { appendFile } from "./extra/appendFile.js"
import { changedFiles } from "./extra/changedFiles.js"
import { countLines } from "./extra/countLines.js"
import { countTokens } from "./extra/countTokens.js"
import { deleteLines } from "./extra/deleteLines.js"
import { envInfo } from "./extra/envInfo.js"
import { fileInfo } from "./extra/fileInfo.js"
import { findFiles } from "./extra/findFiles.js"
import { gitChangedInRef } from "./extra/gitChangedInRef.js"
import { gitCurrentBranch } from "./extra/gitCurrentBranch.js"
import { gitDiffCommits } from "./extra/gitDiffCommits.js"
import { gitLogFile } from "./extra/gitLogFile.js"
import { gitShowFile } from "./extra/gitShowFile.js"
import { insertLines } from "./extra/insertLines.js"
import { outline } from "./extra/outline.js"
import { prependFile } from "./extra/prependFile.js"
import { webFetch } from "./net/webFetch.js"
import { readSymbol } from "./extra/readSymbol.js"
import { recentFiles } from "./extra/recentFiles.js"
import { replaceLines } from "./extra/replaceLines.js"
import { tree } from "./extra/tree.js"
import { gitBlame } from "./git/gitBlame.js"
import { gitBranch } from "./git/gitBranch.js"
import { gitCommitMessage } from "./git/gitCommitMessage.js"
import { gitDiff } from "./git/gitDiff.js"
import { gitLog } from "./git/gitLog.js"
import { gitShow } from "./git/gitShow.js"
import { gitStatus } from "./git/gitStatus.js"
import { findSymbol } from "./nav/findSymbol.js"
import { jsonQuery } from "./nav/jsonQuery.js"
import { offer } from "./pipeline.js"

/** Every tool that comes with shiro, by set, in the order they are listed and sent. */
export const builtIn = Effect.all([
  offer(readFile),
  offer(writeFile),
  offer(editFile),
  offer(glob),
  offer(grep),
  offer(bash),
  offer(multiEdit),
  offer(listDir),
  offer(readManyFiles),
  offer(applyPatch),
  offer(moveFile),
  offer(deleteFile),
  offer(findSymbol),
  offer(jsonQuery),
  offer(gitStatus),
  offer(gitDiff),
  offer(gitLog),
  offer(gitShow),
  offer(gitBlame),
  offer(gitBranch),
  offer(gitCommitMessage),
  offer(insertLines),
  offer(deleteLines),
  offer(replaceLines),
  offer(appendFile),
  offer(prependFile),
  offer(countLines),
  offer(tree),
  offer(fileInfo),
  offer(findFiles),
  offer(recentFiles),
  offer(changedFiles),
  offer(gitLogFile),
  offer(gitDiffCommits),
  offer(gitShowFile),
  offer(gitCurrentBranch),
  offer(gitChangedInRef),
  offer(outline),
  offer(readSymbol),
  offer(envInfo),
  offer(countTokens),
  offer(todoWrite),
  offer(remember),
  offer(recall),
  offer(forget),
  offer(skill),
  offer(ask),
  offer(task),
  offer(webFetch)
])
