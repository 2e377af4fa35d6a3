import * as Effect from "effect/Effect"
import type { NetworkPolicy, Page, Resolver, WebFault } from "../Web.js"
import { ErrorStatus, FetchTooLong, NotText, TooManyRedirects, UrlRefused } from "../Web.js"
import { largestBody, readBody } from "./body.js"
import type { Answer } from "./request.js"
import { request } from "./request.js"
import type { Target } from "./target.js"
import { parseUrl, targetOf } from "./target.js"
import { contentType, decode, isTextType, looksLikeHtml } from "./text.js"

const mostRedirects = 5
const seconds = 30
const accepted = "text/markdown, text/html, application/xhtml+xml;q=0.9, text/*;q=0.8, application/json;q=0.8, */*;q=0.1"
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** What a page's answer says, as text. */
const pageOf = Effect.fnUntraced(function*(target: Target, answer: Answer) {
  const url = target.url.href
  if (answer.status < 200 || answer.status > 299) return yield* new ErrorStatus({ url, status: answer.statusText })
  const { charset, type } = contentType(answer.header("content-type"))
  // What a server says of itself is not repeated: it could be a sentence.
  if (!isTextType(type)) return yield* new NotText({ url, type: /^[\w.+-]{1,40}\/[\w.+-]{1,60}$/.test(type) ? type : "of an unknown type" })
  const body = yield* readBody(url, answer)
  const text = decode(body.bytes, charset)
  if (text === null) return yield* new NotText({ url, type: "binary data" })
  const notes = body.cut ? [`Only the first ${(largestBody / 1e6).toFixed(0)} MB of it were read.`] : []
  const isHtml = type === "text/html" || type === "application/xhtml+xml" || ((type === "" || type === "text/plain") && looksLikeHtml(text))
  if (!isHtml) return { url, title: null, text, notes }
  const { toMarkdown } = yield* Effect.promise(() => import("./markdown.js"))
  const { note, text: markdown, title } = toMarkdown(text, url)
  return { url, title, text: markdown, notes: note === null ? notes : [...notes, note] }
})

/** One hop: the page, or where it is instead. */
const hop = (target: Target) =>
  Effect.scoped(Effect.gen(function*() {
    const answer = yield* request(target, accepted)
    const location = redirects.has(answer.status) ? answer.header("location") : null
    return location === null ? { page: yield* pageOf(target, answer) } : { location }
  }))

/** Follows a URL hop by hop; every hop is checked like the first. */
export const fetchPage = Effect.fnUntraced(function*(
  { policy, resolver }: { readonly policy: typeof NetworkPolicy.Service; readonly resolver: typeof Resolver.Service },
  given: string,
  mayGo: (url: string) => Effect.Effect<string | null>
): Effect.fn.Return<Page, WebFault> {
  const follow = Effect.gen(function*() {
    let url = yield* parseUrl(given)
    for (let redirected = 0; redirected <= mostRedirects; redirected += 1) {
      const why = yield* mayGo(url.href)
      if (why !== null) return yield* new UrlRefused({ url: url.href, why })
      const came = yield* hop(yield* targetOf(url, policy, resolver))
      if ("page" in came) return came.page
      url = yield* parseUrl(came.location, url)
    }
    return yield* new TooManyRedirects({ url: given, limit: mostRedirects, last: url.href })
  })
  return yield* Effect.timeoutFail(follow, { duration: `${seconds} seconds`, onTimeout: () => new FetchTooLong({ url: given, seconds }) })
})
