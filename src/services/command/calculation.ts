/** What a variable holds as a number, null where that is not known. */
type LookUp = (name: string) => number | null

const token = /\s*(?:(\d+)|([A-Za-z_]\w*)|([-+*/%()]))/y
const plain = /^(?:0|[1-9]\d{0,8})$/

const operand = /\s*(?:(\d+)|([A-Za-z_]\w*))/y
const operator = /\s*(<<|>>|<=|>=|==|!=|&&|\|\||[-+*<>&|^](?!=))/y
const assignment = /\s*(?:[-+*&|^]|<<|>>)?=(?!=)/y
const sign = /\s*(?:\+\+|--|[-+!~])/y
const step = /\s*(?:\+\+|--)/y
const opening = /\s*\(/y
const closing = /\s*\)/y
const comma = /\s*,/y

/** Whether a sum surely can be done, whatever numbers its variables hold: it is well-formed, and nothing in it divides. */
export const isSteady = (text: string, isNumber: (name: string) => boolean): boolean => {
  let at = 0
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at
    const found = pattern.exec(text)
    if (found !== null) at = pattern.lastIndex
    return found
  }
  let depth = 0
  for (let first = true; ;) {
    let signed = false
    while (take(sign) !== null) signed = true
    if (take(opening) !== null) {
      depth++
      first = true
      continue
    }
    const [, digits, name = ""] = take(operand) ?? []
    if (digits === undefined ? !isNumber(name) : !plain.test(digits)) return false
    if (digits === undefined && !signed && first && take(assignment) !== null) continue
    if (digits === undefined && !signed) take(step)
    while (depth > 0 && take(closing) !== null) depth--
    first = take(comma) !== null
    if (!first && take(operator) === null) return depth === 0 && text.slice(at).trim() === ""
  }
}

/** Sums of whole numbers, as far as they can be done beforehand: null for all else. */
export const calculate = (text: string, lookUp: LookUp): number | null => {
  let at = 0
  const next = (): RegExpExecArray | null => {
    token.lastIndex = at
    return token.exec(text)
  }
  const take = (signs: string): string | null => {
    const sign = next()?.[3]
    if (sign === undefined || !signs.includes(sign)) return null
    at = token.lastIndex
    return sign
  }
  const unit = (depth: number): number | null => {
    if (depth > 20) return null
    const minus = take("-")
    if (minus !== null) {
      const value = unit(depth + 1)
      return value === null ? null : -value
    }
    if (take("(") !== null) {
      const value = sum(depth + 1)
      return take(")") === null ? null : value
    }
    const found = next()
    if (found === null || found[3] !== undefined) return null
    at = token.lastIndex
    const [, digits, name = ""] = found
    return digits === undefined ? lookUp(name) : plain.test(digits) ? Number(digits) : null
  }
  const chain = (signs: string, part: (depth: number) => number | null, depth: number): number | null => {
    let left = part(depth)
    for (let sign = take(signs); sign !== null; sign = take(signs)) {
      const right = part(depth)
      if (left === null || right === null || (right === 0 && "/%".includes(sign))) return null
      left = sign === "+" ? left + right : sign === "-" ? left - right : sign === "*" ? left * right : sign === "/" ? Math.trunc(left / right) : left % right
    }
    return left
  }
  const product = (depth: number) => chain("*/%", unit, depth)
  const sum = (depth: number): number | null => chain("+-", product, depth)
  const value = sum(0)
  return value !== null && Number.isSafeInteger(value) && text.slice(at).trim() === "" ? value : null
}
