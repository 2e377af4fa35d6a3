import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { lookup } from "node:dns/promises"
import { NetworkPolicy, NoSuchHost, Resolver, Web } from "../Web.js"
import { objectionTo } from "./addresses.js"
import { fetchPage } from "./fetch.js"

/** The system's names, `/etc/hosts` among them. */
export const ResolverLive = Layer.succeed(Resolver, Resolver.of({
  addresses: (host) =>
    Effect.map(
      Effect.tryPromise({
        try: () => lookup(host, { all: true, verbatim: true }),
        catch: (error) => new NoSuchHost({ host, code: error instanceof Error && "code" in error ? String(error.code) : "no answer" })
      }),
      (found) => found.map(({ address }) => address)
    )
}))

/** Public addresses, and nothing without encryption. */
export const NetworkPolicyLive = Layer.succeed(NetworkPolicy, NetworkPolicy.of({ objection: objectionTo, plainHttp: false }))

/** Fetches over the network. */
export const WebLive = Layer.effect(
  Web,
  Effect.gen(function*() {
    const network = { policy: yield* NetworkPolicy, resolver: yield* Resolver }
    return Web.of({ page: (url, mayGo) => fetchPage(network, url, mayGo) })
  })
)
