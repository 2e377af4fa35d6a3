import type { Language } from "../language.js"

const python: Language = {
  name: "Python",
  grammar: "python",
  extensions: [".py", ".pyi", ".pyw"],
  interpreters: ["python"],
  announced: true,
  declares: {
    function_definition: { kind: "function", local: true },
    class_definition: { kind: "class" },
    assignment: { kind: "variable", name: "left", leaves: ["identifier"], by: { at: "right", kinds: { lambda: "function" } } },
    type_alias_statement: { kind: "type", name: "left", leaves: ["type"] }
  },
  holds: [
    "module", "block", "if_statement", "elif_clause", "else_clause", "try_statement", "except_clause", "finally_clause",
    "with_statement", "for_statement", "while_statement", "match_statement", "case_clause"
  ],
  wraps: ["decorated_definition", "expression_statement"],
  comments: ["comment"],
  marks: ["decorator"],
  tidy: [[/\s*\[.*$/s, ""]]
}
const ruby: Language = {
  name: "Ruby",
  grammar: "ruby",
  extensions: [".rb", ".rake", ".gemspec", ".ru"],
  files: ["Rakefile", "Gemfile", "Guardfile", "Vagrantfile"],
  interpreters: ["ruby"],
  announced: true,
  declares: {
    module: { kind: "module" },
    class: { kind: "class" },
    method: { kind: "method", local: true },
    singleton_method: { kind: "method", local: true },
    alias: { kind: "method" },
    assignment: { kind: "const", name: "left", leaves: ["constant", "scope_resolution"], body: ["right block"] }
  },
  holds: [
    "program", "body_statement", "singleton_class", "if", "unless", "then", "else", "elsif", "begin", "rescue", "ensure", "do_block", "block",
    "block_body", "call", "argument_list", "if_modifier", "unless_modifier"
  ],
  wraps: [],
  comments: ["comment"],
  marks: [],
  tidy: [[/::/g, "."]]
}
const php: Language = {
  name: "PHP",
  grammar: "php",
  extensions: [".php", ".phtml", ".php5"],
  interpreters: ["php"],
  announced: true,
  declares: {
    namespace_definition: { kind: "namespace" },
    class_declaration: { kind: "class" },
    interface_declaration: { kind: "interface" },
    trait_declaration: { kind: "trait" },
    enum_declaration: { kind: "enum" },
    function_definition: { kind: "function", local: true },
    method_declaration: { kind: "method", local: true },
    property_declaration: { kind: "field", name: "property_element name" },
    const_declaration: { kind: "const", name: "const_element name" }
  },
  holds: ["program", "declaration_list", "enum_declaration_list", "compound_statement", "namespace_definition", "if_statement", "else_clause", "else_if_clause", "colon_block"],
  wraps: [],
  comments: ["comment"],
  marks: ["attribute_list"],
  tidy: [[/^\$/, ""], [/\\/g, "."]]
}
const bash: Language = {
  name: "Bash",
  grammar: "bash",
  extensions: [".sh", ".bash", ".bats", ".ksh"],
  files: [".bashrc", ".bash_profile", ".profile"],
  interpreters: ["bash", "sh", "dash", "ksh"],
  declares: { function_definition: { kind: "function", local: true } },
  holds: ["program", "if_statement", "else_clause", "elif_clause", "compound_statement", "case_statement", "case_item", "list"],
  wraps: [],
  comments: ["comment"],
  marks: []
}
const css: Language = {
  name: "CSS",
  grammar: "css",
  extensions: [".css"],
  plain: true,
  declares: {
    rule_set: { kind: "rule", name: "selectors *", body: ["block"] },
    keyframes_statement: { kind: "keyframes", name: "keyframes_name", body: ["keyframe_block_list"] },
    media_statement: { kind: "media", called: "@media", body: ["block"] },
    supports_statement: { kind: "supports", called: "@supports", body: ["block"] },
    at_rule: { kind: "at-rule", name: "at_keyword", body: ["block"], needs: "block" }
  },
  holds: ["stylesheet", "block"],
  wraps: [],
  comments: ["comment"],
  marks: []
}

export const scripting: ReadonlyArray<Language> = [python, ruby, php, bash, css]
