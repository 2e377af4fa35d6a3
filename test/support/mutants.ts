/** A small generator of pseudo-random numbers (mulberry32), so that a seed names a run. */
export const randomFrom = (seed: number) => {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
  return {
    below: (limit: number) => Math.floor(next() * limit),
    of: <A>(items: ReadonlyArray<A>, otherwise: A): A => items[Math.floor(next() * items.length)] ?? otherwise
  }
}
type Random = ReturnType<typeof randomFrom>

const pieces = [
  " ", "\t", "\n", ";", "&", "|", "&&", "||", "(", ")", "{ ", " }", "'", "\"", "\\", "`", "$", "$(", "${", "}", "$((", "))", "<", ">", "<<", "<<<", "<(", ">(", "2>&1", "&>", ">|", "#", " # ", "!", "! ", "*", "?", "[", "]", "[[ ", " ]]", "~", "=", "+=", ",",
  "{a,b}", "{1..3}", "\\\n", "$x", "${x}", "${x:-a}", "\"$x\"", "$@", "\"$@\"", "$1", "$'\\n'", "$'a\\x41'", "$\"a\"", "-", "--", " if ", " then ", " else ", " fi", " do ", " done", "for x in a b; do ", "while ", "until ", "case a in a) ", " esac", ";;", "function f { ", "f() { ", "time ", "coproc ", "eval ", "exec ", "command ", "builtin ",
  "env ", "nohup ", "nice ", "xargs ", "find . -exec ", " \\;", " {} ", "bash -c ", "sh -c ", "trap ", "alias a=", "export x=", "local ", "declare ", "read x", "set -- a b; ", "shift; ", "x=git ", "x=rm; ", "a=(b c); ", "${a[@]}", "<<EOF\n", "\nEOF\n", "$?", "$#", "$$", "$_", "cd src; ", " EXIT", "\r", "\0", "é", "\u00a0", "echo ", "printf '%s' ", "cat ", ". ", "source ", "unset x; "
]

const at = (random: Random, text: string) => random.below(text.length + 1)

type Mutation = (random: Random, line: string, other: string) => string
const wrapped = (before: string, after: string): Mutation => (_random, line) => `${before}${line}${after}`
const quoted = (line: string) => `'${line.replaceAll("'", "'\\''")}'`
const mutations: ReadonlyArray<Mutation> = [
  (random, line) => {
    const place = at(random, line)
    return line.slice(0, place) + random.of(pieces, "") + line.slice(place)
  },
  (random, line) => {
    const place = at(random, line)
    return line.slice(0, place) + line.slice(place + 1 + random.below(3))
  },
  (random, line) => {
    const place = at(random, line)
    return line.slice(0, place) + random.of(pieces, "") + line.slice(place + 1)
  },
  (random, line) => {
    const words = line.split(" ")
    const one = random.below(words.length)
    const two = random.below(words.length)
    return words.map((word, index) => index === one ? words[two] ?? "" : index === two ? words[one] ?? "" : word).join(" ")
  },
  (random, line, other) => line.slice(0, at(random, line)) + other.slice(at(random, other)),
  (random, line, other) => `${line}${random.of([" && ", "; ", " | ", "\n", " & ", " || "], ";")}${other}`,
  (random, line) => {
    const words = line.split(" ")
    const one = random.below(words.length)
    return words.map((word, index) => index === one ? random.of([`"${word}"`, `'${word}'`, `\\${word}`, `$(echo ${word})`, `\`echo ${word}\``, `{${word},a}`, `$'${word}'`, `${word}""`, `\${z}${word}`, `"$(printf ${word})"`], word) : word).join(" ")
  },
  (_random, line) => `bash -c ${quoted(line)}`,
  (_random, line) => `eval ${quoted(line)}`,
  (_random, line) => `echo ${quoted(line)} | sh`,
  (_random, line) => `x=${quoted(line)}; eval "$x"`,
  (_random, line) => `x=${quoted(line)}; $x`,
  (_random, line) => `trap ${quoted(line)} EXIT`,
  (_random, line) => `env ${line}`,
  (_random, line) => `f() {\n${line}\n}; f a b`,
  (_random, line) => `bash <<'EOF'\n${line}\nEOF`,
  (_random, line) => `cat <<EOF\n${line}\nEOF`,
  wrapped("$(", ")"),
  wrapped("echo \"$(", ")\""),
  wrapped("`", "`"),
  wrapped("( ", " )"),
  wrapped("{ ", "; }"),
  wrapped("! ", ""),
  wrapped("if ", "; then a; fi"),
  wrapped("for x in git rm; do ", "; done"),
  wrapped("case x in x) ", ";; esac"),
  wrapped("x=git; ", ""),
  wrapped("cat <(", ")"),
  wrapped("\"", "\"")
]

/** `count` lines that are variations of the given ones; the same for the same seed. */
export const mutants = (lines: ReadonlyArray<string>, count: number, seed: number): ReadonlyArray<string> => {
  const random = randomFrom(seed)
  return Array.from({ length: count }, () => {
    let line = random.of(lines, "")
    for (let times = 1 + random.below(3); times > 0; times--) {
      line = random.of(mutations, mutations[0] ?? ((_random, same) => same))(random, line, random.of(lines, ""))
    }
    return line.slice(0, 2_000)
  })
}
