import type { Field } from "../Commands.js"
import { code, field, type Inner, type Runs } from "./inner.js"

/** How programs with a language of their own are told to run a command, a line at a time. */
const bang = /^\s*[:\d,%.$]*\s*(?:r(?:ead)?\s*)?!+\s*([^\n]+)/gm
const escapes: Readonly<Record<string, RegExp>> = {
  psql: /\\!\s*([^\n]+)/g,
  mysql: /(?:\\!|^\s*system\s)\s*([^\n;]+)/gm,
  sqlite: /^\s*\.(?:shell|system)\s+([^\n]+)/gm,
  debugger: /^\s*(?:!|(?:platform\s+)?shell\s)\s*([^\n]+)/gm,
  less: /^\+?!+\s*([^\n]+)/gm,
  macros: /\be?syscmd\(\s*[`'"]*([^)'"]+)/g,
  vim: /\bsystem(?:list)?\(\s*["']([^"']+)/g,
  bang
}
const table: Readonly<Record<string, ReadonlyArray<keyof typeof escapes>>> = {
  psql: ["psql"], pgcli: ["psql"], ysqlsh: ["psql"], mysql: ["mysql"], mariadb: ["mysql"], mycli: ["mysql"], sqlite3: ["sqlite"], sqlite: ["sqlite"], litecli: ["sqlite"], duckdb: ["sqlite"],
  gdb: ["debugger"], lldb: ["debugger"], less: ["less"], more: ["less"], m4: ["macros"], vi: ["vim", "bang"], vim: ["vim", "bang"], nvim: ["vim", "bang"], ex: ["bang"], ed: ["bang"],
  ftp: ["bang"], sftp: ["bang"], lftp: ["bang"], dc: ["bang"], gnuplot: ["bang"], telnet: ["bang"], ghci: ["bang"], sqlplus: ["bang"]
}

/** What such a program runs by what stands in its arguments or comes on its input. */
export const escaped = (name: string): Runs | null => {
  const kinds = Object.hasOwn(table, name) ? table[name] ?? [] : []
  if (kinds.length === 0) return null
  return (args: ReadonlyArray<Field>, input): ReadonlyArray<Inner> => {
    // Attached to an option it stands behind the `=`.
    const texts = [...args.flatMap(({ text }) => [text, ...text.startsWith("-") && text.includes("=") ? [text.replace(/^[^=]*=/, "")] : []]), ...input === null ? [] : [input]]
    return texts.flatMap((text) => kinds.flatMap((kind) => {
      const pattern = escapes[kind]
      return pattern === undefined ? [] : [...text.matchAll(pattern)].flatMap(([, found = ""]) => code(field(found)))
    }))
  }
}

/** What a makefile on the input runs: the lines of its recipes. */
export const recipes = (makefile: string): ReadonlyArray<Inner> =>
  makefile.split("\n").flatMap((line) => {
    const recipe = /^\t[@+-]*([^]+)/.exec(line)?.[1] ?? /^[^\t#][^=]*:[^=;]*;\s*([^]+)/.exec(line)?.[1] ?? /\$\(shell\s+([^)]+)\)/.exec(line)?.[1]
    return recipe === undefined ? [] : code(field(recipe.replaceAll("$$", "$")), "guard")
  })
