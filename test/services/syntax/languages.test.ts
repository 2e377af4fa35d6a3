import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Syntax } from "../../../src/services/Syntax.js"
import type { Declaration } from "../../../src/services/syntax/declaration.js"
import { languages, languageOf } from "../../../src/services/syntax/languages.js"
import { SyntaxLive } from "../../../src/services/syntax/live.js"
import type { GrammarName } from "../../../src/services/syntax/runtime.js"
import { parse } from "../../../src/services/syntax/runtime.js"

const grammarOf = (name: GrammarName) =>
  parse(name, "", (root) => ({
    types: new Set(root.tree.language.types),
    fields: new Set(root.tree.language.fields)
  }))
const lines = (declarations: ReadonlyArray<Declaration>, indent = ""): ReadonlyArray<string> =>
  declarations.flatMap(({ first, kind, last, members, names }) => [
    `${indent}${first}-${last} ${kind} ${names.join(" ")}`,
    ...lines(members, `${indent}  `)
  ])
const outlineOf = (path: string, text: string) =>
  Effect.flatMap(Syntax, (syntax) => syntax.outline(path, text)).pipe(
    Effect.map(({ broken, declarations }) => [...lines(declarations), ...(broken ? ["broken"] : [])]),
    Effect.provide(SyntaxLive)
  )
const outlines = (title: string, path: string, source: string, expected: ReadonlyArray<string>) =>
  it.live(title, () => Effect.map(outlineOf(path, source), (found) => assert.deepStrictEqual(found, expected)))

