// The tests' model server for runs by hand: node test/support/serve.mjs script.json [port]
// script.json is a list of replies, as in modelServerStreams.ts; the last one repeats.
import { build } from "esbuild"
import { readFileSync } from "node:fs"

const [file, port = "0"] = process.argv.slice(2)
if (file === undefined) {
  console.error("usage: node test/support/serve.mjs <script.json> [port]")
  process.exit(2)
}
const built = await build({
  entryPoints: [new URL("./modelServer.ts", import.meta.url).pathname],
  bundle: true,
  platform: "node",
  format: "esm",
  write: false
})
const { startModelServer } = await import(`data:text/javascript;base64,${Buffer.from(built.outputFiles[0].contents).toString("base64")}`)
const replies = JSON.parse(readFileSync(file, "utf8"))
const serving = await startModelServer((request, number) => replies[Math.min(number, replies.length - 1)], { port: Number(port), echoesReasoning: true })
console.log(serving.url)
process.on("SIGINT", () => {
  for (const fault of serving.faults()) console.error(fault)
  serving.close().then(() => process.exit(0))
})
