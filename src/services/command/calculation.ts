/** What a variable holds as a number, null where that is not known. */
type LookUp = (name: string) => number | null

const token = /\s*(?:(\d+)|([A-Za-z_]\w*)|([-+*/%()]))/y
const plain = /^(?:0|[1-9]\d{0,8})$/

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
