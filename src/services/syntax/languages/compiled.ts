import type { Declares, Language } from "../language.js"

const go: Language = {
  name: "Go",
  grammar: "go",
  extensions: [".go"],
  announced: true,
  grouped: true,
  declares: {
    function_declaration: { kind: "function", local: true },
    method_declaration: {
      kind: "method",
      local: true,
      owner: { at: "receiver", pattern: /([\p{L}\p{N}_]+)\s*(?:\[[^\]]*\])?\s*,?\s*\)$/u }
    },
    type_spec: {
      kind: "type",
      by: { at: "type", kinds: { struct_type: "struct", interface_type: "interface" } },
      body: ["type field_declaration_list"]
    },
    type_alias: { kind: "type" },
    method_elem: { kind: "method" },
    const_spec: { kind: "*" },
    var_spec: { kind: "*", by: { at: "value func_literal", kinds: { func_literal: "function" } }, body: ["value func_literal body"] }
  },
  holds: ["source_file", "interface_type", "var_spec_list"],
  wraps: ["type_declaration", "const_declaration", "var_declaration"],
  comments: ["comment"],
  marks: []
}

const rust: Language = {
  name: "Rust",
  grammar: "rust",
  extensions: [".rs"],
  interpreters: ["rust-script"],
  announced: true,
  declares: {
    function_item: { kind: "function", local: true },
    function_signature_item: { kind: "function" },
    struct_item: { kind: "struct" },
    enum_item: { kind: "enum" },
    union_item: { kind: "union" },
    trait_item: { kind: "trait" },
    impl_item: { kind: "impl", name: "type", adds: true },
    mod_item: { kind: "mod" },
    macro_definition: { kind: "macro", local: true, body: ["macro_rule"] },
    const_item: { kind: "const" },
    static_item: { kind: "static" },
    type_item: { kind: "type" },
    associated_type: { kind: "type" }
  },
  holds: ["source_file", "declaration_list", "foreign_mod_item"],
  wraps: [],
  comments: ["line_comment", "block_comment"],
  marks: ["attribute_item"],
  tidy: [[/^(?:&\s*)?(?:'\w+\s+)?(?:mut\s+)?(?:dyn\s+)?/, ""], [/<.*$/s, ""], [/^.*::\s*/s, ""], [/^r#/, ""]]
}

const java: Language = {
  name: "Java",
  grammar: "java",
  extensions: [".java"],
  declares: {
    class_declaration: { kind: "class" },
    interface_declaration: { kind: "interface" },
    enum_declaration: { kind: "enum" },
    record_declaration: { kind: "record" },
    annotation_type_declaration: { kind: "annotation" },
    method_declaration: { kind: "method", local: true },
    constructor_declaration: { kind: "constructor", local: true },
    compact_constructor_declaration: { kind: "constructor", local: true },
    annotation_type_element_declaration: { kind: "method" },
    field_declaration: { kind: "field", name: "declarator name" },
    constant_declaration: { kind: "const", name: "declarator name" },
    module_declaration: { kind: "module" }
  },
  holds: ["program", "class_body", "interface_body", "enum_body", "enum_body_declarations", "annotation_type_body"],
  wraps: [],
  comments: ["line_comment", "block_comment"],
  marks: ["annotation", "marker_annotation"]
}

const csharp: Language = {
  name: "C#",
  grammar: "c-sharp",
  extensions: [".cs", ".csx"],
  declares: {
    namespace_declaration: { kind: "namespace" },
    file_scoped_namespace_declaration: { kind: "namespace" },
    class_declaration: { kind: "class" },
    struct_declaration: { kind: "struct" },
    interface_declaration: { kind: "interface" },
    enum_declaration: { kind: "enum" },
    record_declaration: { kind: "record" },
    delegate_declaration: { kind: "delegate" },
    method_declaration: { kind: "method", local: true },
    local_function_statement: { kind: "function", local: true },
    constructor_declaration: { kind: "constructor", local: true },
    destructor_declaration: { kind: "destructor", local: true, before: "~" },
    operator_declaration: { kind: "method", local: true, name: "operator", before: "operator " },
    conversion_operator_declaration: { kind: "method", local: true, name: "type", before: "operator " },
    indexer_declaration: { kind: "property", local: true, called: "this[]", body: ["accessors"] },
    property_declaration: { kind: "property", local: true, body: ["accessors", "value"] },
    event_declaration: { kind: "event", local: true, body: ["accessors"] },
    event_field_declaration: { kind: "event", name: "variable_declaration variable_declarator name" },
    field_declaration: { kind: "field", name: "variable_declaration variable_declarator name" }
  },
  holds: ["compilation_unit", "declaration_list", "preproc_if", "preproc_else", "preproc_elif", "preproc_region"],
  wraps: ["global_statement"],
  comments: ["comment"],
  marks: ["attribute_list"],
  // Conditions in the middle of a class's heading.
  blank: [/^[ \t]*#[ \t]*(?:if|elif|else|endif|region|endregion|pragma|nullable)\b.*$/gm]
}

const called: Declares = { kind: "function", name: "declarator+", local: true, body: ["body", "field_initializer_list"] }
const cpp: Language = {
  name: "C++",
  grammar: "cpp",
  extensions: [".cpp", ".cc", ".cxx", ".c++", ".hpp", ".hh", ".hxx", ".h++", ".h", ".c", ".inl", ".ipp", ".tpp", ".cu", ".cuh", ".ino"],
  declares: {
    function_definition: called,
    declaration: {
      kind: "variable",
      name: "declarator+",
      by: { at: "^", kinds: { function_declarator: "function" } },
      transparent: true
    },
    field_declaration: {
      kind: "field",
      name: "declarator+",
      by: { at: "^", kinds: { function_declarator: "function" } },
      transparent: true
    },
    type_definition: {
      kind: "type",
      name: "declarator+",
      by: { at: "type", kinds: { struct_specifier: "struct", union_specifier: "union", enum_specifier: "enum" } },
      body: ["type body"],
      transparent: true
    },
    class_specifier: { kind: "class", needs: "body" },
    struct_specifier: { kind: "struct", needs: "body" },
    union_specifier: { kind: "union", needs: "body" },
    enum_specifier: { kind: "enum", needs: "body" },
    namespace_definition: { kind: "namespace" },
    namespace_alias_definition: { kind: "namespace" },
    alias_declaration: { kind: "type" },
    concept_definition: { kind: "concept" },
    preproc_def: { kind: "macro", body: [] },
    preproc_function_def: { kind: "macro", body: ["value"] }
  },
  holds: [
    "translation_unit", "declaration_list", "field_declaration_list", "linkage_specification", "friend_declaration", "namespace_definition",
    "preproc_ifdef", "preproc_if", "preproc_else", "preproc_elif", "preproc_elifdef"
  ],
  wraps: ["template_declaration"],
  comments: ["comment"],
  marks: ["attribute_declaration"],
  around: ["reference_declarator", "parenthesized_declarator", "attributed_declarator", "variadic_declarator"],
  whole: ["operator_cast"],
  reserved: /^(?:if|else|for|while|do|switch|case|return|sizeof|void|bool|char|int|long|short|float|double|signed|unsigned|auto|const|static)$/,
  tidy: [
    [/<[^<>]*>(?=::)/g, ""],
    [/<[^<>]*(?:<[^<>]*>[^<>]*)*>(?=::)/g, ""],
    [/^(?!.*\boperator\b)([^<]+)<.*>$/s, "$1"],
    [/(\boperator\s*[\w:]+[^(]*)\(.*$/s, "$1"],
    [/\s*::\s*/g, "."],
    // What is left of a macro that the grammar took for a type.
    [/^(?!.*\boperator\b).*\s(?=[\w.~]+$)/s, ""]
  ],
  // Conditions; macros: alone on a line, before a declaration, between `class` and its name.
  blank: [
    /^[ \t]*#[ \t]*(?:if|ifdef|ifndef|elif|else|endif|pragma|error|warning)\b(?:.*\\\r?\n)*.*$/gm,
    /^[ \t]*[A-Z][A-Z0-9_]{3,}(?:\([^()\n]*\))?[ \t]*$/gm,
    /(?<=^[ \t]*(?:[a-z]+[ \t]+)*)[A-Z][A-Z0-9_]*_[A-Z0-9_]+(?:\([^()\n]*\))?(?=[ \t]+[A-Za-z_])/gm,
    /(?<=\b(?:class|struct|union|enum)\s+)[A-Z][A-Z0-9_]+(?:\([^()\n]*\))?(?=\s+[A-Za-z_][\w:]*\s*(?:final\s*)?[:{])/g
  ]
}

export const compiled: ReadonlyArray<Language> = [go, rust, java, csharp, cpp]
