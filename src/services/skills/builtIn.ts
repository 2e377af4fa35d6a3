import type { Skill } from "../Skills.js"

const skill = (name: string, description: string, body: string): Skill => ({ name, description, body: body.trim(), source: "built-in" })

/** Ours: short, and about what agents get wrong. */
export const builtIn: ReadonlyArray<Skill> = [
  skill("commit", "Commit the work at hand as clear, separate commits.", `
1. Look before you stage: status, the whole diff, the last fifteen subjects. Follow the style you see.
2. One idea a commit. If the diff holds two, stage them apart by path; say so if they can't be parted.
3. Leave out what does not belong: debug output, formatting of untouched code, secrets, build results.
4. Subject: what changes for whoever reads the history, imperative, at most 72 characters. Body: why, and what was tried and dropped. No list of files.
5. Run the checks that the project has before you commit, not after.
6. Never amend, force-push or rebase what others may have. Never commit unless you were asked to.`),
  skill("debug", "Find the cause of a failure before changing anything.", `
1. Reproduce it with one command and keep that command. If it can't be reproduced, say so and gather facts instead of guessing.
2. Read the whole error and the code at the innermost frame that is ours.
3. Write down two or three causes that would explain everything seen. For each name the observation that would rule it out, and make the cheapest first.
4. Narrow by halves: smaller input, older commit, fewer parts. Change one thing at a time.
5. Name the cause in one sentence, with its line. If you can't, you have not found it.
6. Write the test that fails because of it, then mend the cause, not the symptom. Look for its brothers elsewhere.
7. Run the first command again, then the whole suite. Take your probes out.`),
  skill("refactor", "Change the structure of code and nothing of what it does.", `
1. Say what is wrong with the structure and what it should look like, in two sentences.
2. Find the tests that hold the behaviour. If there are none, write them first, against the code as it is.
3. List every use of what you will move or rename before you touch it, strings and docs too.
4. Go in steps that each leave the tests passing: move, rename, extract, inline. No mended bugs and no new features on the way; note them instead.
5. Delete what is no longer used. A forwarding layer is no refactoring.
6. At the end read the diff as a reviewer: is every line needed? Is it smaller or clearer than before? If neither, put it back.`),
  skill("review", "Review a change in order of severity.", `
1. Learn what the change is for: its description, the issue, the tests. Then read the diff once whole, and the code around each hunk.
2. Look for, in this order: wrong results and lost data; security (input that crosses a boundary, secrets, paths, commands); races, errors swallowed, resources left open; missing cases and tests that can't fail; what callers will stumble over; complexity; style last.
3. For each finding: path and line, what happens and when (an input, an order of events), how bad, what would mend it. No finding without a way to see it.
4. Check a suspicion before you report it: run it, or follow the code to the end. Say which ones you could not check.
5. Begin with the verdict. If it is good, say so briefly; don't fill a list.`),
  skill("test", "Write tests that fail when the code is wrong.", `
1. Read how this project tests: its runner, names, helpers. Do the same.
2. List the behaviours from the outside: ordinary, at the edges (none, one, many, largest, wrong type), failing, repeated, at the same time.
3. Assert at the boundary: what is on disk, on the wire, on the screen, in the return value. Not which function was called.
4. One reason to fail a test; its name is the sentence that is then false.
5. See each test fail: break the code for a moment, or write the test first. A test that has never failed proves nothing.
6. No sleeps, no fixed ports, no order between tests, nothing left behind.`),
  skill("verify", "Prove that a change works before saying that it is done.", `
1. Put down what must be true now, sentence by sentence, from the request and not from your change.
2. For each sentence run a command that would show it to be false: the program itself as a user would run it, not only its tests.
3. Try what was not asked: wrong input, empty input, twice, interrupted, another folder.
4. Run type check, lint, and the whole test suite. Read the output; "exit 0" alone is no proof that tests ran.
5. Read the whole diff once more for leftovers.
6. Report what you ran and what it printed, and what you did not check. Never say that it works where you only believe it.`)
]
