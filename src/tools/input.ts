import * as Schema from "effect/Schema"
import * as AST from "effect/SchemaAST"
import { isRecord } from "./records.js"

const takesText = (ast: AST.AST): boolean =>
  AST.isStringKeyword(ast) || AST.isUnknownKeyword(ast) || AST.isAnyKeyword(ast) || AST.isTemplateLiteral(ast)
  || (AST.isLiteral(ast) && typeof ast.literal === "string")
  || (AST.isRefinement(ast) && takesText(ast.from)) || (AST.isTransformation(ast) && takesText(ast.from))
  || (AST.isUnion(ast) && ast.types.some(takesText))

const takesNumber = (ast: AST.AST): boolean =>
  AST.isNumberKeyword(ast) || (AST.isLiteral(ast) && typeof ast.literal === "number")
  || (AST.isRefinement(ast) && takesNumber(ast.from)) || (AST.isTransformation(ast) && takesNumber(ast.from))
  || (AST.isUnion(ast) && ast.types.some(takesNumber))

/** A number written out; neither rounded nor with a sign or zeros that a name or an id could have. */
const asNumber = (text: string): number | null => {
  const trimmed = text.trim()
  if (!/^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(trimmed)) return null
  const value = Number(trimmed)
  return Number.isSafeInteger(value) || trimmed.includes(".") ? value : null
}

const fits = (ast: AST.AST, value: unknown): boolean =>
  Schema.is(Schema.make(AST.encodedAST(ast)), { onExcessProperty: "error" })(value)

const prepare = (ast: AST.AST, value: unknown): unknown => {
  if (typeof value === "string") {
    return takesNumber(ast) && !takesText(ast) ? asNumber(value) ?? value : value
  }
  if (AST.isTransformation(ast) || AST.isRefinement(ast)) return prepare(ast.from, value)
  if (AST.isSuspend(ast)) return prepare(ast.f(), value)
  if (AST.isUnion(ast)) {
    // The first member that takes the value as prepared for it; none: decoding says what is wrong with it as it came.
    for (const type of ast.types) {
      const prepared = prepare(type, value)
      if (fits(type, prepared)) return prepared
    }
    return value
  }
  if (AST.isTupleType(ast) && Array.isArray(value)) {
    const rest = ast.rest[0]
    return value.map((each: unknown, index) => {
      const type = ast.elements[index]?.type ?? rest?.type
      return type === undefined ? each : prepare(type, each)
    })
  }
  return AST.isTypeLiteral(ast) && isRecord(value) ? prepareKeys(ast, value) : value
}

const prepareKeys = (ast: AST.TypeLiteral, value: Readonly<Record<string, unknown>>): unknown => {
  const known = new Map(ast.propertySignatures.map((signature) => [signature.name, signature]))
  const others = ast.indexSignatures[0]
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, each]): ReadonlyArray<readonly [string, unknown]> => {
      const signature = known.get(key)
      if (signature === undefined) return [[key, others === undefined ? each : prepare(others.type, each)]]
      return each === null && signature.isOptional ? [] : [[key, prepare(signature.type, each)]]
    })
  )
}

/**
 * What models send and mean (quality.md, Input): `null` under an optional key is absent, a number given as text is a
 * number where nothing else could be meant. Everything else is left for decoding to judge.
 */
export const prepareInput = <In, I>(input: Schema.Schema<In, I>, raw: unknown): unknown => prepare(input.ast, raw)
