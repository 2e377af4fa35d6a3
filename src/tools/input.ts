import type * as Schema from "effect/Schema"
import * as AST from "effect/SchemaAST"

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const takesText = (ast: AST.AST): boolean =>
  AST.isStringKeyword(ast) || AST.isUnknownKeyword(ast) || AST.isTemplateLiteral(ast)
  || (AST.isLiteral(ast) && typeof ast.literal === "string")
  || (AST.isRefinement(ast) && takesText(ast.from))
  || (AST.isUnion(ast) && ast.types.some(takesText))

const takesNumber = (ast: AST.AST): boolean =>
  AST.isNumberKeyword(ast) || (AST.isRefinement(ast) && takesNumber(ast.from))
  || (AST.isUnion(ast) && ast.types.some(takesNumber))

const prepare = (ast: AST.AST, value: unknown): unknown => {
  if (AST.isTransformation(ast)) return prepare(ast.from, value)
  if (typeof value === "string") {
    return takesNumber(ast) && !takesText(ast) && /^-?\d+(\.\d+)?$/.test(value.trim()) ? Number(value) : value
  }
  if (AST.isRefinement(ast)) return prepare(ast.from, value)
  if (AST.isTupleType(ast) && Array.isArray(value)) {
    const item = ast.rest[0]
    return item === undefined ? value : value.map((each: unknown) => prepare(item.type, each))
  }
  if (!AST.isTypeLiteral(ast) || !isRecord(value)) return value
  const known = new Map(ast.propertySignatures.map((signature) => [signature.name, signature]))
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, each]): ReadonlyArray<readonly [string, unknown]> => {
      const signature = known.get(key)
      if (signature === undefined) return [[key, each]]
      return each === null && signature.isOptional ? [] : [[key, prepare(signature.type, each)]]
    })
  )
}

/**
 * What models send and mean (quality.md, Input): `null` under an optional key is absent, a number given as text is a
 * number where nothing else could be meant. Everything else is left for decoding to judge.
 */
export const prepareInput = <In, I>(input: Schema.Schema<In, I>, raw: unknown): unknown => prepare(input.ast, raw)
