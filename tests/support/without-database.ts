import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'

const ROOT = path.join(import.meta.dirname, '../..')
const DATABASE = path.join(import.meta.dirname, 'database.ts')
const IMPORTED = /(?:\bfrom |\bimport\(|\bimport )'(\.[^']+)'/g

/**
 * The test files, as paths from the root, from which no import leads to a database of the tests. They say the same
 * whatever kind it is, so one run of them is enough.
 */
export function testsWithoutDatabase(): string[] {
  const leadsThere = new Map([[DATABASE, true]])
  const leads = (file: string): boolean => {
    const known = leadsThere.get(file)
    if (known !== undefined) return known
    // A circle leads nowhere by itself.
    leadsThere.set(file, false)
    const found = importsOf(file).some(leads)
    leadsThere.set(file, found)
    return found
  }
  return globSync('tests/**/*.test.ts', { cwd: ROOT }).filter((file) => !leads(path.join(ROOT, file)))
}

function importsOf(file: string): string[] {
  // A text may look like an import of something that is not there.
  if (!file.endsWith('.ts') || !existsSync(file)) return []
  const targets = [...readFileSync(file, 'utf8').matchAll(IMPORTED)].map(([, target = '']) => target)
  return targets.map((target) => path.resolve(path.dirname(file), target))
}
