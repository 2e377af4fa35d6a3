import { assert, describe, it } from "@effect/vitest"
import { invocation } from "../../../src/services/shell/environment.js"

describe("the invocation of a shell", () => {
  it("is cmd /c on Windows, the line handed over as it is", () => {
    const { args, env, program, verbatim } = invocation("win32", { Path: "C:\\bin", SHIRO_API_KEY: "k" }, `dir "a b" & echo 1`)
    assert.deepStrictEqual([program, args, verbatim], ["cmd", ["/d", "/s", "/c", `"dir "a b" & echo 1"`], true])
    assert.strictEqual(env["Path"], "C:\\bin")
    assert.isFalse("SHIRO_API_KEY" in env)
  })

  it("is bash -lc elsewhere, the line's first line still its first", () => {
    const { args, program, verbatim } = invocation("darwin", { PATH: "/bin" }, "echo hi\necho ho")
    assert.deepStrictEqual([program, args, verbatim], ["bash", ["-lc", `eval "$SHIRO_START"; echo hi\necho ho`], false])
  })
})
