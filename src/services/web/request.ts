import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { STATUS_CODES } from "node:http"
import { isIPv6 } from "node:net"
import type { Readable } from "node:stream"
import { buildConnector, Client } from "undici"
import { FetchBroke, UrlRefused } from "../Web.js"
import { hostOf } from "./target.js"
import type { Target } from "./target.js"

export interface Answer {
  readonly status: number
  /** "404 Not Found" */
  readonly statusText: string
  /** a header's value, of several the first */
  readonly header: (name: string) => string | null
  readonly body: Readable
}

const connectMillis = 10_000
const silenceMillis = 20_000

const codeOf = (cause: unknown): string => {
  if (!(cause instanceof Error)) return "it broke"
  // Several addresses were tried: the first one's reason.
  if (cause instanceof AggregateError) return codeOf(cause.errors[0])
  const code = "code" in cause && typeof cause.code === "string" ? cause.code : cause.name
  const said: Readonly<Record<string, string>> = {
    ECONNREFUSED: "the host refused the connection",
    ECONNRESET: "the host closed the connection",
    UND_ERR_SOCKET: "the host closed the connection",
    UND_ERR_CONNECT_TIMEOUT: "the host did not answer",
    UND_ERR_HEADERS_TIMEOUT: "the host did not answer",
    UND_ERR_BODY_TIMEOUT: "the host stopped sending",
    ENETUNREACH: "there is no way to the host's network",
    EHOSTUNREACH: "there is no way to the host",
    CERT_HAS_EXPIRED: "the host's certificate has expired",
    DEPTH_ZERO_SELF_SIGNED_CERT: "the host's certificate is self-signed",
    ERR_TLS_CERT_ALTNAME_INVALID: "the host's certificate is for another name",
    UNABLE_TO_VERIFY_LEAF_SIGNATURE: "the host's certificate could not be verified"
  }
  return said[code] === undefined ? code : `${said[code]} (${code})`
}

/** As in a resolver's answer: an IPv4 address in IPv6 clothes is the IPv4 address. */
const plainAddress = (address: string) => address.replace(/^::ffff:(?=[\d.]+$)/i, "").toLowerCase()

/** Connects to the target's addresses and to no other, whatever name resolution says by now. */
const pinned = ({ addresses, url }: Target) => {
  const all = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }))
  const connect = buildConnector({
    timeout: connectMillis,
    autoSelectFamily: true,
    servername: /^[\d.]+$|:/.test(hostOf(url)) ? "" : hostOf(url),
    lookup: (_host, options, done) => {
      const first = all[0]
      if (options.all === true) done(null, all)
      else if (first !== undefined) done(null, first.address, first.family)
    }
  })
  const allowed = new Set(addresses.map(plainAddress))
  const connector: typeof connect = (options, done) =>
    connect(options, (...result) => {
      const socket = result[1]
      const peer = socket === null ? undefined : socket.remoteAddress
      if (socket === null || (peer !== undefined && allowed.has(plainAddress(peer)))) return done(...result)
      socket.destroy()
      done(new UrlRefused({ url: url.href, why: `the connection went to ${peer ?? "nowhere"} and not where the name leads` }), null)
    })
  return connector
}

/** One request, no redirect followed. The connection ends with the scope. */
export const request = (target: Target, accept: string): Effect.Effect<Answer, FetchBroke | UrlRefused, Scope.Scope> =>
  Effect.gen(function*() {
    const { url } = target
    const client = yield* Effect.acquireRelease(
      Effect.sync(() =>
        new Client(url.origin, {
          connect: pinned(target),
          headersTimeout: silenceMillis,
          bodyTimeout: silenceMillis,
          maxHeaderSize: 65_536,
          allowH2: false
        })),
      (client) => Effect.sync(() => void client.destroy().catch(() => undefined))
    )
    const answer = yield* Effect.tryPromise({
      try: (signal) =>
        client.request({
          method: "GET",
          path: `${url.pathname}${url.search}`,
          headers: { accept, "accept-encoding": "gzip, deflate, br", "accept-language": "en, *;q=0.5", "user-agent": "shiro (+https://www.npmjs.com/package/shiro-neko)" },
          signal
        }),
      catch: (cause) => cause instanceof UrlRefused ? cause : new FetchBroke({ url: url.href, why: codeOf(cause), cause })
    })
    // A body that is not read to its end fails when the connection ends; nobody waits for it any more.
    answer.body.on("error", () => undefined)
    return {
      status: answer.statusCode,
      statusText: [answer.statusCode, STATUS_CODES[answer.statusCode]].filter((part) => part !== undefined).join(" "),
      header: (name) => {
        const value = answer.headers[name]
        return value === undefined ? null : typeof value === "string" ? value : value[0] ?? null
      },
      body: answer.body
    }
  })
export { codeOf }
