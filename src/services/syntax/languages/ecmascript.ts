import type { Declares, Language } from "../language.js"

const valued = { arrow_function: "function", function_expression: "function", generator_function: "function", class: "class", object: "object" }
const method: Declares = { kind: "method", local: true }
const field: Declares = {
  kind: "field",
  by: { at: "value", kinds: { arrow_function: "method", function_expression: "method", generator_function: "method" } },
  body: ["value body"]
}

const declares: Readonly<Record<string, Declares>> = {
  function_declaration: { kind: "function", local: true },
  generator_function_declaration: { kind: "function", local: true },
  function_expression: { kind: "function", local: true },
  generator_function: { kind: "function", local: true },
  class_declaration: { kind: "class" },
  class: { kind: "class" },
  method_definition: method,
  variable_declarator: {
    kind: "*",
    leaves: ["identifier", "shorthand_property_identifier_pattern"],
    by: { at: "value", kinds: valued },
    body: ["value body"]
  },
  pair: {
    kind: null,
    name: "key",
    by: { at: "value", kinds: { arrow_function: "function", function_expression: "function", generator_function: "function", class: "class" } },
    body: ["value body"]
  },
  assignment_expression: {
    kind: null,
    name: "left",
    leaves: ["member_expression", "identifier"],
    by: { at: "right", kinds: valued },
    body: ["right body"]
  },
  export_statement: {
    kind: null,
    called: "default",
    by: { at: "value", kinds: { ...valued, call_expression: "value" } },
    body: ["value body"]
  }
}
const typed: Readonly<Record<string, Declares>> = {
  ...declares,
  abstract_class_declaration: { kind: "class" },
  function_signature: { kind: "function" },
  method_signature: { kind: "method" },
  abstract_method_signature: { kind: "method" },
  property_signature: { kind: "field", by: { at: "type function_type", kinds: { function_type: "method" } } },
  construct_signature: { kind: "constructor", called: "new" },
  public_field_definition: field,
  interface_declaration: { kind: "interface" },
  type_alias_declaration: { kind: "type" },
  enum_declaration: { kind: "enum" },
  internal_module: { kind: "namespace" },
  module: { kind: "module" }
}
const typescript: Language = {
  name: "TypeScript",
  grammar: "typescript",
  extensions: [".ts", ".mts", ".cts"],
  interpreters: ["deno", "tsx", "ts-node"],
  declares: typed,
  holds: [
    "program", "class", "class_body", "object", "parenthesized_expression", "expression_statement", "call_expression", "arguments",
    "interface_body", "statement_block"
  ],
  wraps: ["export_statement", "lexical_declaration", "variable_declaration", "ambient_declaration"],
  comments: ["comment"],
  marks: ["decorator"],
  tidy: [[/\s+/g, ""], [/^module\.exports$/, "exports"], [/^(?:module\.exports|exports|this)\./, ""], [/\.prototype\b/g, ""], [/^(["'])(.*)\1$/s, "$2"]]
}

export const ecmascript: ReadonlyArray<Language> = [
  // A file that does not parse may have types after all (Flow's are much like TypeScript's).
  {
    ...typescript,
    declares: { ...typed, field_definition: { ...field, name: "property" } },
    name: "JavaScript",
    grammar: "javascript",
    extensions: [".js", ".mjs", ".cjs", ".jsx"],
    interpreters: ["node", "bun"],
    retry: "tsx"
  },
  typescript,
  { ...typescript, name: "TSX", grammar: "tsx", extensions: [".tsx"], interpreters: [] }
]
