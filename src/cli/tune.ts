import { setFlagsFromString } from "node:v8"

/** After so long it is no short run any more. */
const short = 20_000

/**
 * V8 for runs of seconds. What a turn allocates dies young, and a young generation that stays small is gone through again and again in
 * memory that is already there, where one that grows to 32 MB touches new pages all the time. In a long run that pays, so from then on it may grow. And
 * what runs a few dozen times is not worth optimising. Only for lines of Node that know these flags: V8 complains aloud of others.
 */
export const tune = (): void => {
  const line = Number(process.versions.node.split(".")[0])
  if (line > 24) return
  setFlagsFromString("--semi-space-growth-factor=1")
  // What lives long is little and hardly grows: the heap is gone through again before garbage doubles it.
  setFlagsFromString("--heap-growing-percent=40")
  setTimeout(() => setFlagsFromString("--semi-space-growth-factor=2"), short).unref()
  if (line === 20) setFlagsFromString("--interrupt-budget=600000")
}
