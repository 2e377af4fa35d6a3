import * as Either from "effect/Either"

export interface Rename {
  readonly from: string
  readonly to: string
}

/** Moves in an order in which every target is free when its turn comes; files that change places have none. */
export const inOrder = (moves: ReadonlyArray<Rename>): Either.Either<ReadonlyArray<Rename>, string> => {
  const ordered: Array<Rename> = []
  let open = moves
  while (open.length > 0) {
    const taken = new Set(open.map(({ from }) => from))
    const next = open.filter(({ to }) => !taken.has(to))
    if (next.length === 0) {
      return Either.left(`${open.map(({ from, to }) => `${from} to ${to}`).join(", ")}: files can't change places in one patch. Use another name in between`)
    }
    ordered.push(...next)
    open = open.filter(({ to }) => taken.has(to))
  }
  return Either.right(ordered)
}
