// Writes docs/api.md from the docstrings of what the package exports. `--check` says on stderr what is out of date or undocumented.
import { readFileSync, writeFileSync } from "node:fs"
import { relative } from "node:path"
import ts from "typescript"

const page = "docs/api.md"
const entries = [["shiro-neko", "src/index.ts"], ["shiro-neko/testing", "src/testing.ts"]]
/** A signature longer than this is cut: the types are in the editor. */
const longest = 240

const config = ts.getParsedCommandLineOfConfigFile("tsconfig.json", {}, { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => {} })
const program = ts.createProgram(entries.map(([, file]) => file), { ...config.options, noEmit: true })
const checker = program.getTypeChecker()

const real = (symbol) => symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
const oneLine = (text) => text.replace(/import\("[^"]*"\)\./g, "").replace(/\s+/g, " ").trim()
const short = (text) => text.length <= longest ? text : `${text.slice(0, longest).trimEnd()} …`

/** The doc comment, without its indentation. */
const docOf = (symbol) => ts.displayPartsToString(symbol.getDocumentationComment(checker)).replace(/\s*\n\s*/g, " ").trim()

const typeFlags = ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.UseAliasDefinedOutsideCurrentScope | ts.TypeFormatFlags.OmitParameterModifiers
const signature = (symbol) => {
  const [declaration] = symbol.declarations ?? []
  if (declaration === undefined) return ""
  if (ts.isClassDeclaration(declaration)) {
    const heritage = declaration.heritageClauses?.[0]?.types[0]?.getText() ?? ""
    return `class ${symbol.name}${/TaggedError/.test(heritage) ? " (an error)" : /Context\.Tag\(/.test(heritage) ? " (a service)" : ""}`
  }
  if (ts.isInterfaceDeclaration(declaration)) {
    return `interface ${symbol.name} { ${declaration.members.map((member) => member.name?.getText() ?? "").filter((name) => name !== "").join(", ")} }`
  }
  if (ts.isTypeAliasDeclaration(declaration)) return short(oneLine(`type ${symbol.name} = ${declaration.type.getText().replace(/\/\*\*[^]*?\*\//g, "")}`))
  // schemas are long and say less than their name
  if (/^(AgentEvent|ConfigFile|Change)$/.test(symbol.name)) return `schema ${symbol.name}`
  return short(oneLine(checker.typeToString(checker.getTypeOfSymbolAtLocation(symbol, declaration), undefined, typeFlags)))
}

/** What a service can do, each with its docstring. */
const membersOf = (symbol) => {
  const [declaration] = symbol.declarations ?? []
  if (declaration === undefined || !ts.isClassDeclaration(declaration)) return []
  const call = declaration.heritageClauses?.[0]?.types[0]
  const shape = call?.expression && ts.isCallExpression(call.expression) ? call.expression.typeArguments?.[1] : undefined
  const own = shape ?? call?.typeArguments?.[1]
  return own === undefined || !ts.isTypeLiteralNode(own)
    ? []
    : own.members.flatMap((member) => {
      const named = member.name === undefined ? undefined : checker.getSymbolAtLocation(member.name)
      return named === undefined ? [] : [{ name: named.name, type: short(oneLine(member.type?.getText().replace(/\/\*\*[^]*?\*\//g, "") ?? "")), doc: docOf(named) }]
    })
}

const undocumented = []
const entry = (symbol, prefix = "") => {
  const target = real(symbol)
  const doc = docOf(target) || docOf(symbol)
  const name = `${prefix}${symbol.name}`
  if (doc === "") undocumented.push(`${name} (${relative(".", target.declarations?.[0]?.getSourceFile().fileName ?? "")})`)
  const members = membersOf(target).map((member) => `- \`${member.name}: ${member.type}\`${member.doc === "" ? "" : `: ${member.doc}`}`)
  return [`### ${name}`, "", `\`${signature(target)}\``, "", doc, ...(members.length === 0 ? [] : ["", ...members]), ""].join("\n")
}

const exportsOf = (file) => {
  const module = checker.getSymbolAtLocation(program.getSourceFile(file))
  return checker.getExportsOfModule(module).toSorted((a, b) => a.name < b.name ? -1 : 1)
}
const isModule = (symbol) => (real(symbol).flags & ts.SymbolFlags.ValueModule) !== 0
const section = ([name, file]) => {
  const all = exportsOf(file)
  return [
    `## ${name}`,
    "",
    ...all.filter(isModule).flatMap((module) => checker.getExportsOfModule(real(module)).map((symbol) => entry(symbol, `${module.name}.`))),
    ...all.filter((symbol) => !isModule(symbol)).map((symbol) => entry(symbol))
  ].join("\n")
}

const text = `# API reference

<!-- written by scripts/apiReference.mjs from the docstrings; not by hand -->
What \`shiro-neko\` and \`shiro-neko/testing\` export. [Embedding](embedding.md) shows how it goes together. Signatures are cut where they are long; your editor shows them whole.

${entries.map(section).join("\n")}`.trimEnd() + "\n"

if (process.argv.includes("--check")) {
  for (const name of undocumented) console.error(`no docstring: ${name}`)
  const current = readFileSync(page, "utf8") === text
  if (!current) console.error(`${page} is out of date: node scripts/apiReference.mjs`)
  process.exit(undocumented.length > 0 || !current ? 1 : 0)
}
writeFileSync(page, text)
for (const name of undocumented) console.error(`no docstring: ${name}`)
