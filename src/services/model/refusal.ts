import type { APICallError } from "@ai-sdk/provider"
import { aboutLength, AnswerBroken, Rejected, Unreachable } from "./faults.js"

/** What came back instead of an answer, as far as it decides what to do next. */
export interface Refusal {
  /** null: no status, the connection itself went wrong */
  readonly status: number | null
  /** the provider's own words, or the system's code */
  readonly said: string
  readonly retryAfterMillis: number | null
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === "object" && value !== null

/** The SDK's errors are marked by symbol; its own `isInstance` would load the package. */
const isCallError = (error: unknown): error is APICallError =>
  isRecord(error) && error["name"] === "AI_APICallError" && "responseHeaders" in error

const firstText = (...values: ReadonlyArray<unknown>): string => values.find((value): value is string => typeof value === "string" && value !== "") ?? ""

/** The sentence in an error body, whatever it is wrapped in. */
export const saidIn = (body: unknown): string => {
  if (typeof body === "string") {
    try {
      const parsed: unknown = JSON.parse(body)
      return isRecord(parsed) || Array.isArray(parsed) ? saidIn(parsed) : body
    } catch {
      return body.startsWith("<") ? "" : body.slice(0, 500)
    }
  }
  if (Array.isArray(body)) return saidIn(body[0])
  if (!isRecord(body)) return ""
  const inner = body["error"]
  if (typeof inner === "string") return inner
  const source = isRecord(inner) ? inner : body
  const param = source["param"]
  const message = firstText(source["message"], source["detail"], source["type"])
  return typeof param === "string" && param !== "" && !message.includes(param) ? `${message} (${param})` : message
}

/** The system's code of a failed connection, however deep. */
const codeIn = (error: unknown, depth = 0): string => {
  if (!isRecord(error) || depth > 5) return ""
  if (typeof error["code"] === "string") return error["code"]
  const inner: ReadonlyArray<unknown> = [error["cause"], ...(Array.isArray(error["errors"]) ? error["errors"] : [])]
  return firstText(...inner.map((each) => codeIn(each, depth + 1)))
}

const retryAfter = (headers: Readonly<Record<string, string>> | undefined, now: number): number | null => {
  const millis = Number.parseFloat(headers?.["retry-after-ms"] ?? "")
  if (millis >= 0) return millis
  const given = headers?.["retry-after"]
  if (given === undefined) return null
  const seconds = Number.parseFloat(given)
  if (seconds >= 0) return seconds * 1_000
  const at = Date.parse(given)
  return Number.isNaN(at) ? null : Math.max(0, at - now)
}

/** The system's word for what went wrong with a connection. */
export const isNetwork = (code: string) => /^(E[A-Z]+|UND_ERR_.*|CERT_.*|DEPTH_ZERO.*|SELF_SIGNED.*|UNABLE_TO.*)$/.test(code)

export const refusalOf = (error: unknown, now: number): Refusal => {
  if (isCallError(error) && error.statusCode !== undefined) {
    return {
      status: error.statusCode,
      said: saidIn(error.responseBody) || error.message,
      retryAfterMillis: retryAfter(error.responseHeaders, now)
    }
  }
  const code = codeIn(error)
  if (isNetwork(code)) return { status: null, said: code, retryAfterMillis: null }
  const message = isRecord(error) ? saidIn(error) : typeof error === "string" ? error : ""
  // An error that a provider sends inside a stream carries its kind instead of a status.
  const kind = isRecord(error) ? firstText(error["type"], isRecord(error["error"]) ? error["error"]["type"] : undefined) : ""
  const status = kind === "overloaded_error" ? 529 : kind === "rate_limit_error" ? 429 : kind === "api_error" || kind === "server_error" ? 500 : null
  return { status, said: message === "" ? "the connection was lost" : message, retryAfterMillis: null }
}

/** Asking again may help: rate limits, overload, the server's own trouble, a connection that was reset. */
export const isPassing = ({ said, status }: Refusal): boolean =>
  status === null
    ? /^(ECONNRESET|EPIPE|ETIMEDOUT|EAI_AGAIN|UND_ERR_SOCKET|UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT|the connection was lost)$/.test(said)
    : status === 408 || status === 409 || status === 429 || status >= 500 && status !== 501

/** The request's shape is refused, which another wire may mend. */
export const isAboutShape = ({ said, status }: Refusal): boolean =>
  status !== null && [400, 404, 405, 415, 422, 501].includes(status) && !aboutLength.test(said)

export const faultOf = (refusal: Refusal, host: string, tries: number): Rejected | Unreachable | AnswerBroken =>
  refusal.status !== null
    ? new Rejected({ host, status: refusal.status, said: refusal.said, tries })
    : isNetwork(refusal.said)
    ? new Unreachable({ host, code: refusal.said, tries })
    : new AnswerBroken({ host, said: refusal.said })

/** The reason in a few words, for the notice that it is asked again. */
export const why = (refusal: Refusal): string =>
  refusal.status === 429
    ? "limits the rate (429)"
    : refusal.status === 529
    ? "is overloaded"
    : refusal.status !== null
    ? `answered with status ${refusal.status}`
    : `broke the connection${isNetwork(refusal.said) ? ` (${refusal.said})` : ""}`
