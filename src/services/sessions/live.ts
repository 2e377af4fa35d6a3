import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { createHash } from "node:crypto"
import { closeSync, constants, fstatSync, ftruncateSync, mkdirSync, openSync, readFileSync, readSync, readdirSync, statSync, unlinkSync, writeSync } from "node:fs"
import { Home } from "../Home.js"
import { Ids } from "../Ids.js"
import { Jail } from "../Jail.js"
import type { Session, SessionFault, SessionInfo, SessionRecord } from "../Sessions.js"
import { NoSuchSession, SessionInUse, Sessions, SessionTrouble } from "../Sessions.js"
import { lineOf, parseSession } from "./file.js"
import { dropLock, takeLock } from "./lock.js"

const codeOf = (error: unknown) =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : String(error)

const attempt = <A>(doing: SessionTrouble["doing"], place: string, run: () => A): Effect.Effect<A, SessionTrouble> =>
  Effect.try({ try: run, catch: (error) => new SessionTrouble({ doing, place, code: codeOf(error) }) })

const ending = ".jsonl"
/** Title and start stand in the first lines; a list needs no more of a file. */
const headBytes = 4_096

/** Writing is synchronous and by whole lines: what `append` returned from survives the end of the process. */
const appender = (file: string, lock: string, header: string, opened: { descriptor: number } | null) => {
  let state = opened
  const open = () => {
    mkdirSync(file.slice(0, file.lastIndexOf("/")), { recursive: true, mode: 0o700 })
    const descriptor = openSync(file, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT, 0o600)
    takeLock(lock)
    return { descriptor }
  }
  return {
    append: (record: SessionRecord) =>
      attempt("saved", file, () => {
        const first = state === null
        state ??= open()
        writeSync(state.descriptor, `${first ? header : ""}${lineOf(record)}`)
      }),
    close: Effect.sync(() => {
      if (state === null) return
      closeSync(state.descriptor)
      dropLock(lock)
      state = null
    })
  }
}

const headOf = (file: string): Uint8Array => {
  const descriptor = openSync(file, "r")
  try {
    const bytes = new Uint8Array(headBytes)
    return bytes.subarray(0, readSync(descriptor, bytes, 0, headBytes, 0))
  } finally {
    closeSync(descriptor)
  }
}

const infoOf = (id: string, file: string): SessionInfo => {
  const { mtimeMs } = statSync(file)
  const { records } = parseSession(headOf(file))
  const start = records.find((record) => record.type === "session")
  const title = records.find((record) => record.type === "title")
  return { id, title: title?.title ?? "", cwd: start?.cwd ?? "", started: start?.at ?? mtimeMs, used: mtimeMs }
}

/** See `Sessions`: one folder for each workspace, so that the newest is found by its file's date. */
export const SessionsLive = Layer.effect(Sessions, Effect.gen(function*() {
  const ids = yield* Ids
  const { root } = yield* Jail
  const folder = `${(yield* Home).folder}/sessions/${createHash("sha256").update(root).digest("hex").slice(0, 16)}`
  const fileOf = (id: string) => `${folder}/${id}${ending}`
  const lockOf = (id: string) => `${folder}/${id}.lock`

  /** Latest first. */
  const known = attempt("listed", folder, () => {
    let names: ReadonlyArray<string>
    try {
      names = readdirSync(folder)
    } catch (error) {
      if (codeOf(error) === "ENOENT") return []
      throw error
    }
    return names.filter((name) => name.endsWith(ending)).map((name) => name.slice(0, -ending.length))
      .map((id) => ({ id, used: statSync(fileOf(id), { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
      .toSorted((a, b) => b.used - a.used || (a.id < b.id ? 1 : -1))
      .map(({ id }) => id)
  })
  const find = Effect.fnUntraced(function*(wanted: string): Effect.fn.Return<string, SessionFault> {
    const matches = wanted === "" ? [] : (yield* known).filter((id) => id.startsWith(wanted))
    const id = matches.find((each) => each === wanted) ?? (matches.length === 1 ? matches[0] : undefined)
    return id ?? (yield* new NoSuchSession({ wanted, matches: matches.slice(0, 8) }))
  })

  const create = Effect.gen(function*() {
    const id = yield* ids.next
    const at = yield* Clock.currentTimeMillis
    const session: Session = { id, records: [], ...appender(fileOf(id), lockOf(id), lineOf({ type: "session", version: 1, id, cwd: root, at }), null) }
    return session
  })
  const open = Effect.fn("Sessions.open")(function*(wanted: string): Effect.fn.Return<Session, SessionFault> {
    const id = yield* find(wanted)
    const owner = yield* attempt("read", folder, () => takeLock(lockOf(id)))
    if (owner !== null) return yield* new SessionInUse({ id, pid: owner })
    return yield* attempt("read", fileOf(id), () => {
      const parsed = parseSession(readFileSync(fileOf(id)))
      const descriptor = openSync(fileOf(id), constants.O_WRONLY | constants.O_APPEND)
      // What a crash left of its last line goes, so that the next one stands alone.
      if (fstatSync(descriptor).size !== parsed.whole) ftruncateSync(descriptor, parsed.whole)
      if (parsed.unended) writeSync(descriptor, "\n")
      return { id, records: parsed.records, ...appender(fileOf(id), lockOf(id), "", { descriptor }) }
    }).pipe(Effect.tapError(() => Effect.sync(() => dropLock(lockOf(id)))))
  })
  return Sessions.of({
    create,
    open,
    newest: Effect.map(known, (all) => Option.fromNullable(all[0])),
    list: Effect.flatMap(known, (all) => attempt("listed", folder, () => all.map((id) => infoOf(id, fileOf(id))))),
    show: (wanted) => Effect.flatMap(find(wanted), (id) => attempt("read", folder, () => parseSession(readFileSync(fileOf(id))).records)),
    remove: (wanted) =>
      Effect.gen(function*() {
        const id = yield* find(wanted)
        const owner = yield* attempt("removed", folder, () => takeLock(lockOf(id)))
        if (owner !== null) return yield* new SessionInUse({ id, pid: owner })
        yield* attempt("removed", folder, () => unlinkSync(fileOf(id))).pipe(Effect.ensuring(Effect.sync(() => dropLock(lockOf(id)))))
      })
  })
}))
