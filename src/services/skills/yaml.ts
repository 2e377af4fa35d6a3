import { YAMLParseError, parse } from "yaml"
import * as Either from "effect/Either"

/**
 * Left: what the parser says of the text, its first line. Imported where it is needed; the package itself cannot be, since a bundled
 * CommonJS package has no named exports for `import()`.
 */
export const parseYaml = (text: string): Either.Either<unknown, string> => {
  try {
    return Either.right(parse(text))
  } catch (cause) {
    if (cause instanceof YAMLParseError) return Either.left((cause.message.split("\n")[0] ?? "").replace(/:$/, ""))
    throw cause
  }
}
