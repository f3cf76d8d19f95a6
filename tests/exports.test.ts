// What a file exports is used by another one, else it is the file's own.
import { expect, test } from 'vitest'
import { CODE, readSources } from './support/source-files.ts'

/** The rooms that this is true of. */
const ROOMS = /^src\/(?:[\w-]+\.ts$|(?:app|cli|database|platform|deliveries\/(?:inbox|log|webhooks))\/)/
const EXPORT = /^export (?:async )?(?:function\*?|const|class|interface|type) (\w+)/gm

test('what a file exports is used by another one', () => {
  expect(findUnused(readSources((file) => CODE.test(file)))).toEqual([])
})

test('an export is found that only its own file names', () => {
  const sources = new Map([
    ['src/app/a.ts', 'export const used = 1\nexport function alone() {}\nalone()'],
    ['tests/app/a.test.ts', "import { used } from '../../src/app/a.ts'"],
  ])
  expect(findUnused(sources)).toEqual(['src/app/a.ts: alone'])
})

function findUnused(sources: ReadonlyMap<string, string>): string[] {
  const filesOf = new Map<string, Set<string>>()
  for (const [file, text] of sources) {
    for (const [word] of text.matchAll(/\w+/g)) filesOf.set(word, (filesOf.get(word) ?? new Set()).add(file))
  }
  return [...sources].flatMap(([file, text]) =>
    ROOMS.test(file)
      ? [...text.matchAll(EXPORT)].flatMap(([, name = '']) =>
          (filesOf.get(name)?.size ?? 0) > 1 ? [] : [`${file}: ${name}`],
        )
      : [],
  )
}
