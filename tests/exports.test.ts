// What a file of src exports is imported by another one, else it is the file's own, and its name means one thing; tests use what
// users of a room call.
import path from 'node:path'
import { expect, test } from 'vitest'
import { CODE, readSources, type Sources } from './support/source-files.ts'

const EXPORT = /^export (?:async )?(?:function\*?|const|class|interface|type) (\w+)/gm
const IMPORT = /^(?:import|export) (?:type )?\{([^}]*)\} from '(\.[^']+)'/gm
const LATE_IMPORT = /\bimport\(\s*'(\.[^']+)'/g

/** The two providers' sides say the same of each provider. */
const OF_EACH_PROVIDER = ['NumberConfig', 'ProviderNumber', 'Push', 'findObstacle', 'requireReady']
/** A field of a model, and an argument of a tool: each is how its declaration says it. */
const OF_DECLARATIONS = ['text']

test('what a file of src exports is imported by another one, not by tests alone', () => {
  const sources = readSources((file) => CODE.test(file) && !file.startsWith('tests/'))
  expect(findUnused(sources)).toEqual([])
})

test('an export is found that no other file imports', () => {
  const sources = new Map([
    [
      'src/app/a.ts',
      'export const used = 1\nexport function alone() {}\nalone()\nexport interface Late {}\nexport type Row = 1',
    ],
    ['src/app/b.ts', "import {\n  type used as other,\n} from './a.ts'"],
    ['bin/c.ts', "const { Late } = await import('../src/app/a.ts')"],
    ['src/cli/d.ts', "import { Row } from './rows.ts'"],
  ])
  expect(findUnused(sources)).toEqual(['src/app/a.ts: alone', 'src/app/a.ts: Row'])
})

test('an exported name means one thing in src', () => {
  const files = new Map<string, Set<string>>()
  for (const [file, text] of readSources((each) => CODE.test(each) && each.startsWith('src/'))) {
    for (const [, name = ''] of text.matchAll(EXPORT)) files.set(name, (files.get(name) ?? new Set()).add(file))
  }
  const several = [...files].flatMap(([name, { size }]) => (size > 1 ? [name] : []))
  expect(several.sort()).toEqual([...OF_EACH_PROVIDER, ...OF_DECLARATIONS].sort())
})

function findUnused(sources: Sources): string[] {
  const imported = new Set([...sources].flatMap(([file, text]) => findImported(file, text)))
  return [...sources]
    .filter(([file]) => file.startsWith('src/'))
    .flatMap(([file, text]) => [...text.matchAll(EXPORT)].map(([, name]) => `${file}: ${name}`))
    .filter((name) => !imported.has(name))
}

/** What a file imports, as `file: name`; of a late import every word of the file counts. */
function findImported(file: string, text: string): string[] {
  const named = (target: string | undefined, names: Iterable<string>) =>
    [...names].map((name) => `${path.posix.join(path.posix.dirname(file), target ?? '')}: ${name}`)
  const inBraces = (names = '') => names.split(',').map((name) => name.trim().replace(/^type | as \w+$/g, ''))
  return [
    ...[...text.matchAll(IMPORT)].flatMap(([, names, target]) => named(target, inBraces(names))),
    ...[...text.matchAll(LATE_IMPORT)].flatMap(([, target]) => named(target, new Set(text.match(/\w+/g)))),
  ]
}
