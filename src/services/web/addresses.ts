import ipaddr from "ipaddr.js"

const words: Readonly<Record<string, string>> = {
  unspecified: "an unspecified address",
  broadcast: "a broadcast address",
  multicast: "a multicast address",
  linkLocal: "a link-local address",
  loopback: "a loopback address",
  carrierGradeNat: "an address of a carrier's network",
  private: "a private address",
  uniqueLocal: "a private address",
  deprecatedSiteLocal: "a private address",
  reserved: "a reserved address",
  benchmarking: "a reserved address"
}
/** Addresses of clouds' own services that look public (hardening.md, Addresses). */
const services: ReadonlySet<string> = new Set(["168.63.129.16", "100.100.100.200", "169.254.169.254", "192.0.0.192", "fd00:ec2::254", "fd20:ce::254"])
const metadata = "the address of a cloud's metadata service"

const of4 = (high: number, low: number) => new ipaddr.IPv4([high >> 8, high & 255, low >> 8, low & 255])

/** The IPv4 address that an IPv6 address carries, if it is of a form that does. */
const carried = (parts: ReadonlyArray<number>): ipaddr.IPv4 | null => {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = parts
  const startsZero = parts.slice(0, 4).every((part) => part === 0)
  // mapped, compatible, translated
  if (startsZero && ((e === 0 && (f === 0xffff || f === 0)) || (e === 0xffff && f === 0))) return of4(g, h)
  if (a === 0x64 && b === 0xff9b) return c === 1 ? of4(d, (e & 255) << 8 | f >> 8) : of4(g, h)
  if (a === 0x2002) return of4(b, c)
  if (a === 0x2001 && b === 0) return of4(g ^ 0xffff, h ^ 0xffff)
  // ISATAP
  return (e & 0xfdff) === 0 && f === 0x5efe ? of4(g, h) : null
}

/** What speaks against connecting to an address, as "a private address"; null for a public one. */
export const objectionTo = (address: string): string | null => {
  if (!ipaddr.isValid(address)) return "no address"
  const parsed = ipaddr.parse(address.replace(/%.*$/s, ""))
  if (services.has(parsed.toString())) return metadata
  if (parsed instanceof ipaddr.IPv4) {
    const range = parsed.range()
    return range === "unicast" ? null : words[range] ?? "an address of a special network"
  }
  const range = parsed.range()
  if (range in words && range !== "reserved") return words[range] ?? null
  const inner = carried(parsed.parts)
  if (inner !== null) {
    const why = objectionTo(inner.toString())
    // Such addresses lead through translators to who knows where, a public one inside or not.
    return why === null ? "an address that stands for another one" : `an address that stands for ${inner.toString()}, ${why}`
  }
  const isGlobal = ((parsed.parts[0] ?? 0) & 0xe000) === 0x2000
  return range === "unicast" && isGlobal ? null : words[range] ?? "an address outside of the public internet"
}
