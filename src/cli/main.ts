#!/usr/bin/env node
/** Filled in by the build; running from source says so. */
declare const SHIRO_VERSION: string | undefined

// Answered before anything else is loaded: `--version` is what scripts call most.
if (process.argv.length === 3 && (process.argv[2] === "--version" || process.argv[2] === "-V")) {
  process.stdout.write(`${typeof SHIRO_VERSION === "string" ? SHIRO_VERSION : "0.0.0-source"}\n`)
} else {
  const words = process.argv.slice(2)
  if ((words.includes("tool") || words.includes("-p")) && !words.some((word) => word.startsWith("--cwd")) && !process.env["SHIRO_RIPGREP"]) {
    void import("../services/secrets/listing.js").then(({ headStart }) => headStart(process.cwd()))
  }
  void import("./run.js").then(({ run }) => run(process.argv.slice(2)))
}
