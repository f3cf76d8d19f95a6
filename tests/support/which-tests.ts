import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'

const ROOT = path.join(import.meta.dirname, '../..')
const DATABASE = path.join(import.meta.dirname, 'database.ts')
/** Folders whose tests say something else on either kind of database: the engines, the contract on the wire, and what breaks. */
const OF_BOTH_KINDS = ['tests/database/', 'tests/conformance/', 'tests/faults/']
/** What a test asks that depends on the kind. */
const ASKS_FOR_THE_KIND = /\bSERVER_URL\b|\bdb\.kind\b/
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
export function testsOfOneKind(): string[] {
  const runsOnBoth = (file: string) =>
    OF_BOTH_KINDS.some((folder) => file.startsWith(folder)) ||
    ASKS_FOR_THE_KIND.test(readFileSync(path.join(ROOT, file), 'utf8'))
  const tests = globSync('tests/**/*.test.ts', { cwd: ROOT })
  return [...new Set([...testsWithoutDatabase(), ...tests.filter((file) => !runsOnBoth(file))])]
}

function importsOf(file: string): string[] {
  // A text may look like an import of something that is not there.
  if (!file.endsWith('.ts') || !existsSync(file)) return []
  const targets = [...readFileSync(file, 'utf8').matchAll(IMPORTED)].map(([, target = '']) => target)
  return targets.map((target) => path.resolve(path.dirname(file), target))
}
