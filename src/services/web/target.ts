import * as Effect from "effect/Effect"
import type { NetworkPolicy, Resolver } from "../Web.js"
import { BadUrl, UrlRefused } from "../Web.js"
import { canonical } from "./url.js"

/** A URL that may be fetched, and the only addresses to connect to for it. */
export interface Target {
  readonly url: URL
  readonly addresses: ReadonlyArray<string>
}

const longest = 8_000

/** A URL's text without what might be a secret or a trap in it. */
const shown = (url: URL) => {
  const copy = new URL(url)
  copy.username = ""
  copy.password = ""
  return copy.href
}

/** Only what the URL says by itself; `base` for a redirect. */
export const parseUrl = Effect.fnUntraced(function*(text: string, base?: URL) {
  const url = text.length > longest ? null : canonical(text, base)
  if (url === null) return yield* new BadUrl({ url: text.trim().slice(0, 200) })
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    return yield* new UrlRefused({ url: url.href.slice(0, 200), why: `only https is fetched, not ${url.protocol.slice(0, -1)}` })
  }
  if (url.username !== "" || url.password !== "") {
    return yield* new UrlRefused({ url: shown(url), why: "it names a user or password" })
  }
  return url
})

/** Host as names and addresses are written outside of URLs. */
export const hostOf = (url: URL) => url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "")
const isAddress = (host: string) => /^[\d.]+$/.test(host) || host.includes(":")

/** Resolves the host once and checks every one of its addresses: one that may not be connected to spoils all. */
export const targetOf = Effect.fnUntraced(function*(
  url: URL,
  policy: typeof NetworkPolicy.Service,
  resolver: typeof Resolver.Service
) {
  const host = hostOf(url)
  const literal = isAddress(host)
  const tooPlain = url.protocol === "http:" && !policy.plainHttp
    ? new UrlRefused({ url: url.href, why: "public hosts are fetched over https only; try it with https" })
    : null
  if (tooPlain !== null && !literal) {
    // Names that never leave the machine or its network are told of as such.
    const local = host === "localhost" || host.endsWith(".localhost")
    return yield* local ? new UrlRefused({ url: url.href, why: `${host} is this machine` }) : tooPlain
  }
  const addresses = literal ? [host] : yield* resolver.addresses(host)
  for (const address of addresses) {
    const why = policy.objection(address)
    if (why === null) continue
    return yield* new UrlRefused({ url: url.href, why: literal ? `${address} is ${why}` : `${host} leads to ${address}, ${why}` })
  }
  if (tooPlain !== null) return yield* tooPlain
  const target: Target = { url, addresses }
  return target
})
