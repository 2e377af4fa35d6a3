import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Web } from "../Web.js"

/** The public web. What fetches it is loaded by the first page. */
export const WebOnDemand = Layer.succeed(Web, Web.of({
  page: (url, mayGo) =>
    Effect.flatMap(Effect.promise(() => import("./live.js")), ({ NetworkPolicyLive, ResolverLive, WebLive }) =>
      Effect.flatMap(Web, ({ page }) => page(url, mayGo)).pipe(
        Effect.provide(WebLive.pipe(Layer.provide(Layer.merge(ResolverLive, NetworkPolicyLive))))
      ))
}))
