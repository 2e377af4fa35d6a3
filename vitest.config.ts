import { defineConfig } from "vitest/config"

const source = (name: string) => new URL(`src/${name}.ts`, import.meta.url).pathname

export default defineConfig({
  // the examples import the package by its name
  resolve: { alias: [{ find: /^shiro-neko$/, replacement: source("index") }, { find: /^shiro-neko\/testing$/, replacement: source("testing") }] },
  test: {
    include: ["test/**/*.test.{ts,tsx}"],
    pool: "forks",
    poolOptions: { forks: { maxForks: 2, minForks: 1 } },
    // on a busy machine a process alone may take seconds; one more try in CI keeps such a moment from deciding
    testTimeout: 120_000,
    retry: process.env["CI"] ? 1 : 0,
    hookTimeout: 120_000
  }
})
