// find_symbol against the search that it begins with, in a tree of 10,000 files, side by side in one process.
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DiskLive } from "../src/services/disk/live.js"
import { Files } from "../src/services/Files.js"
import { FilesLive } from "../src/services/files/live.js"
import { Home } from "../src/services/Home.js"
import { HostLive } from "../src/services/host/live.js"
import { IdsLive } from "../src/services/Ids.js"
import { Jail, makeJail } from "../src/services/Jail.js"
import { PermissionsMemory } from "../src/services/permissions/memory.js"
import { Search } from "../src/services/Search.js"
import { SearchLive } from "../src/services/search/live.js"
import { SecretsMemory } from "../src/services/secrets/memory.js"
import { Syntax } from "../src/services/Syntax.js"
import { SyntaxLive } from "../src/services/syntax/live.js"
import { WalkerLive } from "../src/services/walker/live.js"
import { findSymbol } from "../src/tools/nav/findSymbol.js"
import { call } from "../src/tools/pipeline.js"

const files = 10_000
/** Every 10th file uses the name several times, every 100th defines it. */
const typescript = (n: number) => `import { render } from "../lib/render.js"
import { log } from "../lib/log.js"

/** Options of part ${n}. */
export interface Options${n} {
  readonly name: string
  readonly retries: number
}

const cache${n} = new Map<string, Options${n}>()

export class Part${n} {
  constructor(private readonly options: Options${n}) {}
  start(): void {
    if (this.options.retries > ${n}) log(\`part \${this.options.name} starts\`)
    ${n % 10 === 0 ? "render(this.options.name, { deep: true })" : "log(this.options.name)"}
  }
  ${n % 100 === 0 ? "render(name: string): string { return name }" : `draw${n}(name: string): string { return name }`}
}

export function load${n}(name: string): Options${n} {
  const found = cache${n}.get(name)
  if (found !== undefined) return found
  const made = { name, retries: ${n} }
  cache${n}.set(name, made)
  ${n % 10 === 0 ? "const page = render(name, made)\n  return { ...made, name: page }" : "return made"}
}
`.replace("import { render } from \"../lib/render.js\"\n", n % 10 === 0 ? "import { render } from \"../lib/render.js\"\n" : "")
const python = (n: number) => `import os
from lib import log${n % 10 === 0 ? ", render" : ""}

LIMIT_${n} = ${n}


class Part${n}:
    """Part ${n} of the whole."""

    def __init__(self, name):
        self.name = name

    def start(self):
        if len(self.name) > LIMIT_${n}:
            log(self.name)
        ${n % 10 === 1 ? "render(self.name, deep=True)" : "log(os.getcwd())"}


def ${n % 100 === 1 ? "render" : `load_${n}`}(name, *rest):
    return Part${n}(name)
`

const root = realpathSync(mkdtempSync(join(tmpdir(), "shiro-bench-")))
for (let n = 0; n < files; n++) {
  const folder = join(root, `src${n % 20}`, `part${n % 200}`)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, n % 3 === 0 ? `f${n}.py` : `f${n}.ts`), n % 3 === 0 ? python(n) : typescript(n))
}

const base = Layer.mergeAll(
  DiskLive, HostLive, IdsLive, SecretsMemory(), PermissionsMemory(), SyntaxLive,
  Layer.succeed(Jail, makeJail(root)), Layer.succeed(Home, Home.of({ folder: join(root, ".home") }))
)
const layers = SearchLive.pipe(Layer.provideMerge(WalkerLive), Layer.provideMerge(FilesLive), Layer.provideMerge(base))
const median = (times: ReadonlyArray<number>) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0
const timed = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.timed(effect), ([duration, value]) => ({ millis: Number(duration.value._tag === "Nanos" ? duration.value.nanos : 0n) / 1e6, value }))

const main = Effect.gen(function*() {
  const search = yield* Search
  const { extensions, find, mayDeclare } = yield* Syntax
  const files = yield* Files
  for (const name of ["render", "load_7", "Part77", "log", "nowhere"]) {
    const [searches, tools]: [Array<number>, Array<number>] = [[], []]
    let [candidates, found] = [0, 0]
    for (let round = 0; round < 7; round++) {
      const base = yield* timed(search.filesWithWord({ literal: name, extensions }))
      const whole = yield* timed(call(findSymbol, { name }))
      searches.push(base.millis)
      tools.push(whole.millis)
      candidates = base.value.length
      found = whole.value.split("\n").length
    }
    if (process.env["PARTS"] !== undefined) {
      const left = yield* timed(search.filesWithWord({ literal: name, extensions, line: (line, path) => mayDeclare(path, line, name) }))
      const read = yield* timed(Effect.forEach(left.value, (path) => files.read(path), { concurrency: 8 }))
      const parsed = yield* timed(Effect.forEach(read.value, ({ path, text }) => find(path, text, name)))
      console.log(`  lines judged ${left.millis.toFixed(0)} ms, ${left.value.length} left, read ${read.millis.toFixed(0)} ms, parsed ${parsed.millis.toFixed(0)} ms`)
    }
    const [one, other] = [median(searches), median(tools)]
    console.log(`${name}: search ${one.toFixed(0)} ms, find_symbol ${other.toFixed(0)} ms, ${(other / one).toFixed(2)} times; ${candidates} candidates, ${found} lines`)
  }
})
Effect.runPromise(main.pipe(Effect.provide(layers))).finally(() => rmSync(root, { recursive: true }))
