#!/usr/bin/env node
import { version } from "../version.js"

// Answered before anything else is loaded: `--version` is what scripts call most.
if (process.argv.length === 3 && (process.argv[2] === "--version" || process.argv[2] === "-V")) {
  process.stdout.write(`${version}\n`)
} else {
  void import("./run.js").then(({ run }) => run(process.argv.slice(2)))
}
