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
import { readFile } from "./core/readFile.js"
import { writeFile } from "./core/writeFile.js"
import { deleteFile } from "./editPlus/deleteFile.js"
import { moveFile } from "./editPlus/moveFile.js"
import { multiEdit } from "./editPlus/multiEdit.js"
import { readManyFiles } from "./editPlus/readManyFiles.js"
import { appendFile } from "./extra/appendFile.js"
import { changedFiles } from "./extra/changedFiles.js"
import { countLines } from "./extra/countLines.js"
import { deleteLines } from "./extra/deleteLines.js"
import { envInfo } from "./extra/envInfo.js"
import { fileInfo } from "./extra/fileInfo.js"
import { gitChangedInRef } from "./extra/gitChangedInRef.js"
import { gitCurrentBranch } from "./extra/gitCurrentBranch.js"
import { gitDiffCommits } from "./extra/gitDiffCommits.js"
import { gitLogFile } from "./extra/gitLogFile.js"
import { gitShowFile } from "./extra/gitShowFile.js"
import { insertLines } from "./extra/insertLines.js"
import { prependFile } from "./extra/prependFile.js"
import { replaceLines } from "./extra/replaceLines.js"
import { gitBlame } from "./git/gitBlame.js"
import { gitBranch } from "./git/gitBranch.js"
import { gitCommitMessage } from "./git/gitCommitMessage.js"
import { gitDiff } from "./git/gitDiff.js"
import { gitLog } from "./git/gitLog.js"
import { gitShow } from "./git/gitShow.js"
import { gitStatus } from "./git/gitStatus.js"
import { offer } from "./pipeline.js"

/** Every tool that comes with shiro, by set, in the order they are listed and sent. */
export const builtIn = Effect.all([
  offer(readFile),
  offer(writeFile),
  offer(editFile),
  offer(bash),
  offer(multiEdit),
  offer(readManyFiles),
  offer(moveFile),
  offer(deleteFile),
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
  offer(fileInfo),
  offer(changedFiles),
  offer(gitLogFile),
  offer(gitDiffCommits),
  offer(gitShowFile),
  offer(gitCurrentBranch),
  offer(gitChangedInRef),
  offer(envInfo),
  offer(todoWrite),
  offer(remember),
  offer(recall),
  offer(forget),
  offer(skill),
  offer(ask),
  offer(task)
])
