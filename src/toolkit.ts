/** What embedders make tools with: `make` states one, `offer` puts it behind the pipeline, `call` runs it there. */
export type { CallFault } from "./tools/pipeline.js"
export { call, offer } from "./tools/pipeline.js"
export type { Facts, Tool } from "./tools/Tool.js"
export { make } from "./tools/Tool.js"
