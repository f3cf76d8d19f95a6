// Compares what the lockfile installs with a database of known vulnerabilities.
//   npm run advisories -- [lockfile] [address of the registry's endpoint] [address of OSV's]
//
// The registry's bulk endpoint is asked first (it is what `npm audit` asks), then OSV, which has the same advisories under
// another address. Exits with 1 when something is known to be vulnerable, and with 0 and a sentence when nobody could be
// asked: a machine without a way out is not a reason to refuse a change.
//   https://docs.npmjs.com/cli/v11/commands/npm-audit#bulk-advisory-endpoint   https://google.github.io/osv.dev/post-v1-querybatch/
import { readFileSync } from 'node:fs'
import path from 'node:path'

const TIMEOUT_MS = 10_000
/** Packages that one question to OSV may have. */
const OSV_QUERIES_MAX = 1_000
const [
  ,
  ,
  LOCKFILE = path.join(import.meta.dirname, '../package-lock.json'),
  NPM = 'https://registry.npmjs.org/-/npm/v1/security/advisories/bulk',
  OSV = 'https://api.osv.dev/v1/querybatch',
] = process.argv

interface Installed {
  name: string
  version: string
}

/** One sentence for each vulnerability. */
type Ask = (installed: readonly Installed[]) => Promise<string[]>

const installed = readLockfile(LOCKFILE)
const found = (await attempt(askNpm, installed)) ?? (await attempt(askOsv, installed))
if (found === undefined) {
  console.log(`Known vulnerabilities: NOT CHECKED, no database could be reached (${installed.length} packages).`)
} else if (found.length === 0) {
  console.log(`Known vulnerabilities: none in ${installed.length} packages.`)
} else {
  console.log(`Known vulnerabilities: ${found.length}\n${found.map((each) => `  ${each}`).join('\n')}`)
  process.exitCode = 1
}

function readLockfile(file: string): Installed[] {
  const { packages } = JSON.parse(readFileSync(file, 'utf8')) as { packages: Record<string, { version?: string }> }
  const all = Object.entries(packages).flatMap(([place, { version }]) => {
    const [, name] = /.*node_modules\/(.+)$/.exec(place) ?? []
    return name === undefined || version === undefined ? [] : [{ name, version }]
  })
  return [...new Map(all.map((each) => [`${each.name}@${each.version}`, each])).values()]
}

/** Undefined when the database cannot be asked. */
async function attempt(ask: Ask, packages: readonly Installed[]): Promise<string[] | undefined> {
  try {
    return await ask(packages)
  } catch {
    return undefined
  }
}

/** The registry answers with advisories that concern at least one of the versions that were sent. */
async function askNpm(packages: readonly Installed[]): Promise<string[]> {
  const versions: Record<string, string[]> = {}
  for (const { name, version } of packages) versions[name] = [...(versions[name] ?? []), version]
  const answer = (await post(NPM, versions)) as Record<string, { title: string; severity: string; url: string }[]>
  return Object.entries(answer).flatMap(([name, advisories]) =>
    advisories.map(
      ({ title, severity, url }) => `${name} ${versions[name]?.join(', ')}: ${title} (${severity}) ${url}`,
    ),
  )
}

async function askOsv(packages: readonly Installed[]): Promise<string[]> {
  const found: string[] = []
  for (let at = 0; at < packages.length; at += OSV_QUERIES_MAX) {
    const part = packages.slice(at, at + OSV_QUERIES_MAX)
    const queries = part.map(({ name, version }) => ({ package: { name, ecosystem: 'npm' }, version }))
    const { results } = (await post(OSV, { queries })) as { results: { vulns?: { id: string }[] }[] }
    for (const [index, { vulns = [] }] of results.entries()) {
      const { name, version } = part[index] ?? { name: '?', version: '?' }
      for (const { id } of vulns) found.push(`${name} ${version}: https://osv.dev/vulnerability/${id}`)
    }
  }
  return found
}

async function post(url: string, body: object): Promise<unknown> {
  const reply = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  if (!reply.ok) throw new Error(`status ${reply.status}`)
  return reply.json()
}
