import type { Declaration } from "./declaration.js"

/** A name as a caller may write it (`A::b`, `A#b`, `b()`), with dots between its parts. */
const plain = (name: string): string =>
  name.replace(/(?<=[\p{L}\p{N}_])\([^()]*\)$/u, "").replace(/::/g, ".").replace(/(?<=[\p{L}\p{N}_])#(?=[\p{L}_])/gu, ".")

/** The spellings to look for, and the word that is in the text wherever one of them is declared. */
export const soughtName = (name: string): { readonly spellings: ReadonlyArray<string>; readonly word: string } => {
  const given = name.trim()
  const dotted = plain(given)
  const isPath = /^[\p{L}\p{N}_$#?!.]+$/u.test(dotted)
  return {
    spellings: dotted === given ? [given] : [given, dotted],
    word: isPath ? dotted.slice(dotted.lastIndexOf(".") + 1) || given : given
  }
}

/** With the names of what it is in: `Outer.Inner.method`. */
export const fullNames = (declaration: Declaration): ReadonlyArray<string> =>
  declaration.names.map((name) => [...declaration.owners, name].join("."))

/** Whether it is called so: by its name, or with some of what it is in before it. */
export const isCalled = (declaration: Declaration, spellings: ReadonlyArray<string>): boolean =>
  fullNames(declaration).some((full) => spellings.some((name) => full === name || full.endsWith(`.${name}`)))

/** Where `word` stands in the text with no letter right before or after it. */
export const placesOf = (text: string, word: string): ReadonlyArray<number> => {
  const places: Array<number> = []
  const letter = /[\p{L}\p{N}_]/u
  const [first, last] = [letter.test(word.charAt(0)), letter.test(word.charAt(word.length - 1))]
  if (word === "") return places
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    const glued = (first && at > 0 && letter.test(text.charAt(at - 1))) || (last && letter.test(text.charAt(at + word.length)))
    if (!glued) places.push(at)
  }
  return places
}

/** It and everything in it, in the order of the text. */
export const flat = (declarations: ReadonlyArray<Declaration>): ReadonlyArray<Declaration> =>
  declarations.flatMap((each) => [each, ...flat(each.members)])
