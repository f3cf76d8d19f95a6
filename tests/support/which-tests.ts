import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'

const ROOT = path.join(import.meta.dirname, '../..')
const DATABASE = path.join(import.meta.dirname, 'database.ts')
/** What runs on either kind of database: the engines, and in CI the contract on the wire. */
const OF_BOTH_KINDS = ['tests/database/', ...(process.env.CI === 'true' ? ['tests/conformance/'] : [])]
/**
 * What says at least as much on the embedded database, which shares the disk of the service, as on a server. The little storm and
 * the tests of the engine use an embedded one in either run; here they copy one that is prepared, instead of making it.
 */
const OF_EMBEDDED = [
  ...['tests/database/embedded/', 'tests/faults/storms.', 'tests/faults/kill-nine.'],
  ...['tests/faults/event-loop.', 'tests/faults/damaged-folder.', 'tests/app/person/erase.test.'],
  ...['tests/web/story-rights.', 'tests/platform/person/find-mentions.'],
]
/** A test that is for the embedded database alone. */
const SKIPS_ON_A_SERVER = /\bskip(?:If)?\((?:SERVER_URL !== undefined|[\w.]*\bdb\.kind !== 'embedded')/
const IMPORTED = /(?:\bfrom|\bimport\(|\bimport)\s*'(\.[^']+)'/g

/**
 * The test files, as paths from the root, from which no import leads to a database of the tests. They say the same
 * whatever kind it is, so one run of them is enough. Throws when nothing leads there, which cannot be.
 */
export function testsWithoutDatabase(): string[] {
  const importers = new Map<string, string[]>()
  const tests = globSync('tests/**/*.test.ts', { cwd: ROOT })
  const known = new Set(tests.map((file) => path.join(ROOT, file)))
  for (const file of known) {
    for (const target of importsOf(file)) {
      importers.set(target, [...(importers.get(target) ?? []), file])
      known.add(target)
    }
  }
  const reaching = new Set([DATABASE])
  for (const file of reaching) for (const importer of importers.get(file) ?? []) reaching.add(importer)
  const without = tests.filter((file) => !reaching.has(path.join(ROOT, file)))
  if (without.length === tests.length) throw new Error(`no test leads to ${DATABASE}: it is somewhere else by now`)
  return without
}

/** The test files that run on a server alone where there is one: what they say is the same on the embedded database. */
export function testsOfAServer(): string[] {
  const isOfEmbedded = (file: string) =>
    isBelow(file, [...OF_BOTH_KINDS, ...OF_EMBEDDED]) ||
    SKIPS_ON_A_SERVER.test(readFileSync(path.join(ROOT, file), 'utf8'))
  const tests = globSync('tests/**/*.test.ts', { cwd: ROOT })
  return [...new Set([...testsWithoutDatabase(), ...tests.filter((file) => !isOfEmbedded(file))])]
}

/** The test files that run on the embedded database alone, also where there is a server. */
export function testsOfEmbedded(): string[] {
  return globSync('tests/**/*.test.ts', { cwd: ROOT }).filter((file) => isBelow(file, OF_EMBEDDED))
}

function isBelow(file: string, places: readonly string[]): boolean {
  return places.some((place) => file.startsWith(place))
}

function importsOf(file: string): string[] {
  // A text may look like an import of something that is not there.
  if (!file.endsWith('.ts') || !existsSync(file)) return []
  const targets = [...readFileSync(file, 'utf8').matchAll(IMPORTED)].map(([, target = '']) => target)
  return targets.map((target) => path.resolve(path.dirname(file), target))
}
