import { type Field, hole } from "../../Commands.js"
import { within } from "../../command/builtins.js"
import { globFits } from "../../command/globs.js"
import { ask, byName, type Finding, firstOf, refuse, type Rule, type Suspect } from "./finding.js"

const harmless = /^\/dev\/(?:null|zero|full|stdin|stdout|stderr|tty|ptmx|u?random|fd(?:\/.*)?|pts\/.*|shm\/.+|mqueue\/.+|tcp\/.*|udp\/.*)$/

/** Folders and dots taken out, as the system does; what leads back to the root by a process's own folder too. */
const normal = (path: string): string => {
  const parts: Array<string> = []
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue
    if (part === "..") parts.pop()
    else parts.push(part)
  }
  return `/${parts.join("/")}`.replace(/^\/proc\/(?:self|\d+|thread-self)\/(?:root|cwd)(?=\/)/, "")
}

/** Whether a path, as written, is a device whose content a write destroys. Climbing out of the workspace counts from the root. */
export const isDevice = (path: string): boolean => {
  if (!/(?:^|\/)dev\//.test(path) && !path.startsWith("/proc/") && !path.startsWith("\\\\.\\")) return false
  if (path.startsWith("\\\\.\\")) return /^\\\\\.\\(?:physicaldrive|[a-z]:)/i.test(path)
  if (!path.startsWith("/") && !/^(?:\.\.\/)+dev\//.test(path)) return false
  const found = normal(path.startsWith("/") ? path : `/${path.replace(/^(?:\.\.\/)+/, "")}`)
  if (found === "/proc/sysrq-trigger") return true
  return found.startsWith("/dev/") && found !== "/dev" && !harmless.test(found.replaceAll(hole, "")) && !(found.includes(hole) && /^\/dev\/(?:fd|pts|shm|tcp|udp)\//.test(found))
}

/** What a pattern is tried against: a shell looks up patterns in the names of files. */
const samples = ["/dev/sda", "/dev/sda1", "/dev/nvme0n1", "/dev/vda", "/dev/disk0", "/dev/mem"]

/** The same for a word in a command that runs in one of these folders. */
export const onDevice = ({ glob, text }: Pick<Field, "glob" | "text">, folders: ReadonlyArray<string | null>): boolean =>
  isDevice(text) || (glob !== null && samples.some((sample) => globFits(glob, sample)))
  || (!text.startsWith("/") && folders.some((folder) => folder !== null && folder !== "." && isDevice(within(folder, text) ?? "")))

const overDevice = (what: string): Finding => refuse(what, "it destroys everything that is stored there")
/** Asked for nothing but help; beside other words it may be an option's value. */
const isHelp = ({ texts }: Suspect) => texts.some((text) => /^(?:--help|--version|-V|-h)$/.test(text)) && texts.every((text) => text.startsWith("-"))

const dd: Rule = ({ simple, texts }) =>
  texts.some((text) => text.startsWith("of=") && onDevice({ text: text.slice(3), glob: null }, simple.folders)) ? overDevice("dd onto a device") : null
const format: Rule = (suspect) => isHelp(suspect) ? null : refuse("making a file system", "it erases what is on the device")
const onto: Rule = ({ args, name, simple }) => {
  const last = args.at(-1)
  const targets = name === "tee" ? args : last === undefined ? [] : [last]
  return targets.some((each) => onDevice(each, simple.folders)) ? ask(`${name} onto a device`, "it destroys everything that is stored there") : null
}
const partition: Rule = (suspect) => {
  const { name, texts } = suspect
  const options = texts.filter((text) => text.startsWith("-"))
  const [, ...verbs] = texts.filter((text) => !text.startsWith("-"))
  const looks = name === "parted"
    ? options.some((text) => /^(?:-l|--list)$/.test(text)) || (verbs.length > 0 && verbs.every((text) => /^(?:print|unit|free|all|help|version|align-check|s|b|kb|mb|gb|mib|gib|%|compact)$/i.test(text)))
    : options.length > 0 && options.every((text) => /^(?:-l|--list|-x|--list-details|-p|--print|-d|--dump|-s|--show-size|-v|--verify)$/.test(text))
  return isHelp(suspect) || looks || !texts.some((text) => /(?:^|=)\/dev\//.test(text)) ? null : ask(`${suspect.name} on a device`, "it changes or erases a device's layout")
}
const words = (pattern: RegExp, what: string, why: string): Rule => ({ texts }) => pattern.test(texts.join(" ")) ? ask(what, why) : null
const volumes: Rule = (suspect) => isHelp(suspect) ? null : ask(`${suspect.name}, which removes volumes`, "what is on them is lost")

const table = byName({
  dd, gdd: dd, dcfldd: dd, dc3dd: dd,
  mke2fs: format, newfs: format, mkdosfs: format, mkntfs: format, mkswap: format,
  tee: onto, cp: onto, mv: onto, install: onto, gcp: onto, pv: onto, "ddrescue": onto,
  wipefs: (suspect) => isHelp(suspect) || suspect.texts.every((text) => !/^-.*[af]|^--(?:all|force|offset)|^-o/.test(text)) ? null : ask("wipefs", "it erases the signatures that make a device readable"),
  blkdiscard: (suspect) => isHelp(suspect) ? null : ask("blkdiscard", "it discards everything on a device"),
  parted: partition, fdisk: partition, sfdisk: partition, gdisk: partition, sgdisk: partition, cfdisk: partition,
  hdparm: words(/--security-erase|--trim-sector|--write-sector/, "hdparm erasing a device", "what is on it is lost"),
  nvme: words(/^(?:format|sanitize)\b/, "nvme erasing a device", "what is on it is lost"),
  cryptsetup: words(/\b(?:luksFormat|erase|luksErase|luksKillSlot)\b/i, "cryptsetup erasing a device", "what is on it is lost"),
  mdadm: words(/--zero-superblock/, "mdadm erasing a device", "what is on it is lost"),
  zpool: words(/^(?:destroy|labelclear)\b/, "zpool destroy", "what is in the pool is lost"),
  zfs: words(/^(?:destroy|rollback)\b/, "zfs destroy", "what is in the data set is lost"),
  btrfs: words(/^subvolume delete\b/, "deleting a subvolume", "what is in it is lost"),
  lvremove: volumes, vgremove: volumes, pvremove: volumes,
  diskutil: words(/^(?:eraseDisk|eraseVolume|zeroDisk|secureErase|reformat|partitionDisk|apfs deleteContainer)\b/i, "diskutil erasing a disk", "what is on it is lost")
})
const made: Rule = (suspect) => /^mkfs(?:\.|$)/.test(suspect.name) ? format(suspect) : null

export const devices: Rule = firstOf(table, made)
