import * as Args from "@effect/cli/Args"
import * as CliConfig from "@effect/cli/CliConfig"
import * as Command from "@effect/cli/Command"
import * as Descriptor from "@effect/cli/CommandDescriptor"
import * as Options from "@effect/cli/Options"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as ValidationError from "@effect/cli/ValidationError"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Ref from "effect/Ref"
import type { Fault } from "../services/Fault.js"
import type { Line } from "./argv.js"
import { UsageError } from "./argv.js"
import { withoutEscapes } from "../tools/text/escapes.js"
import type { Flag, Usage } from "./usage.js"
import { root } from "./usage.js"
import { version } from "../version.js"

/** `--help`, `--version`, completions and the wizard as `@effect/cli` gives them, from the same table that the reader uses. */

const optionOf = (flag: Flag): Options.Options<unknown> => {
  const plain: Options.Options<unknown> = flag.choices !== undefined
    ? Options.optional(Options.choice(flag.name, flag.choices))
    : flag.value === undefined
    ? Options.boolean(flag.name)
    : flag.value === "count"
    ? Options.optional(Options.integer(flag.name))
    : flag.value === "amount"
    ? Options.optional(Options.float(flag.name))
    : Options.optional(Options.text(flag.name))
  const described = Options.withDescription(plain, flag.about)
  return flag.short === undefined ? described : Options.withAlias(described, flag.short)
}

const optionsOf = (usage: Usage) => Options.all(usage.flags.map(optionOf))
const argsOf = (usage: Usage) =>
  Args.all(usage.positionals.map(({ name, optional }): Args.Args<unknown> => optional ? Args.optional(Args.text({ name })) : Args.text({ name })))

/** The line that was parsed or put together by the wizard, as the strict reader would have given it. */
type Read = Line & { readonly name: string }

const valueOf = (value: unknown): string | true | null =>
  Option.isOption(value) ? Option.isSome(value) ? String(value.value) : null : value === true ? true : null

const lineOf = (usage: Usage, command: ReadonlyArray<string>, options: ReadonlyArray<unknown>, args: ReadonlyArray<unknown>): Read => ({
  name: usage.name,
  command,
  usage,
  flags: new Map(usage.flags.flatMap((flag, index) => {
    const value = valueOf(options[index])
    return value === null ? [] : [[flag.name, value] as const]
  })),
  positionals: args.flatMap((value) => {
    const text = typeof value === "string" ? value : valueOf(value)
    return typeof text === "string" ? [text] : []
  })
})

const descriptorOf = (usage: Usage, command: ReadonlyArray<string> = []): Descriptor.Command<Read> => {
  const own = Descriptor.make(usage.name, optionsOf(usage), argsOf(usage)).pipe(
    Descriptor.withDescription(usage.about),
    Descriptor.map(({ args, options }) => lineOf(usage, command, options, args))
  )
  const [first, ...rest] = (usage.sub ?? []).map((sub) => [sub.name, descriptorOf(sub, [...command, sub.name])] as const)
  return first === undefined
    ? own
    : Descriptor.withSubcommands(own, [first, ...rest]).pipe(
      Descriptor.map(({ subcommand, ...line }) => Option.match(subcommand, { onNone: () => line, onSome: ([, chosen]) => chosen }))
    )
}

/**
 * The command whose help is asked for, and the words that name it. The library's own way to the help of a nested command fails, loses
 * the words in front, and lists sub-commands with every flag, hundreds of columns wide.
 */
const named = (argv: ReadonlyArray<string>) =>
  argv.filter((word) => !word.startsWith("-")).reduce<{ readonly usage: Usage; readonly words: ReadonlyArray<string> }>(({ usage, words }, word) => {
    const sub = usage.sub?.find(({ name }) => name === word)
    return sub === undefined ? { usage, words } : { usage: sub, words: [...words, word] }
  }, { usage: root, words: ["shiro"] })

/** Colours are for a terminal; the library has them always. */
const forReader = <A, E, R>(effect: Effect.Effect<A, E, R>, argv: ReadonlyArray<string>) =>
  process.stdout.isTTY && !process.env["NO_COLOR"] && !argv.includes("--no-color")
    ? effect
    : Console.consoleWith((console) =>
      Effect.withConsole(effect, { ...console, log: (...parts) => console.log(...parts.map((part) => typeof part === "string" ? withoutEscapes(part) : part)) }))

export const help = (argv: ReadonlyArray<string>, dispatch: (line: Line) => Effect.Effect<number, Fault>): Effect.Effect<number, Fault> =>
  Effect.gen(function*() {
    const code = yield* Ref.make(0)
    const own = argv.includes("--") ? argv.slice(0, argv.indexOf("--")) : argv
    const { usage, words } = named(own)
    const asked = own.some((word) => word === "--help" || word === "-h")
    const command = Command.fromDescriptor(
      asked ? descriptorOf({ ...usage, name: words.join(" "), sub: (usage.sub ?? []).map((each) => ({ ...each, flags: [], sub: [] })) }) : descriptorOf(root),
      (line) => Effect.flatMap(dispatch(line), (ended) => Ref.set(code, ended))
    )
    yield* forReader(Command.run(command, { name: "shiro", version })(["node", "shiro", ...asked ? ["--help"] : argv]), own).pipe(
      Effect.catchIf(ValidationError.isValidationError, () => new UsageError({ message: "See shiro --help." }))
    )
    return yield* Ref.get(code)
  }).pipe(
    Effect.provide(CliConfig.layer({ isCaseSensitive: true, showTypes: false })),
    Effect.provide(NodeContext.layer)
  )
