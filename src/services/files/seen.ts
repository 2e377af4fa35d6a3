/** What a file was when its content last went through shiro. */
export interface Sight {
  readonly stamp: string
  /** SHA-256 of the content; null where only a part was read */
  readonly hash: string | null
}

/** What this run has read and written, by path without links. */
export const makeSeen = () => {
  const sights = new Map<string, Sight>()
  const refused = new Set<string>()
  return {
    mark: (path: string, sight: Sight) => {
      // A part that was read later says no more than the whole before it.
      if (sight.hash === null && sights.get(path)?.stamp === sight.stamp) return
      sights.set(path, sight)
    },
    forget: (path: string) => void sights.delete(path),
    /** A file keeps what is known of it under its new name. */
    move: (from: string, to: string) => {
      const sight = sights.get(from)
      if (sight !== undefined) sights.set(to, sight)
      sights.delete(from)
    },
    hasChanged: (path: string, now: Sight): boolean => {
      const sight = sights.get(path)
      if (sight === undefined || sight.stamp === now.stamp) return false
      return sight.hash === null || sight.hash !== now.hash
    },
    /** True the first time for a path and what it is now. */
    refuseOnce: (path: string, now: Sight): boolean => {
      const key = `${path}\0${now.hash ?? now.stamp}`
      const isFirst = !refused.has(key)
      refused.add(key)
      return isFirst
    }
  }
}
export type SeenFiles = ReturnType<typeof makeSeen>
