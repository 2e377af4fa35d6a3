import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import { Web } from "../../../src/services/Web.js"
import { NetworkPolicyLive, WebLive } from "../../../src/services/web/live.js"
import { ResolverMemory } from "../../../src/services/web/memory.js"

/** Names as a hostile DNS would answer them. */
const names: Readonly<Record<string, ReadonlyArray<string>>> = {
  "inside.example": ["10.0.0.5"],
  "mixed.example": ["93.184.216.34", "127.0.0.1"],
  "mixed6.example": ["2606:2800:220:1::1", "::1"],
  "nat64.example": ["64:ff9b::7f00:1"],
  "cgnat.example": ["100.64.1.1"],
  "metadata.example": ["169.254.169.254"],
  "wire.example": ["168.63.129.16"],
  "unspecified.example": ["0.0.0.0"],
  "multicast.example": ["224.0.0.1"],
  "ula.example": ["fd00::1"],
  "linklocal.example": ["fe80::1"],
  "documentation.example": ["192.0.2.7"],
  "odd.example": ["not an address"],
  "xn--bcher-kva.example": ["192.168.1.1"]
}
/** URL, and what the refusal says. All by the live policy; nothing is ever connected to. */
const refused: ReadonlyArray<readonly [url: string, says: RegExp]> = [
  // schemes and forms
  ["http://example.com/", /https/], ["HTTP://EXAMPLE.com", /https/], ["ftp://example.com/x", /only https/], ["file:///etc/passwd", /only https/],
  ["gopher://example.com/", /only https/], ["ws://example.com/", /only https/], ["data:text/plain,hi", /only https/], ["javascript:alert(1)", /only https/],
  ["blob:https://example.com/1", /only https/], ["about:blank", /only https/], ["view-source:https://example.com", /only https/],
  ["https://user:pw@example.com/", /user or password/], ["https://user@example.com/", /user or password/], ["https://:pw@example.com/", /user or password/],
  ["https://example.com@127.0.0.1/", /user or password/],
  ["nope", /no absolute URL/], ["//example.com/x", /no absolute URL/], ["/x", /no absolute URL/], ["", /no absolute URL/], ["https://", /no absolute URL/],
  ["https://exa mple.com/", /no absolute URL/], ["https://[::1", /no absolute URL/], ["https://1.2.3.4.5/", /no absolute URL/], ["https://256.1.1.1/", /no absolute URL/],
  // loopback in every spelling
  ["https://127.0.0.1/", /loopback/], ["https://127.1/", /loopback/], ["https://127.0.1/", /loopback/], ["https://2130706433/", /loopback/], ["https://0x7f000001/", /loopback/],
  ["https://0x7f.0.0.1/", /loopback/], ["https://0177.0.0.1/", /loopback/], ["https://017700000001/", /loopback/], ["https://127.0.0.1./", /loopback/],
  ["https://127.255.255.254/", /loopback/], ["https://①②⑦.⓪.⓪.①/", /loopback/], ["https://127。0。0。1/", /loopback/], ["https://%31%32%37.0.0.1/", /loopback/],
  ["https:\\\\127.0.0.1\\x", /loopback/], ["https:127.0.0.1", /loopback/], ["  https://127.0.0.1/  ", /loopback/], ["https://127.0.0.1:8443/", /loopback/],
  ["http://127.0.0.1/", /loopback/], ["http://localhost/", /this machine/], ["http://app.localhost:3000/", /this machine/],
  ["https://[::1]/", /loopback/], ["https://[0:0:0:0:0:0:0:1]/", /loopback/], ["https://[0000::0001]/", /loopback/],
  ["https://[::ffff:127.0.0.1]/", /127\.0\.0\.1/], ["https://[::ffff:7f00:1]/", /127\.0\.0\.1/], ["https://[::127.0.0.1]/", /127\.0\.0\.1/], ["https://[::7f00:1]/", /127\.0\.0\.1/],
  ["https://[64:ff9b::127.0.0.1]/", /127\.0\.0\.1/], ["https://[64:ff9b:1::a00:1]/", /stands for/], ["https://[2002:7f00:1::]/", /127\.0\.0\.1/],
  ["https://[2002:a00:5::1]/", /10\.0\.0\.5/], ["https://[2001:0:0:0:0:0:80ff:fffe]/", /127\.0\.0\.1/], ["https://[fe80::5efe:7f00:1]/", /link-local/],
  // private, link-local and the rest
  ["https://10.0.0.1/", /private/], ["https://10.255.255.255/", /private/], ["https://172.16.0.1/", /private/], ["https://172.31.9.9/", /private/],
  ["https://192.168.0.1/", /private/], ["https://3232235777/", /private/], ["https://169.254.1.1/", /link-local/], ["https://169.254.169.254/latest/meta-data", /metadata/],
  ["https://[fd00:ec2::254]/", /metadata/], ["https://168.63.129.16/", /metadata/], ["https://100.100.100.200/", /metadata/], ["https://100.64.0.1/", /carrier/],
  ["https://0.0.0.0/", /unspecified/], ["https://0/", /unspecified/], ["https://255.255.255.255/", /broadcast/], ["https://224.0.0.251/", /multicast/], ["https://239.1.1.1/", /multicast/],
  ["https://192.0.2.1/", /reserved/], ["https://198.51.100.1/", /reserved/], ["https://203.0.113.9/", /reserved/], ["https://198.18.0.1/", /reserved/], ["https://240.0.0.1/", /reserved/],
  ["https://192.88.99.1/", /address/], ["https://[::]/", /unspecified/], ["https://[fc00::1]/", /private/], ["https://[fd12:3456::1]/", /private/], ["https://[fe80::1]/", /link-local/],
  ["https://[fec0::1]/", /address/], ["https://[ff02::1]/", /multicast/], ["https://[2001:db8::1]/", /address/], ["https://[4000::1]/", /outside of the public internet/],
  ["https://[100::1]/", /address/],
  // what names lead to
  ["https://inside.example/", /10\.0\.0\.5, a private/], ["https://INSIDE.example./", /private/], ["https://mixed.example/", /127\.0\.0\.1, a loopback/], ["https://mixed6.example/", /::1, a loopback/],
  ["https://nat64.example/", /stands for/], ["https://cgnat.example/", /carrier/], ["https://metadata.example/", /metadata/], ["https://wire.example/", /metadata/],
  ["https://unspecified.example/", /unspecified/], ["https://multicast.example/", /multicast/], ["https://ula.example/", /private/], ["https://linklocal.example/", /link-local/],
  ["https://documentation.example/", /reserved/], ["https://odd.example/", /no address/], ["https://bücher.example/", /private/], ["https://unknown.example/", /not found/]
]

const network = WebLive.pipe(Layer.provide(Layer.merge(NetworkPolicyLive, ResolverMemory(names))))

describe("What is not fetched", () => {
  for (const [url, says] of refused) {
    it.effect(JSON.stringify(url), () =>
      Effect.gen(function*() {
        const came = yield* Effect.either((yield* Web).page(url, () => Effect.succeed(null)))
        assert.isTrue(Either.isLeft(came))
        if (Either.isLeft(came)) assert.match(came.left.message, says)
      }).pipe(Effect.provide(network)))
  }

  it.effect("a host that a rule denies", () =>
    Effect.gen(function*() {
      const error = yield* Effect.flip((yield* Web).page("https://example.com/x", (url) => Effect.succeed(`a rule denies ${url}`)))
      assert.strictEqual(error.message, "https://example.com/x is refused: a rule denies https://example.com/x. Nothing was fetched from it.")
    }).pipe(Effect.provide(network)))
})
