import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** Texts by their paths from the root of the checkout. */
export type Sources = Map<string, string>

export const CODE = /\.(?:ts|tsx|mts|js|mjs)$/
const FOLDERS_NOT_OURS = ['data', 'coverage', 'web/dist', 'demo-data', 'simulated-data']
/** A build that is under way beside the tests, or was interrupted. */
const UNFINISHED_BUILD = 'web/dist-'
/** What git ignores because `npm test` writes it. */
const WRITTEN = ['web/data/models.gen.ts']
/** The same, wherever they are. */
const NAMES_NOT_OURS = ['.git', 'node_modules']

export const root = path.resolve(import.meta.dirname, '../..')
/** Every file of the checkout that git would keep, as a path from the root. */
export const files = listFiles('')

/** Reads the wanted files of the checkout. */
export function readSources(isWanted: (file: string) => boolean): Sources {
  return new Map(files.filter(isWanted).map((file) => [file, readFileSync(path.join(root, file), 'utf8')]))
}

/** The lines that one of the patterns finds, as `file:line text`. */
export function findLines(file: string, text: string, patterns: readonly RegExp[]): string[] {
  return text
    .split('\n')
    .flatMap((line, index) =>
      patterns.some((pattern) => pattern.test(line)) ? [`${file}:${index + 1} ${line.trim()}`] : [],
    )
}

function listFiles(folder: string): string[] {
  return readdirSync(path.join(root, folder), { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const file = path.posix.join(folder, entry.name)
      if (NAMES_NOT_OURS.includes(entry.name) || FOLDERS_NOT_OURS.includes(file)) return []
      if (file.startsWith(UNFINISHED_BUILD)) return []
      if (entry.isDirectory()) return listFiles(file)
      if (WRITTEN.includes(file)) return []
      return entry.isFile() && !entry.name.endsWith('.log') && entry.name !== '.DS_Store' ? [file] : []
    })
}