describe("what a file declares", () => {
  outlines("TypeScript: every form, with members, none from comments and strings", "a.ts", `/** class Commented {} */
const text = "function quoted() {}", more = \`class Templated { \${(() => 1)()} }\`
@dec({ a: 1 })
export abstract class A<T> extends B implements C {
  @inject() private readonly x: number = 1
  static y = () => 2
  constructor(private a: string) { super() }
  get v() { function local() {} return 1 }
  abstract m(): void
  async *gen(): AsyncGenerator {}
}
export default function () {}
export function over(a: string): void
export function over(a: any) {}
declare module "x" { export function inner(): void }
namespace N.M { export const q = 1 }
export const enum E { A }
export const { a, b: [c], ...rest } = foo
export interface I extends J { m(a: string): void; p: string; f: () => void; new (): I }
export type T<A> = { a: A }
Foo.prototype.bar = function bar() {}
export const api = { foo() {}, bar: () => 1, baz: 2 }
const Expression = class Inner { run() {} }
`, [
    "2-2 const text",
    "2-2 const more",
    "3-11 class A",
    "  5-5 field x",
    "  6-6 method y",
    "  7-7 method constructor",
    "  8-8 method v",
    "  9-9 method m",
    "  10-10 method gen",
    "12-12 function default",
    "13-13 function over",
    "14-14 function over",
    "15-15 module x",
    "  15-15 function inner",
    "16-16 namespace N.M",
    "  16-16 const q",
    "17-17 enum E",
    "18-18 const a c rest",
    "19-19 interface I",
    "  19-19 method m",
    "  19-19 field p",
    "  19-19 method f",
    "  19-19 constructor new",
    "20-20 type T",
    "21-21 method Foo.bar",
    "22-22 object api",
    "  22-22 method foo",
    "  22-22 method bar",
    "23-23 class Expression",
    "  23-23 method run"
  ])

  outlines("JavaScript: CommonJS, and a file that is one call shows what is inside", "a.test.js", `describe("x", () => {
  function helper() {}
  class Fake { run() {} }
  const value = 1
})
`, ["2-2 function helper", "3-3 class Fake", "  3-3 method run"])

  outlines("JavaScript with Flow's types is read by the grammar that has types", "flow.js", `// @flow
export type T = {| a: number |};
export function f(a: ?string): void {}
class X { p: number; m(): void {} }
module.exports = { f, g() {} }
`, ["2-2 type T", "3-3 function f", "4-4 class X", "  4-4 field p", "  4-4 method m", "5-5 object exports", "  5-5 method g"])

  outlines("TSX: components", "a.tsx", `export const App = ({ a }: Props) => <div>{a}</div>
export default class Page extends React.Component<Props> { render() { return <App a={1} /> } }
`, ["1-1 function App", "2-2 class Page", "  2-2 method render"])

  outlines("Python: decorated, nested, conditional; no locals", "a.py", `"""class Doc: pass"""
# def commented(): pass
X: int = 1
a, b = 1, 2
@dec
@dec2(1)
async def f(a):
    def local(): pass
class A(B):
    x: int = 1
    @property
    def p(self): return 1
    class N: pass
if TYPE_CHECKING:
    def g(): pass
else:
    h = lambda: 1
type P = list[int]
`, [
    "3-3 variable X",
    "4-4 variable a b",
    "5-8 function f",
    "9-13 class A",
    "  10-10 field x",
    "  11-12 method p",
    "  13-13 class N",
    "15-15 function g",
    "17-17 function h",
    "18-18 type P"
  ])

  outlines("Go: methods with their receiver, groups", "a.go", `package a
// func commented() {}
type A struct { B; c int }
type (
  I interface { M(a int) string }
  F func(a int)
)
type Al = A
const ( 
 E = iota
 F2
)
var v, w = 1, 2
var fn = func() {}
func f[T any](a T) { type local struct{} }
func (s *A) M(a int) string { return "func quoted() {}" }
func (G[T]) N() {}
`, [
    "3-3 struct A",
    "5-5 interface I",
    "  5-5 method M",
    "6-6 type F",
    "8-8 type Al",
    "10-10 const E",
    "11-11 const F2",
    "13-13 var v w",
    "14-14 function fn",
    "15-15 function f",
    "16-16 method A.M",
    "17-17 method G.N"
  ])

  outlines("Rust: impl blocks, traits, modules, macros, attributes", "a.rs", `#![allow(x)]
/// fn documented() {}
#[derive(Debug)]
pub struct A<T> { a: T }
enum E { A, B(i32) }
impl<T> Display for A<T> where T: X { fn fmt(&self) {} const C: i32 = 1; }
trait T: U { fn req(&self); fn def() {} type X; }
mod m { fn x() {} }
macro_rules! mac { () => { fn inner() {} } }
pub const C: &str = "fn quoted() {}";
static mut S: i32 = 1;
type Al = A<i32>;
extern "C" { fn ext(); }
pub async unsafe fn f() { fn local() {} }
`, [
    "3-4 struct A",
    "5-5 enum E",
    "6-6 impl A",
    "  6-6 method fmt",
    "  6-6 const C",
    "7-7 trait T",
    "  7-7 method req",
    "  7-7 method def",
    "  7-7 type X",
    "8-8 mod m",
    "  8-8 function x",
    "9-9 macro mac",
    "10-10 const C",
    "11-11 static S",
    "12-12 type Al",
    "13-13 function ext",
    "14-14 function f"
  ])

  outlines("Java", "a.java", `package a.b;
@A(1) public abstract class X<T> extends Y {
  private int a = 1, b;
  @Override
  public <K> void m(int a) { class Local {} }
  X() {}
  enum E { A { void q() {} }, B; void m() {} }
}
interface I { void m(); int C = 1; }
record R(int a) { R { } }
@interface An { int v() default 1; }
`, [
    "2-8 class X",
    "  3-3 field a b",
    "  4-5 method m",
    "  6-6 constructor X",
    "  7-7 enum E",
    "    7-7 method m",
    "9-9 interface I",
    "  9-9 method m",
    "  9-9 const C",
    "10-10 record R",
    "  10-10 constructor R",
    "11-11 annotation An",
    "  11-11 method v"
  ])

  outlines("C#: a condition in the middle of a heading does not hide the class", "a.cs", `namespace A.B {
  [Attr]
  public partial class X<T>
#if HAVE
    : Y
#endif
  {
    public int P { get; set; } = 1;
    ~X() {}
    public async Task<int> M<K>(int a) { void local() {} return 1; }
    public static X operator +(X a, X b) => a;
    public int this[int i] { get { return 1; } }
    event Action E1;
  }
  record struct R(int A);
  delegate void D(int a);
}
void TopLevel() {}
`, [
    "1-17 namespace A.B",
    "  2-14 class X",
    "    8-8 property P",
    "    9-9 destructor ~X",
    "    10-10 method M",
    "    11-11 method operator +",
    "    12-12 property this[]",
    "    13-13 event E1",
    "  15-15 record R",
    "  16-16 delegate D",
    "18-18 function TopLevel"
  ])

  outlines("C++ and C: declarators, qualified names, macros before a class's name", "a.hpp", `#define MAX(a) a
extern "C" { int cfun(void); }
namespace a::b {
template <typename T> class A : public B<T> {
 public:
  A();
  ~A() override;
  int m(int a) const { return 1; }
  bool operator==(const A& o) const;
  operator bool() const { return 1; }
  enum class E { A };
};
}
struct S;
typedef struct { int a; } TD;
char *ptr(int a) { return 0; }
int (*fptr)(int) = 0;
template <class T> T A<T>::m(int a) { return 1; }
class EXPORT D : public X { void run(); };
namespace { void hidden(); }
`, [
    "1-1 macro MAX",
    "2-2 function cfun",
    "3-13 namespace a.b",
    "  4-12 class A",
    "    6-6 method A",
    "    7-7 method ~A",
    "    8-8 method m",
    "    9-9 method operator==",
    "    10-10 method operator bool",
    "    11-11 enum E",
    "15-15 struct TD",
    "16-16 function ptr",
    "17-17 variable fptr",
    "18-18 method A.m",
    "19-19 class D",
    "  19-19 method run",
    "20-20 function hidden"
  ])

  outlines("PHP", "a.php", `<html>function text() {}</html>
<?php
namespace A\\B;
#[Attr]
abstract class C extends D {
  const X = 1, Y = 2;
  public int $a = 1;
  abstract function m(): int;
}
trait T { function g() {} }
enum E: string { case A = 'a'; function h() {} }
function top($a) { $f = 'function quoted() {}'; }
if (!function_exists('cond')) { function cond() {} }
`, [
    "3-3 namespace A.B",
    "4-9 class C",
    "  6-6 const X Y",
    "  7-7 field a",
    "  8-8 method m",
    "10-10 trait T",
    "  10-10 method g",
    "11-11 enum E",
    "  11-11 method h",
    "12-12 function top",
    "13-13 function cond"
  ])

  outlines("Ruby", "a.rb", `# def commented; end
module A
  X = 1
  class B < C
    def m(a) = 1
    def self.s; end
    class << self
      def t; end
    end
    private def r; end
    Point = Struct.new(:x) do
      def dist; end
    end
  end
end
class A::D; end
def top; "def quoted; end"; end
`, [
    "2-15 module A",
    "  3-3 const X",
    "  4-14 class B",
    "    5-5 method m",
    "    6-6 method s",
    "    8-8 method t",
    "    10-10 method r",
    "    11-13 const Point",
    "      12-12 method dist",
    "16-16 class A.D",
    "17-17 method top"
  ])

  outlines("Bash: not what stands in a here-document", "a.sh", `#!/bin/bash
f() { echo; }
function g { echo; }
cat <<X
notf() { echo; }
X
if true; then k() { :; }; fi
`, ["2-2 function f", "3-3 function g", "7-7 function k"])

  outlines("CSS", "a.css", `/* .commented {} */
.a, .b > c:hover { color: red; }
@media (min-width: 1px) {
  .d { a: b }
}
@keyframes k { from { a: b } }
`, ["2-2 rule .a .b > c:hover", "3-5 media @media", "  4-4 rule .d", "6-6 keyframes k"])

  it.live("goes on behind a syntax error and says so", () =>
    Effect.map(outlineOf("a.ts", "function a() {}\nfunction ( {{{\n}}}\nfunction b() {}\n"), (found) => {
      assert.include(found, "1-1 function a")
      assert.include(found, "4-4 function b")
      assert.include(found, "broken")
    }))

  it.live("counts lines of CRLF and of astral characters as read_file does", () =>
    Effect.map(outlineOf("a.py", "x = '😀\u2028'\r\n\r\ndef f():\r\n    pass\r\n"), (found) =>
      assert.deepStrictEqual(found, ["1-1 variable x", "3-4 function f"])))

  it("knows a language by extension, name and first line", () => {
    const found = [["x/a.MTS", ""], ["Rakefile", ""], ["bin/run", "#!/usr/bin/env -S python3.11 -u\n"], ["run", "#!/bin/sh\n"], ["notes.txt", ""], ["run", "#!/bin/awk\n"]]
      .map(([path = "", text = ""]) => languageOf(path, text)?.name)
    assert.deepStrictEqual(found, ["TypeScript", "Ruby", "Python", "Bash", undefined, undefined])
  })

  it.live("names the languages it knows when a file is in none of them", () =>
    Effect.gen(function*() {
      const error = yield* Effect.flip(outlineOf("a.txt", "x"))
      assert.include(error.message, "a.txt is in no language that can be taken apart (JavaScript, TypeScript, TSX, Python")
    }))

  it.live("refuses a text of more than four million characters before it is parsed", () =>
    Effect.gen(function*() {
      const error = yield* Effect.flip(outlineOf("a.ts", "let a = 1\n".repeat(400_001)))
      assert.strictEqual(error.message, "a.ts has 4,000,010 characters; at most 4,000,000 are parsed. Use grep to find the place and read_file to read it.")
    }))

  it.live("every rule of every language names a node or field that its grammar has", () =>
    Effect.forEach(languages, (language) =>
      Effect.map(grammarOf(language.grammar), ({ fields, types }) => {
        const unknown = [
          ...Object.keys(language.declares), ...language.holds, ...language.wraps, ...language.comments, ...language.marks
        ].filter((type) => !types.has(type))
        // JavaScript shares TypeScript's table, whose further nodes its own grammar does not have.
        assert.deepStrictEqual(language.grammar === "javascript" ? [] : unknown, [], language.name)
        const steps = Object.values(language.declares).flatMap(({ body = [], by, called, name = called === undefined ? "name" : "", needs }) =>
          [...body, ...(by === undefined ? [] : [by.at]), name, ...(needs === undefined ? [] : [needs])].flatMap((each) => each.split(" ")))
        const lost = steps.map((step) => step.replace(/\+$/, "")).filter((step) => !["^", "*", ""].includes(step) && !fields.has(step) && !types.has(step))
        assert.deepStrictEqual(language.grammar === "javascript" ? [] : lost, [], language.name)
      }), { discard: true }))
})
