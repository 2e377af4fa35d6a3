import { assert, describe, it } from "@effect/vitest"
import { mayDeclare } from "../../../src/services/syntax/hints.js"
import { languageOf } from "../../../src/services/syntax/languages.js"

const judged = (path: string, line: string, word = "run"): boolean => {
  const language = languageOf(path, "")
  return language !== null && mayDeclare(line, word, language)
}
const declarations: ReadonlyArray<readonly [path: string, line: string]> = [
  ["a.ts", "export async function run<A>(a: A) {"],
  ["a.ts", "  run(a: string): void"],
  ["a.ts", "  run()"],
  ["a.ts", "  run(name, rest) {"],
  ["a.ts", "  private readonly run = () => 1"],
  ["a.ts", "exports.run = function () {}"],
  ["a.ts", "const { a, run, ...b } = c"],
  ["a.ts", "const [run, other] = pair()"],
  ["a.ts", "  run,"],
  ["a.ts", "const api = { run() {} }"],
  ["a.ts", "  run: async () => {"],
  ["a.ts", "  \"run\": function () {"],
  ["a.ts", "use({ run() { return 1 } })"],
  ["a.ts", "  get run(): string {"],
  ["a.py", "    async def run(self): # now"],
  ["a.py", "run: int = 1"],
  ["a.py", "first = run = None"],
  ["a.go", "func (s *Server) run(a int) error {"],
  ["a.go", "\trun(ctx context.Context) error"],
  ["a.go", "\trun string = \"a\""],
  ["a.rs", "    pub(crate) fn run(&self) {}"],
  ["a.rs", "macro_rules! run {"],
  ["a.java", "  public <K> Map<String, K> run(int a) throws X {"],
  ["A.cs", "    void IJob.run() {}"],
  ["A.cs", "    public string? run => _run;"],
  ["a.cpp", "template <class T> T A<T>::run(int a) {"],
  ["a.cpp", "static void (*run)(int);"],
  ["a.c", "#define run -1 /* now */"],
  ["a.rb", "  def self.run(*)"],
  ["a.rb", "class A::run < B"],
  ["a.php", "  public static function run($a)"],
  ["a.sh", "run() {"],
  ["a.css", ".run, a { color: red }"]
]
const uses: ReadonlyArray<readonly [path: string, line: string]> = [
  ["a.ts", "import { run } from \"./run.js\""],
  ["a.ts", "export { run } from \"./run.js\""],
  ["a.ts", "  this.run()"],
  ["a.ts", "  return run(a)"],
  ["a.ts", "  const a = run(b)"],
  ["a.ts", "  run(this.name, { deep: true })"],
  ["a.ts", "  run(\"a\")"],
  ["a.ts", "  if (a) run(b)"],
  ["a.ts", "  call(a, run)"],
  ["a.ts", "  a.map(run)"],
  ["a.ts", "  run.name = 1"],
  ["a.ts", "  if (run === 1) {"],
  ["a.py", "    run(self.name)"],
  ["a.py", "from lib import log, run"],
  ["a.go", "\treturn s.run(ctx)"],
  ["a.rs", "    run(&a)?;"],
  ["a.rb", "  run a"],
  ["a.php", "  run($a);"]
]

describe("the quick look at a line", () => {
  it.each(declarations)("%s: may declare %s", (path, line) => assert.isTrue(judged(path, line)))
  it.each(uses)("%s: only uses it in %s", (path, line) => assert.isFalse(judged(path, line)))
  it("takes any line for names that are no words", () => assert.isTrue(judged("a.cpp", "x = operator==(a)", "operator==")))
})
