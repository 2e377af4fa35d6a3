import type { Language } from "./language.js"
import { placesOf } from "./names.js"

/** Words after which a name is declared, in any of the languages. */
const declaring =
  /\b(?:abstract|alias|annotation|async|class|concept|const|constexpr|declare|def|define|delegate|enum|event|fn|func|function|get|impl|inline|interface|internal|let|macro_rules!|mod|module|namespace|operator|override|package|private|protected|public|readonly|record|set|static|struct|trait|type|typedef|union|using|var|virtual)\b/
/** With what the name belongs to, if it says so: `def self.run`, `module a.b`. */
const declaringRightBefore =
  /(?:\b(?:class|concept|def|enum|fn|func|function|impl|interface|mod|module|namespace|struct|trait|type|union)|\bmacro_rules!|#\s*define|\bfunction\s*\*)\s+(?:::)?(?:[\w@]+(?:\.|::))*$/
/** A line that only names what is declared elsewhere. */
const imports = /^\s*(?:import\b|from\s+\S+\s+import\b|export\s*(?:type\s*)?\{|#\s*include\b|(?:pub\s+)?use\s|require\b)/
/** A condition that something is done under. */
const condition = /^\s*(?:\}\s*)?(?:else\s+)?(?:if|while|for|switch|catch)\s*\(.*\)\s*$/
/** A pattern whose names are being declared. */
const pattern = /\b(?:const|let|var)\s*[[{](?!.*[\]}]\s*=)/
/** Words after which a name is used. */
const using =
  /\b(?:and|as|assert|await|case|defer|delete|do|echo|elif|else|elsif|extends|from|go|goto|if|implements|import|in|include|instanceof|is|new|not|of|or|print|raise|require|return|super|then|throw|throws|typeof|unless|until|use|when|while|with|yield)\s+$/
/** What a parameter cannot begin with or hold, but an argument can: literals, member access, calls, operators. */
const argument = /["'`]|\bthis\b|\bnew\b|[\w\])]\.(?!\.)\w|\(|[+/]|=>|(?:^|,)\s*-?\d/

const openBrackets = (before: string): number => {
  let open = 0
  for (const char of before.replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, "")) {
    if (char === "(" || char === "[") open++
    else if ((char === ")" || char === "]") && open > 0) open--
  }
  return open
}

const closingAt = (text: string): number => {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at)
    if (char === "(") depth++
    else if (char === ")" && --depth === 0) return at
  }
  return -1
}

/** `name(…` with nothing before it on its line: a method or constructor, or a call? */
const callLike = (after: string): boolean => {
  const end = closingAt(after)
  if (end === -1) return true
  const rest = after.slice(end + 1).trim()
  if (rest === "" || rest === ";" || rest === ",") return !argument.test(after.slice(after.indexOf("(") + 1, end))
  return /^(?:[{:=&]|=>|->|\w|\/[/*])/.test(rest)
}

const uncommented = (text: string) => text.replace(/\s*(?:\/\/|\/\*|#\s).*$/s, "")
/** `(*name)`, as of a C function pointer, taken off. */
const unwrapped = (before: string, follows: string) => follows.startsWith(")") ? before.replace(/\(\s*(?:\w+\s*)?\*\s*$/, "") : before

const mayDeclareAt = (given: string, rest: string, language: Language): boolean => {
  const after = uncommented(rest)
  const follows = after.trimStart()
  if (declaringRightBefore.test(given) || pattern.test(given)) return true
  const isValue = /^\s*=(?![=>~])/.test(after)
  if (/(?:\.|->)\s*$/.test(given)) return isValue || language.name === "C#"
  const before = unwrapped(given, follows)
  if (follows.startsWith("=>") && language.name === "C#" && /\s$/.test(before) && before.trim() !== "") return !using.test(before)
  if (using.test(before) || condition.test(before) || (/(?:[=+\-/%|!^@`(]|\s\?)\s*$/.test(before) && !(isValue && before.trimEnd().endsWith("=")))) return false
  if (/(?<!:):\s*$/.test(before) || (/::\s*$/.test(before) && language.name !== "C++" && language.name !== "Rust")) return false
  if (/["']$/.test(before)) return /^["']/.test(after)
  if (/^(?:\.|->|::|\?\.|[+\-/%>|~`*&]|&&|==|=>|=~|!=|\]|'|")/.test(follows) || (follows.startsWith(")") && before === given)) return false
  if (openBrackets(before) > 0) return /^\s*(?:\([^()]*\)\s*\{|:\s*(?:async\b|function\b|\(|[\w$]+\s*=>))/.test(after)
  const isAlone = before.trim() === ""
  if (/^[\p{L}\p{N}_$]/u.test(follows)) return declaring.test(before) || (isAlone && language.grouped === true)
  if (follows.startsWith("[")) return !isAlone
  if (!/^(?:<[^()]*>\s*)?\(/.test(follows)) return true
  if (language.announced === true) return declaring.test(before) || (isAlone && language.grouped === true)
  return !isAlone || callLike(follows)
}

/**
 * Whether one line that holds `word` may declare something of that name. True for every function, class, method and
 * type; a variable renamed in a pattern over several lines is overlooked.
 */
export const mayDeclare = (line: string, word: string, language: Language): boolean =>
  language.plain === true || word === "default" || !/^[\p{L}\p{N}_]+$/u.test(word)
  || (!imports.test(line) && placesOf(line, word).some((at) => mayDeclareAt(line.slice(0, at), line.slice(at + word.length), language)))
