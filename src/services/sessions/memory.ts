import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Clock from "effect/Clock"
import { Ids } from "../Ids.js"
import type { SessionInfo, SessionRecord } from "../Sessions.js"
import { NoSuchSession, Sessions } from "../Sessions.js"

/** Sessions of this process alone; also for runs that save nothing. */
export const SessionsMemory = Layer.effect(Sessions, Effect.gen(function*() {
  const ids = yield* Ids
  const all = new Map<string, { readonly info: SessionInfo; readonly records: Array<SessionRecord>; order: number }>()
  let order = 0
  const find = (wanted: string) =>
    Effect.suspend(() => {
      const matches = [...all.keys()].filter((id) => wanted !== "" && id.startsWith(wanted))
      const kept = matches.length === 1 ? all.get(matches[0] ?? "") : undefined
      return kept === undefined ? new NoSuchSession({ wanted, matches }) : Effect.succeed(kept)
    })
  const session = (id: string, before: ReadonlyArray<SessionRecord>, started: number) => ({
    id,
    records: before,
    append: (record: SessionRecord) =>
      Effect.sync(() => {
        const kept = all.get(id) ?? { info: { id, title: "", cwd: "", started, used: started }, records: [], order: 0 }
        kept.records.push(record)
        kept.order = ++order
        all.set(id, record.type === "title" ? { ...kept, info: { ...kept.info, title: record.title } } : kept)
      }),
    close: Effect.void
  })
  const latest = () => [...all.values()].toSorted((a, b) => b.order - a.order)
  return Sessions.of({
    create: Effect.gen(function*() {
      return session(yield* ids.next, [], yield* Clock.currentTimeMillis)
    }),
    open: (id) => Effect.map(find(id), ({ info, records }) => session(info.id, [...records], info.started)),
    newest: Effect.sync(() => Option.fromNullable(latest()[0]?.info.id)),
    list: Effect.sync(() => latest().map(({ info }) => info)),
    show: (id) => Effect.map(find(id), ({ records }) => [...records]),
    remove: (id) => Effect.map(find(id), ({ info }) => void all.delete(info.id))
  })
}))
