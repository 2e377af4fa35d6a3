/** A URL in the one spelling that is fetched and that rules are matched against; null where it is none. */
export const canonical = (text: string, base?: URL): URL | null => {
  const given = text.trim()
  if (!URL.canParse(given, base?.href)) return null
  const url = new URL(given, base?.href)
  url.hash = ""
  // A dot at the end names the same host.
  if (url.hostname.endsWith(".")) url.hostname = url.hostname.slice(0, -1)
  return url
}
