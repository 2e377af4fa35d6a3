#!/usr/bin/env node
import { openParts } from "./parts.js"
import { tune } from "./tune.js"

// Filled in by the build, which makes this file the command and everything else parts beside it.
declare const SHIRO_VERSION: string
declare const SHIRO_PARTS: { readonly run: string; readonly listing: string }

const words = process.argv.slice(2)
// Answered before anything else is loaded: `--version` is what scripts call most.
if (words.length === 1 && (words[0] === "--version" || words[0] === "-V")) {
  process.stdout.write(`${SHIRO_VERSION}\n`)
} else {
  tune()
  const load = openParts(SHIRO_VERSION, words)
  if ((words.includes("tool") || words.includes("-p")) && !words.some((word) => word.startsWith("--cwd")) && !process.env["SHIRO_RIPGREP"]) {
    const { headStart }: typeof import("../services/secrets/listing.js") = load(SHIRO_PARTS.listing)
    headStart(process.cwd())
  }
  const { run }: typeof import("./run.js") = load(SHIRO_PARTS.run)
  void run(words)
}
