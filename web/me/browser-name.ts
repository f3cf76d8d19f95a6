/** Who is meant first by what: browsers call themselves by the names of those before them, too. */
const BROWSERS = [
  ['Edge', /\bEdg/],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /Chrome\/|\bCriOS\//],
  ['Safari', /\bSafari\//],
] as const
const SYSTEMS = [
  ['Android', /\bAndroid\b/],
  ['iOS', /\b(?:iPhone|iPad)\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMacintosh\b/],
  ['Linux', /\bLinux\b/],
] as const

/** `Firefox · Linux` for what a browser calls itself; what is none of those is shown as it is. */
export function browserName(agent: string): string {
  const found = [BROWSERS, SYSTEMS].flatMap((known) => known.find(([, pattern]) => pattern.test(agent))?.[0] ?? [])
  return found.length === 0 ? agent : found.join(' · ')
}
