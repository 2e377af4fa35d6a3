import { isAscii } from "node:buffer"
import { closeSync, existsSync, fstatSync, fsyncSync, mkdirSync, openSync, readdirSync, readFileSync, readSync, renameSync, unlinkSync, writeSync } from "node:fs"
import { homedir } from "node:os"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"
import { Script } from "node:vm"

type Loaded = ReturnType<NodeJS.Require>
type Require = (id: string) => Loaded

interface Part {
  readonly name: string
  readonly script: Script
}

/** Runs that start often; what each compiles of a part differs. */
const kinds: ReadonlyArray<readonly [folder: string, words: ReadonlyArray<string>]> = [["tool", ["tool"]], ["print", ["-p", "--print"]], ["mcp", ["mcp"]], ["acp", ["acp"]]]

/**
 * Where compiled code of one kind of run is kept. Parts are named for their content, so that no stale code is ever
 * found; V8 takes none that was compiled under other flags.
 */
const cacheFolder = (version: string, given: ReadonlyArray<string>) => {
  const [kind] = kinds.find(([, words]) => words.some((word) => given.includes(word))) ?? ["other"]
  const flags = encodeURIComponent([...process.execArgv, process.env["NODE_OPTIONS"] ?? ""].join(" ").trim()).slice(0, 100)
  const built = [version, process.version, process.arch, flags].filter((part) => part !== "").join("-")
  return join(process.env["SHIRO_HOME"] || join(homedir(), ".shiro"), "cache", "code", built, kind)
}

/**
 * Reads files one after the other into the same memory: touching new memory costs more than reading. What it gives is
 * good until the next call; undefined where there is no such file.
 */
const makeReader = () => {
  let room = Buffer.allocUnsafeSlow(1 << 19)
  return (file: string): Buffer | undefined => {
    let descriptor: number | null = null
    try {
      descriptor = openSync(file, "r")
      const { size } = fstatSync(descriptor)
      if (size > room.length) room = Buffer.allocUnsafeSlow(2 * size)
      return room.subarray(0, readSync(descriptor, room, 0, size, 0))
    } catch {
      return undefined
    } finally {
      if (descriptor !== null) closeSync(descriptor)
    }
  }
}

/** ASCII is read three times as fast when known to be. */
const textOf = (bytes: Buffer) => bytes.toString(isAscii(bytes) ? "latin1" : "utf8")

const replace = (file: string, data: Buffer) => {
  const temporary = `${file}.${process.pid}`
  const descriptor = openSync(temporary, "w", 0o600)
  try {
    writeSync(descriptor, data)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
  renameSync(temporary, file)
}

/** Keeps what this run compiled, and nothing of parts that are gone. Without a folder to write to, nothing is kept. */
const keep = (folder: string, parts: string, compiled: ReadonlyArray<Part>) => {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    for (const name of readdirSync(folder)) if (!existsSync(join(parts, name))) unlinkSync(join(folder, name))
    for (const { name, script } of compiled) replace(join(folder, name), script.createCachedData())
  } catch {
    // the next run compiles again
  }
}

/**
 * Loads parts of the built command: files in the folder `parts`, each a function as CommonJS wraps modules in. Compiling them takes longer than most tools
 * run, so V8's compiled code is kept under shiro's home when a run ends; V8 itself refuses what another version made.
 */
export const openParts = (version: string, words: ReadonlyArray<string>): Require => {
  const parts = join(__dirname, "parts")
  const cache = cacheFolder(version, words)
  const compiled: Array<Part> = []
  const modules = new Map<string, { exports: Loaded }>()
  const read = makeReader()
  const load: Require = (id) => {
    const name = id.startsWith("./") ? id.slice(2) : id
    const known = modules.get(name)
    if (known !== undefined) return known.exports
    const module: { exports: Loaded } = { exports: {} }
    modules.set(name, module)
    const filename = join(parts, name)
    const source = textOf(read(filename) ?? readFileSync(filename))
    const cachedData = read(join(cache, name))
    const script = new Script(source, cachedData === undefined ? { filename } : { filename, cachedData })
    if (cachedData === undefined || script.cachedDataRejected === true) compiled.push({ name, script })
    script.runInThisContext()(module.exports, requireFrom, module, filename, dirname(filename), pathToFileURL(filename).href)
    return module.exports
  }
  const requireFrom: Require = (id) => id.startsWith("./") ? load(id) : require(id)
  process.on("exit", () => {
    if (compiled.length > 0) keep(cache, parts, compiled)
  })
  return load
}
