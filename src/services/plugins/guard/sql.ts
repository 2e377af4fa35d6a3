import { hole } from "../../Commands.js"
import { parseOptions } from "../../command/options.js"
import { ask, type Finding, firstOf, refuse, type Rule, type Suspect } from "./finding.js"

const clients = /^(?:psql|pgcli|mysql|mariadb|mycli|mysqlsh|sqlite3?|sqlite3-.*|litecli|duckdb|clickhouse(?:-client|-local)?|cqlsh|sqlcmd|mssql-cli|bq|snowsql|usql|isql|sqlplus|cockroach|trino|presto|hive|beeline|impala-shell|spark-sql|wp|drush|prisma|supabase|wrangler|turso|libsql|osqueryi|dbmate|ysqlsh|vsql|db2|tsql|fisql|athenacli|ksql|steampipe)$/

/** Comments and texts taken out, so that only what is executed is left; a body in `$$` is code. */
const bare = (text: string): string =>
  text.replace(/\/\*!\d*([^]*?)\*\//g, " $1 ").replace(/\/\*[^]*?\*\//g, " ").replace(/--[^\n]*|^\s*#[^\n]*/gm, " ").replace(/\$(\w*)\$/g, " ; ")
    .replace(/'(?:[^']|'')*'/g, "''")

const lead = String.raw`(?:explain\s+(?:analyze\s+)?|begin\s+(?!work|transaction)|with\s[^;]*\)\s*(?=drop|truncate|delete)|do\s+|then\s+|else\s+)*`
const statement = (pattern: string) => new RegExp(`^[\\s(]*${lead}${pattern}`, "i")
const dropTable = statement(String.raw`drop\s+(?:foreign\s+)?table\b`)
const truncate = statement(String.raw`truncate\b(?!\s*\()`)
const dropMore = statement(String.raw`drop\s+(?:database|schema|owned|tablespace|keyspace)\b`)
const deletes = statement(String.raw`delete\s+from\b`)
const dynamic = /\b(?:execute\s+immediate|prepare\s+\w+\s+from|sp_executesql|exec(?:ute)?\s*\(?)\s*N?'((?:[^']|'')*)'/gi

const dropped = (what: string) => refuse(`${what} handed to a database`, "the data is lost")
const judged = (text: string): Finding | null => {
  for (const part of bare(text).split(/;|\\g\b|^\s*go\s*$/im)) {
    if (dropTable.test(part)) return dropped("DROP TABLE")
    if (truncate.test(part)) return dropped("TRUNCATE")
    if (dropMore.test(part)) return ask("dropping a database or schema", "all of its data is lost")
    if (deletes.test(part) && !/\bwhere\b/i.test(part)) return ask("DELETE without WHERE", "every row is removed")
  }
  for (const [, inner] of text.matchAll(dynamic)) {
    const found = judged((inner ?? "").replaceAll("''", "'"))
    if (found !== null) return found
  }
  return null
}
/** What an argument hands over: itself, or what is attached to its option. */
const handed = (text: string) => text.replace(/^(?:--?[A-Za-z][\w-]*=|-[A-Za-z](?=\s*\S*\s))/, "")

const textsOf = ({ simple, texts }: Suspect): ReadonlyArray<string> =>
  [...texts.filter((text) => /\s|\/\*/.test(text)).map(handed), ...simple.words.flatMap(({ contents }) => contents?.text ?? []), ...simple.input.given && simple.input.text !== null ? [simple.input.text] : []]

const sqlClient: Rule = (suspect) => {
  const { name, texts } = suspect
  const shells = texts.some((text) => /^(?:pg:psql|dbshell|dbconsole)$/.test(text)) || (/^(?:rails|rake)$/.test(name) && texts[0] === "db") || (name === "aws" && texts[0] === "athena")
  if (!shells && !clients.test(name)) return null
  // Words that were not quoted make one statement in some clients, and none in others: both are looked at.
  const findings = [...textsOf(suspect), suspect.texts.filter((text) => !text.startsWith("-")).join(" ").replace(/^\S+\s+(?=(?:drop|truncate|delete)\s)/i, "")].map(judged)
  return findings.find((found) => found?.say === "refuse") ?? findings.find((found) => found !== null) ?? null
}
const mongo: Rule = (suspect) => {
  if (!/^mongo(?:sh)?$/.test(suspect.name)) return null
  const code = [...suspect.texts, suspect.simple.input.text ?? ""].join("\n").replaceAll(hole, "")
  if (/\.dropDatabase\s*\(/.test(code)) return ask("dropping a database", "all of its data is lost")
  if (/\.drop\s*\(/.test(code)) return dropped("dropping a collection")
  return /\.(?:deleteMany|remove)\s*\(\s*(?:\{\s*\})?\s*\)/.test(code) ? ask("removing every document", "all of them are lost") : null
}
const redis: Rule = ({ args, name, simple }) => {
  if (!/^(?:redis|valkey|keydb)-cli$/.test(name)) return null
  const [command] = parseOptions(args, { short: "hpsaurniDx", long: ["--user", "--pass", "--cert", "--key", "--cacert"], posix: true }).others
  const lines = simple.input.text?.split("\n") ?? []
  const script = /^eval/i.test(command?.text ?? "") && args.some(({ text }) => /\bflush(?:all|db)\b/i.test(text))
  return script || [command?.text ?? "", ...lines].some((line) => /^\s*flush(?:all|db)\b/i.test(line)) ? ask("FLUSHALL or FLUSHDB", "all keys are lost") : null
}
const tools: Rule = ({ name: program, texts }) => {
  const script = /^(?:python[\d.]*|php|ruby|node)$/.test(program) ? texts.find((text) => !text.startsWith("-"))?.replace(/^[^]*\//, "") : undefined
  const name = script ?? program
  const line = texts.join(" ")
  if (name === "dropdb") return texts.some((text) => text === "--help") ? null : ask("dropdb", "all of its data is lost")
  if (name === "mysqladmin" && /\bdrop\b/.test(line)) return ask("mysqladmin drop", "all of its data is lost")
  const resets = /^(?:prisma\s+)?(?:migrate reset|db push .*--force-reset)|^db reset\b|\bdb:(?:drop|reset|purge|wipe)\b|\bmigrate:(?:fresh|reset)\b|^flush\b.*--no-?input|database:drop\b/
  return /^(?:prisma|supabase|rails|rake|artisan|php|sequelize|sequelize-cli|knex|typeorm|doctrine|hasura|manage\.py|django-admin)$/.test(name) && resets.test(line.replace(/^\S*(?:artisan|console|manage\.py)\s+/, ""))
    ? ask("resetting a database", "all of its data is lost")
    : null
}

export const sql: Rule = firstOf(sqlClient, mongo, redis, tools)
