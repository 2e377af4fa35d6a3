import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

export class BadUrl extends Schema.TaggedError<BadUrl>()("BadUrl", { url: Schema.String }) {
  override get message() {
    return `"${this.url}" is no absolute URL. Give one like https://example.com/page.`
  }
}
/** The URL, or where it leads, is no public page that may be fetched. */
export class UrlRefused extends Schema.TaggedError<UrlRefused>()("UrlRefused", {
  /** as far as it was followed */
  url: Schema.String,
  /** a sentence's end: "it leads to 127.0.0.1, a loopback address" */
  why: Schema.String
}) {
  readonly refused = true
  override get message() {
    return `${this.url} is refused: ${this.why}. Nothing was fetched from it.`
  }
}
export class NoSuchHost extends Schema.TaggedError<NoSuchHost>()("NoSuchHost", { host: Schema.String, code: Schema.String }) {
  override get message() {
    return `The host ${this.host} was not found (${this.code}). Check its spelling.`
  }
}
export class TooManyRedirects extends Schema.TaggedError<TooManyRedirects>()("TooManyRedirects", {
  url: Schema.String,
  limit: Schema.Number,
  last: Schema.String
}) {
  override get message() {
    return `${this.url} redirects more than ${this.limit} times (last to ${this.last}). Nothing was fetched.`
  }
}
/** An answer that is no page: an error status. */
export class ErrorStatus extends Schema.TaggedError<ErrorStatus>()("ErrorStatus", { url: Schema.String, status: Schema.String }) {
  override get message() {
    return `${this.url} answered ${this.status}.`
  }
}
export class NotText extends Schema.TaggedError<NotText>()("NotText", { url: Schema.String, type: Schema.String }) {
  override get message() {
    return `${this.url} is ${this.type}, not text, and is not shown.`
  }
}
/** The connection or the answer's form broke. */
export class FetchBroke extends Schema.TaggedError<FetchBroke>()("FetchBroke", { url: Schema.String, why: Schema.String, cause: Schema.Defect }) {
  override get message() {
    return `${this.url} could not be fetched: ${this.why}.`
  }
}
export class FetchTooLong extends Schema.TaggedError<FetchTooLong>()("FetchTooLong", { url: Schema.String, seconds: Schema.Number }) {
  override get message() {
    return `${this.url} did not arrive whole within ${this.seconds} s. Nothing of it is kept.`
  }
}
export type WebFault =
  | BadUrl | UrlRefused | NoSuchHost | TooManyRedirects | ErrorStatus | NotText | FetchBroke | FetchTooLong

/** The names of the internet. */
export class Resolver extends Context.Tag("shiro/Resolver")<Resolver, {
  /** Every address of a host, IPv4 or IPv6, in the order to be tried; at least one. */
  readonly addresses: (host: string) => Effect.Effect<ReadonlyArray<string>, NoSuchHost>
}>() {}

/** Which addresses may be connected to. */
export class NetworkPolicy extends Context.Tag("shiro/NetworkPolicy")<NetworkPolicy, {
  /** What is wrong with the address, as "a loopback address"; null if nothing. */
  readonly objection: (address: string) => string | null
  /** Whether `http:`, without encryption, will do. */
  readonly plainHttp: boolean
}>() {}

export interface Page {
  /** where it was found in the end */
  readonly url: string
  /** null where it has none */
  readonly title: string | null
  /** markdown where it was HTML, else as it came */
  readonly text: string
  /** what is to be known of how it was read: cut, or not converted; sentences */
  readonly notes: ReadonlyArray<string>
}

/** Public text pages. */
export class Web extends Context.Tag("shiro/Web")<Web, {
  /**
   * Fetches a page. Every hop's URL is checked, and asked of `mayGo` (a sentence's end where it may not); its name is
   * resolved once, all of its addresses are checked, and only these are connected to.
   */
  readonly page: (url: string, mayGo: (url: string) => Effect.Effect<string | null>) => Effect.Effect<Page, WebFault>
}>() {}
