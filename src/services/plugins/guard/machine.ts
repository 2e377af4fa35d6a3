import { ask, byName, firstOf, refuse, type Rule } from "./finding.js"

const off = (what: string) => refuse(what, "it stops the machine with everything that runs on it")
const isHelp = (texts: ReadonlyArray<string>) => texts.some((text) => text === "--help" || text === "--version")
const power: Rule = ({ name, texts }) => isHelp(texts) || (name === "shutdown" && texts.some((text) => text === "-c" || text === "--show")) ? null : off(name)
const systemctl: Rule = ({ texts }) => {
  const verb = texts.find((text) => /^(?:poweroff|reboot|halt|kexec|soft-reboot|suspend|hibernate)$/.test(text))
  if (verb !== undefined) return off(`systemctl ${verb}`)
  const target = texts.some((text) => /^(?:start|isolate)$/.test(text)) ? texts.find((text) => /^(?:poweroff|reboot|halt|kexec|shutdown|soft-reboot)\.target$/.test(text)) : undefined
  if (target !== undefined) return off(`systemctl with ${target}`)
  return texts.some((text) => /^(?:rescue|emergency|exit)$/.test(text)) ? ask("systemctl leaving normal operation", "it stops what runs on the machine") : null
}
const init: Rule = ({ name, texts }) => texts.some((text) => /^[016s]$/i.test(text)) ? ask(`${name} ${texts[0] ?? ""}`, "it stops the machine with everything that runs on it") : null
/** By a call over the bus. */
const bus: Rule = ({ name, texts }) => {
  const method = texts.map((text) => /(?:^|\.)(PowerOff|Reboot|Halt|KExec|SoftReboot)\w*$/.exec(text)?.[1]).find((found) => found !== undefined)
  return method === undefined || !texts.some((text) => /\b(?:login1|systemd1)\b/.test(text)) ? null : off(`${name} ${method}`)
}
const kexec: Rule = ({ texts }) => texts.some((text) => /^(?:-[a-z]*e[a-z]*|--exec|--force|-f)$/.test(text)) ? off("kexec") : null
const everybody: Rule = ({ texts }) => texts.at(-1) === "-1" && texts.length > 1 ? ask("killing every process", "whatever is not saved is lost") : null

const beforeDashes = (texts: ReadonlyArray<string>) => texts.includes("--") ? texts.slice(0, texts.indexOf("--")) : texts
const after = (pattern: RegExp, what: string, why: string): Rule => ({ texts }) =>
  pattern.test(texts.join(" ")) && !beforeDashes(texts).some((text) => /^--dry-run(?:=(?!false|0|no)|$)|^--help$/.test(text)) ? ask(what, why) : null
const gone = "it cannot be brought back"
const publishes = (pattern: RegExp): Rule => after(pattern, "publishing or withdrawing a package", "others get it at once, and it cannot be taken back")
const options = String.raw`(?:-[^\s=]*(?:=\S*)?(?: (?!-)\S+)? )*?`
const verb = (words: string) => new RegExp(`^${options}(?:${words})(?: |$)`)

const docker = firstOf(
  after(verb("system prune|system reset|volume (?:rm|remove|prune)|builder prune -a"), "removing what docker keeps", gone),
  after(/^(?:compose )?(?:\S+ )*down\b.*(?:^| )(?:-v|--volumes)\b/, "removing docker volumes", gone)
)
const terraform = firstOf(after(verb("(?:run-all |run --all (?:-- )?)?destroy|state rm"), "terraform destroy", "the infrastructure is removed"), after(/\bapply\b.*-destroy\b/, "terraform destroy", "the infrastructure is removed"))
const npm = publishes(verb("publish|unpublish|npm publish|deprecate"))

const table = byName({
  shutdown: power, reboot: power, halt: power, poweroff: power, "stop-computer": power, "restart-computer": power,
  "dbus-send": bus, busctl: bus, gdbus: bus, kexec, systemctl, init, telinit: init, kill: everybody,
  loginctl: systemctl,
  crontab: after(/^(?:-u \S+ )?-[a-z]*r/, "crontab -r", "all scheduled jobs are removed"),
  userdel: after(/(?:^| )(?:-[a-z]*r|--remove)/, "removing a user's home folder", gone),
  docker, podman: docker, nerdctl: docker, "docker-compose": after(/(?:^| )down\b.*(?:-v|--volumes)\b/, "removing docker volumes", gone),
  kubectl: after(verb("delete|drain"), "kubectl delete", "what runs in the cluster is removed"), oc: after(verb("delete"), "oc delete", "what runs in the cluster is removed"),
  helm: after(verb("uninstall|delete|del|un"), "helm uninstall", "what runs in the cluster is removed"),
  terraform, tofu: terraform, terragrunt: terraform, pulumi: after(verb("destroy|down|stack rm"), "pulumi destroy", "the infrastructure is removed"), cdk: after(verb("destroy"), "cdk destroy", "the infrastructure is removed"),
  aws: firstOf(after(/\bs3 rm\b.*--recursive/, "aws s3 rm --recursive", gone), after(/\bs3 rb\b/, "removing a bucket", gone), after(/\bs3 sync\b.*--delete/, "aws s3 sync --delete", gone), after(/ (?:delete|terminate|destroy)-[a-z-]+/, "an aws call that deletes", gone)),
  gsutil: after(/(?:^| )(?:rm|rb)\b/, "removing from a bucket", gone), gcloud: after(/(?:^| )delete(?: |$)/, "a gcloud call that deletes", gone), az: after(/(?:^| )(?:delete|purge)(?: |$)/, "an az call that deletes", gone), rclone: after(verb("delete|purge|sync|deletefile|rmdirs"), "rclone removing files", gone), s3cmd: after(/(?:^| )(?:del|rm|rb)\b/, "removing from a bucket", gone), mc: after(verb("rm|rb"), "removing from a bucket", gone),
  gh: after(/^(?:repo|release|secret|variable|gist|run|cache|workflow|label) delete\b|^api\b.*(?:-X|--method)[ =]?DELETE/i, "a gh call that deletes", gone), glab: after(/^(?:repo|project|release) delete\b/, "a glab call that deletes", gone), heroku: after(/(?:apps:destroy|destroy|pg:reset)\b/, "a heroku call that destroys", gone), fly: after(/(?:^| )destroy\b/, "fly destroy", gone), flyctl: after(/(?:^| )destroy\b/, "fly destroy", gone), vercel: after(verb("rm|remove"), "vercel remove", gone), netlify: after(/sites:delete/, "deleting a site", gone),
  npm, pnpm: npm, yarn: npm, bun: npm, lerna: publishes(verb("publish")), "npm-publish": npm, cargo: publishes(verb("publish|yank")), gem: publishes(verb("push|yank")), twine: publishes(verb("upload")), poetry: publishes(verb("publish")), flit: publishes(verb("publish")), uv: publishes(verb("publish")), hatch: publishes(verb("publish")), vsce: publishes(verb("publish|unpublish")), dotnet: publishes(verb("nuget push|nuget delete")), nuget: publishes(verb("push|delete"))
})

/** What stops the machine, and what removes things elsewhere. */
export const machine: Rule = table
