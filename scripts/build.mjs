// Builds what is shipped: the command (bundled whole, split so that heavy parts load on first use), the library
// (Effect stays outside, so that embedders share their own copy) and its types.
import { execFileSync } from "node:child_process"
import { mkdirSync, readFileSync, rmSync } from "node:fs"
import { chmod, readFile, writeFile } from "node:fs/promises"
import { basename } from "node:path"
import { build, transform } from "esbuild"

const manifest = JSON.parse(readFileSync("package.json", "utf8"))
const external = ["@vscode/ripgrep", "@vscode/tree-sitter-wasm"]
const shared = {
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  legalComments: "none",
  logLevel: "warning",
  jsx: "automatic",
  define: { SHIRO_VERSION: JSON.stringify(manifest.version), "process.env.NODE_ENV": '"production"', "process.env.DEV": '"false"' }
}

/**
 * A CommonJS part cannot wait while it loads, and two modules do: Ink for developer tools that are not shipped, and
 * yoga-layout for its assembly, which whoever draws fills in (src/cli/ui/chat.ts).
 */
const withoutWaiting = {
  name: "without waiting",
  setup: ({ onLoad }) => {
    onLoad({ filter: /ink\/build\/reconciler\.js$/ }, async ({ path }) => ({ contents: (await readFile(path, "utf8")).replaceAll("isDev()", "false") }))
    onLoad({ filter: /yoga-layout\/dist\/src\/index\.js$/ }, () => ({ contents: 'export * from "./generated/YGEnums.js"; export default {}' }))
  }
}

/**
 * The command: split, so that heavy parts load on first use, then each part made a CommonJS function, so that `src/cli/parts.ts` can
 * load it with the code V8 compiled before. The folder says so to Node.
 */
const buildCommand = async () => {
  const { metafile, outputFiles } = await build({
    ...shared,
    entryPoints: ["src/cli/run.ts", "src/services/secrets/listing.ts"],
    outdir: "dist/cli/parts",
    entryNames: "[name]-[hash]",
    chunkNames: "[name]-[hash]",
    splitting: true,
    minify: true,
    metafile: true,
    write: false,
    external,
    plugins: [withoutWaiting]
  })
  mkdirSync("dist/cli/parts", { recursive: true })
  await Promise.all(outputFiles.map(async ({ path, text }) => {
    const { code } = await transform(text, {
      format: "cjs",
      platform: "node",
      target: "node20",
      minify: true,
      charset: "ascii",
      supported: { "dynamic-import": false },
      define: { "import.meta.url": "$url" }
    })
    await writeFile(path, `(function(exports,require,module,__filename,__dirname,$url){${code}\n})`)
  }))
  const partOf = (entry) => basename(Object.entries(metafile.outputs).find(([, output]) => output.entryPoint === entry)[0])
  await build({
    ...shared,
    entryPoints: ["src/cli/main.ts"],
    outfile: "dist/cli/main.js",
    format: "cjs",
    minify: true,
    define: { ...shared.define, SHIRO_PARTS: JSON.stringify({ run: partOf("src/cli/run.ts"), listing: partOf("src/services/secrets/listing.ts") }) }
  })
  await writeFile("dist/cli/package.json", `{"type":"commonjs"}\n`)
  await chmod("dist/cli/main.js", 0o755)
}

const buildLibrary = () =>
  build({
    ...shared,
    entryPoints: ["src/index.ts", "src/testing.ts"],
    outdir: "dist/lib",
    chunkNames: "parts/[name]-[hash]",
    splitting: true,
    banner: { js: 'import{createRequire as $require}from"node:module";const require=$require(import.meta.url);' },
    external: [...external, "effect", "effect/*", "@effect/platform", "@effect/platform/*"]
  })

rmSync("dist", { recursive: true, force: true })
await Promise.all([buildCommand(), buildLibrary()])
if (!process.argv.includes("--no-types")) {
  execFileSync(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "tsconfig.build.json"], { stdio: "inherit" })
}
