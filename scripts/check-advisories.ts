// Compares what the lockfile installs with a database of known vulnerabilities.
//   node_modules/.bin/node scripts/check-advisories.ts [--note] [lockfile] [address of the registry's endpoint] [address of OSV's] [file of the last check]
//
// Asks the registry's bulk endpoint first (as `npm audit` does), then OSV, which has the same advisories under another address.
// Exits with 1 when a package is known to be vulnerable, and with 0 when no database answers: a machine without a way out is no
// reason to refuse a change. It then says when a database last answered, and which packages nobody has checked since.
// `--note` writes a check without findings into scripts/advisories-checked.json, which is committed.
//   https://docs.npmjs.com/cli/v11/commands/npm-audit#bulk-advisory-endpoint   https://google.github.io/osv.dev/post-v1-querybatch/
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'

const TIMEOUT_MS = 10_000
/** Packages that one question to OSV may have. */
const OSV_QUERIES_MAX = 1_000
const NOTE = '--note'
const [
  ,
  ,
  LOCKFILE = path.join(import.meta.dirname, '../package-lock.json'),
  NPM = 'https://registry.npmjs.org/-/npm/v1/security/advisories/bulk',
  OSV = 'https://api.osv.dev/v1/querybatch',
  LAST_CHECK = path.join(import.meta.dirname, 'advisories-checked.json'),
] = process.argv.filter((argument) => argument !== NOTE)

interface Installed {
  name: string
  version: string
}

/** What the file of the last check holds. */
interface LastCheck {
  /** The day of the first lockfile, YYYY-MM-DD: no package is older here. */
  begun: string
  /** The day of the last check that found nothing; null when there was none. */
  checkedAt: string | null
  /** `name@version` of each package of that check. */
  packages: string[]
}

/** One sentence for each vulnerability. */
type Ask = (installed: readonly Installed[]) => Promise<string[]>

const installed = readLockfile(LOCKFILE)
const found = (await attempt(askNpm, installed)) ?? (await attempt(askOsv, installed))
if (found === undefined) {
  console.log(`Known vulnerabilities: NOT CHECKED, no database could be reached. ${sinceWhen(installed)}`)
} else if (found.length === 0) {
  console.log(`Known vulnerabilities: none in ${installed.length} packages.`)
  if (process.argv.includes(NOTE)) noteCheck(installed)
} else {
  console.log(`Known vulnerabilities: ${found.length}\n${found.map((each) => `  ${each}`).join('\n')}`)
  process.exitCode = 1
}

function readLockfile(file: string): Installed[] {
  const { packages } = JSON.parse(readFileSync(file, 'utf8')) as {
    packages: Record<string, { version?: string; name?: string }>
  }
  const all = Object.entries(packages).flatMap(([place, { version, name: alias }]) => {
    const [, folder] = /.*node_modules\/(.+)$/.exec(place) ?? []
    // What was installed under another name has its own beside the version.
    const name = folder === undefined ? undefined : (alias ?? folder)
    return name === undefined || version === undefined ? [] : [{ name, version }]
  })
  return [...new Map(all.map((each) => [`${each.name}@${each.version}`, each])).values()]
}

function readLastCheck(): LastCheck {
  return JSON.parse(readFileSync(LAST_CHECK, 'utf8')) as LastCheck
}

/** Since when nobody has checked which packages. */
function sinceWhen(packages: readonly Installed[]): string {
  const { begun, checkedAt, packages: checked } = readLastCheck()
  if (checkedAt === null) return `None of the ${packages.length} packages was ever checked, since ${begun}.`
  const known = new Set(checked)
  const unchecked = packages.filter(({ name, version }) => !known.has(`${name}@${version}`))
  return `Last checked on ${checkedAt}; ${unchecked.length} of ${packages.length} packages came or changed since.`
}

function noteCheck(packages: readonly Installed[]): void {
  const checkedAt = new Date().toISOString().slice(0, 'YYYY-MM-DD'.length)
  const names = packages.map(({ name, version }) => `${name}@${version}`).sort()
  const { begun } = readLastCheck()
  writeFileSync(LAST_CHECK, `${JSON.stringify({ begun, checkedAt, packages: names } satisfies LastCheck, null, 2)}\n`)
}

/** Undefined when the database cannot be asked. */
async function attempt(ask: Ask, packages: readonly Installed[]): Promise<string[] | undefined> {
  try {
    return await ask(packages)
  } catch {
    return undefined
  }
}

interface NpmAdvisory {
  title: string
  severity: string
  url: string
  /** The range that it concerns; the registry has compared it with the versions that were sent. */
  vulnerable_versions: string
}

/**
 * A gzipped JSON object of names with their versions in; by name, the advisories that concern at least one of these versions
 * out. As npm itself sends and reads it: @npmcli/arborist, lib/audit-report.js, and pnpm since its pull request 11268.
 */
async function askNpm(packages: readonly Installed[]): Promise<string[]> {
  const versions: Record<string, string[]> = {}
  for (const { name, version } of packages) versions[name] = [...(versions[name] ?? []), version]
  const body = gzipSync(JSON.stringify(versions))
  const answer = (await post(NPM, body, { 'content-encoding': 'gzip' })) as Record<string, NpmAdvisory[]>
  return Object.entries(answer).flatMap(([name, advisories]) =>
    advisories.map(
      ({ title, severity, url, vulnerable_versions: range }) =>
        `${name} ${versions[name]?.join(', ')}: ${title} (${severity}, ${range}) ${url}`,
    ),
  )
}

interface OsvResult {
  vulns?: { id: string }[]
  /** There are more than fit into one answer. */
  next_page_token?: string
}

async function askOsv(packages: readonly Installed[]): Promise<string[]> {
  const found: string[] = []
  let asked = packages.map(({ name, version }) => ({ package: { name, ecosystem: 'npm' }, version, page_token: '' }))
  while (asked.length > 0) {
    const queries = asked.splice(0, OSV_QUERIES_MAX)
    const { results } = (await post(OSV, JSON.stringify({ queries }))) as { results: OsvResult[] }
    // Results are in the order of the questions.
    for (const [index, query] of queries.entries()) {
      const { vulns = [], next_page_token = '' } = results[index] ?? {}
      for (const { id } of vulns)
        found.push(`${query.package.name} ${query.version}: https://osv.dev/vulnerability/${id}`)
      if (next_page_token !== '') asked = [...asked, { ...query, page_token: next_page_token }]
    }
  }
  return found
}

async function post(url: string, body: string | Buffer<ArrayBuffer>, headers: object = {}): Promise<unknown> {
  const reply = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  if (!reply.ok) throw new Error(`status ${reply.status}`)
  return reply.json()
}
