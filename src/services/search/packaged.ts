import { createRequire } from "node:module"

/** The packaged binary's path, asked of the platform's package; `@vscode/ripgrep` itself throws where there is none. */
export const packagedRipgrep = (platform: string): string | null => {
  const name = platform === "win32" ? "rg.exe" : "rg"
  try {
    const fromRipgrep = createRequire(createRequire(import.meta.url).resolve("@vscode/ripgrep"))
    return fromRipgrep.resolve(`@vscode/ripgrep-${platform}-${process.arch}/bin/${name}`)
  } catch {
    return null
  }
}
