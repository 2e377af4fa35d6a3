import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ErrorStatus, NetworkPolicy, NoSuchHost, Resolver, UrlRefused, Web } from "../Web.js"
import { toMarkdown } from "./markdown.js"
import { parseUrl } from "./target.js"
import { looksLikeHtml } from "./text.js"

/** Names with their addresses; any other host is unknown. */
export const ResolverMemory = (names: Readonly<Record<string, ReadonlyArray<string>>>) =>
  Layer.succeed(Resolver, Resolver.of({
    addresses: (host) => {
      const found = names[host] ?? []
      return found.length === 0 ? new NoSuchHost({ host, code: "ENOTFOUND" }) : Effect.succeed(found)
    }
  }))

/** A policy for tests on loopback servers: what may be connected to, without encryption too. */
export const NetworkPolicyMemory = (objection: (address: string) => string | null = () => null) =>
  Layer.succeed(NetworkPolicy, NetworkPolicy.of({ objection, plainHttp: true }))

/** Pages by URL, HTML or plain text; any other is not found. */
export const WebMemory = (pages: Readonly<Record<string, string>>) =>
  Layer.succeed(Web, Web.of({
    page: Effect.fnUntraced(function*(given, mayGo) {
      const { href } = yield* parseUrl(given)
      const why = yield* mayGo(href)
      if (why !== null) return yield* new UrlRefused({ url: href, why })
      const text = pages[href]
      if (text === undefined) return yield* new ErrorStatus({ url: href, status: "404 Not Found" })
      if (!looksLikeHtml(text)) return { url: href, title: null, text, notes: [] }
      const page = toMarkdown(text, href)
      return { url: href, title: page.title, text: page.text, notes: page.note === null ? [] : [page.note] }
    })
  }))
