// Builds what is shipped: the command (bundled whole, split so that heavy parts load on first use), the library
// (Effect stays outside, so that embedders share their own copy) and its types.
import { execFileSync } from "node:child_process"
import { chmodSync, readFileSync, rmSync } from "node:fs"
import { build } from "esbuild"

const manifest = JSON.parse(readFileSync("package.json", "utf8"))
const shared = {
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  splitting: true,
  minify: true,
  keepNames: false,
  legalComments: "none",
  logLevel: "warning",
  jsx: "automatic",
  define: { SHIRO_VERSION: JSON.stringify(manifest.version), "process.env.NODE_ENV": '"production"', "process.env.DEV": '"false"' },
  banner: { js: 'import{createRequire as $require}from"node:module";const require=$require(import.meta.url);' },
  // only wanted by ink's developer tools
  alias: { "react-devtools-core": "./scripts/empty.mjs" },
  external: ["@vscode/ripgrep", "@vscode/tree-sitter-wasm"]
}

rmSync("dist", { recursive: true, force: true })
await Promise.all([
  build({ ...shared, entryPoints: ["src/cli/main.ts"], outdir: "dist/cli", chunkNames: "parts/[name]-[hash]" }),
  build({
    ...shared,
    entryPoints: ["src/index.ts", "src/testing.ts"],
    outdir: "dist/lib",
    chunkNames: "parts/[name]-[hash]",
    minify: false,
    external: [...shared.external, "effect", "effect/*", "@effect/platform", "@effect/platform/*"]
  })
])
chmodSync("dist/cli/main.js", 0o755)
if (!process.argv.includes("--no-types")) {
  execFileSync(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "tsconfig.build.json"], { stdio: "inherit" })
}
