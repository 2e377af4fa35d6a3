/** Says that a number above its maximum was lowered (decisions.md, Numbers); nothing where it was not. */
export const lowered = (name: string, asked: number, most: number): ReadonlyArray<string> =>
  asked > most ? [`${name} was lowered to ${most}, the maximum.`] : []
