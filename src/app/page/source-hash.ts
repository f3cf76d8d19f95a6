import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** The checkout, or what of it an image holds. */
export const ROOT = path.resolve(import.meta.dirname, '../../..')
/** What the page is built into; the folder is swapped as a whole, so it is never half of one and half of the other. */
export const DIST = path.join(ROOT, 'web/dist')
/** Which sources `dist` was built from. */
const HASH_FILE = path.join(DIST, '.hash')

/** Besides `web/`: what decides which libraries are in it, how it is built, and what it shares with the service. */
const OTHER_SOURCES = ['package-lock.json', 'scripts/build-page.ts', 'src/csv-cell.ts', 'src/rejection-kind.ts']

/** Types, written from `src/`: nothing of them is in the page. */
const TYPES_OF_MODELS = 'models.gen.ts'

/** A hash over everything the page is made from; undefined where there are no sources, as in an image that was built with it. */
export function hashOfSources(root = ROOT): string | undefined {
  if (!existsSync(path.join(root, 'web/index.html'))) return undefined
  const files = globSync('web/**/*', { cwd: root, withFileTypes: true, exclude: (entry) => entry.name === 'dist' })
    .filter((entry) => entry.isFile() && entry.name !== TYPES_OF_MODELS)
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
  const hash = createHash('sha256')
  for (const file of [...files, ...OTHER_SOURCES].sort()) {
    hash
      .update(`${file}\n`)
      .update(readFileSync(path.join(root, file)))
      .update('\n')
  }
  return hash.digest('hex').slice(0, 20)
}

/** The hash of the sources that `dist` was built from; undefined when it was not built. */
export function hashOfBuilt(): string | undefined {
  return existsSync(HASH_FILE) ? readFileSync(HASH_FILE, 'utf8').trim() : undefined
}
