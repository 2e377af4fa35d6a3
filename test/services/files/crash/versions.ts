/**
 * A workspace in versions: fifty files change between one and the next: thirty new contents, ten moves between two
 * folders, ten that are there in odd versions only.
 */
export const rewritten = Array.from({ length: 30 }, (_, index) => `src/part${index % 5}/file${index}.txt`)
export const moving = Array.from({ length: 10 }, (_, index) => `m${index}.txt`)
export const appearing = Array.from({ length: 10 }, (_, index) => `odd/only/o${index}.txt`)

/** Long enough that a write takes more than one page. */
export const contentOf = (name: string, version: number) => `${name} ${version}\n`.repeat(300)
export const movedContent = (name: string) => `${name} as ever\n`
export const placeOf = (name: string, version: number) => `${version % 2 === 0 ? "even" : "uneven"}/${name}`

/** All files of a version by path. */
export const versionTree = (version: number): Record<string, string> =>
  Object.fromEntries([
    ...rewritten.map((name) => [name, contentOf(name, version)]),
    ...moving.map((name) => [placeOf(name, version), movedContent(name)]),
    ...(version % 2 === 1 ? appearing.map((name) => [name, contentOf(name, version)]) : [])
  ])
