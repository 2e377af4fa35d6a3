// A small project whose tests do what tests do: files in the temporary folder, programs, a server.
const assert = require("node:assert")
const { execFileSync } = require("node:child_process")
const fs = require("node:fs")
const http = require("node:http")
const os = require("node:os")
const path = require("node:path")
const test = require("node:test")
const { sum } = require("./sum.cjs")

test("adds", () => assert.equal(sum(1, 2), 3))

test("writes temporary files", () => {
  const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), "t-")), "f")
  fs.writeFileSync(file, "x")
  assert.equal(fs.readFileSync(file, "utf8"), "x")
})

test("starts programs", () => assert.match(execFileSync("git", ["--version"], { encoding: "utf8" }), /git/))

test("listens on loopback", (_, done) => {
  const server = http.createServer((_request, response) => response.end("ok")).listen(0, () => {
    http.get({ port: server.address().port }, (response) => {
      response.resume()
      server.close(done)
    })
  })
})
