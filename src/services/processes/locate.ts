import { accessSync, constants, realpathSync, statSync } from "node:fs"
import { delimiter, isAbsolute, join, relative } from "node:path"

const runnable = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}
const real = (file: string): string => {
  try {
    return realpathSync(file)
  } catch {
    return file
  }
}
const within = (folder: string, file: string): boolean => {
  const rest = relative(folder, file)
  return rest === "" || (!rest.startsWith("..") && !isAbsolute(rest))
}

const isOutside = (folder: string, file: string): boolean =>
  !within(folder, file) && !within(real(folder), real(file))

/** A PATH without relative entries and without those that lie in `outside`, or lead there by a link. */
export const pathOutside = (path: string, outside: string): string =>
  path.split(delimiter).filter((folder) => isAbsolute(folder) && isOutside(outside, folder)).join(delimiter)

/**
 * The file to run for a program's name. Relative entries of PATH are passed over, since they would let the folder that
 * is worked in choose the program; so is everything that is in `outside`, or leads there by a link. Null: not found.
 */
export const locate = (program: string, path: string | undefined, outside: string | undefined): string | null => {
  const candidates = isAbsolute(program)
    ? [program]
    : (path ?? "").split(delimiter).filter((folder) => isAbsolute(folder)).map((folder) => join(folder, program))
  return candidates.find((file) => runnable(file) && (outside === undefined || isOutside(outside, file))) ?? null
}
