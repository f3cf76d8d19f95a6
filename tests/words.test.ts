// One word for each idea: words that the glossary replaced do not come back where they are gone.
import { expect, test } from 'vitest'
import { CODE, findLines, readSources, type Sources } from './support/source-files.ts'

type Area = 'src' | 'emulators' | 'tests' | 'tools' | 'pages'

const EVERYWHERE: readonly Area[] = ['src', 'emulators', 'tests', 'tools', 'pages']
const TOOLS = /^(?:bench|storms|bin|samples)\//

interface BannedWord {
  word: RegExp
  /** What to say instead; the whole table is in docs/glossary.md. */
  say: string
  /** Where it is gone already, in names of files too. Elsewhere it still waits to be replaced. */
  goneFrom: readonly Area[]
}

// Names are compared whole: people tell and hear, code notifies and handles.
const BANNED: readonly BannedWord[] = [
  { word: /\bcannot be had\b/i, say: 'is unavailable', goneFrom: EVERYWHERE },
  { word: /\bhearers?\b/i, say: 'handler', goneFrom: EVERYWHERE },
  { word: /\b(?:told\(|TELL(?:_\w+)?\b)/, say: 'notify', goneFrom: EVERYWHERE },
  { word: /\b(?:in|out of) step\b/i, say: 'in sync, out of sync', goneFrom: EVERYWHERE },
  { word: /\bArrival\b/, say: 'IncomingRequest', goneFrom: EVERYWHERE },
  { word: /\bGiven\b(?! )/, say: 'the parsed request', goneFrom: EVERYWHERE },
  { word: /\bRendering\b(?! )/, say: 'RouteContext', goneFrom: EVERYWHERE },
  { word: /\brenderUser\b/, say: 'routeToUser', goneFrom: EVERYWHERE },
  { word: /\bring[- ]walk|(?:start|forget)Walk\b/i, say: 'ring attempts', goneFrom: EVERYWHERE },
  { word: /\bwire (?:text|format|row)s?\b/i, say: 'published text, ApiRow', goneFrom: EVERYWHERE },
  { word: /\bstand-ins?\b(?!-|\.ts)/i, say: 'emulator (of a provider), fallback (destination)', goneFrom: EVERYWHERE },
]

/** The table of words itself, this test, and texts that are not ours to word. */
const EXEMPT = ['docs/glossary.md', 'tests/words.test.ts', 'docs/reference/contract.md']

const sources = readSources((file) => (CODE.test(file) || file.endsWith('.md')) && !EXEMPT.includes(file))

test.each(BANNED)('nobody says $word where it was replaced by "$say"', ({ word, goneFrom }) => {
  expect(findWord(sources, word, goneFrom)).toEqual([])
})

test('a word is found in a name, a comment, a sentence, a title and the name of a file, and only where it is gone', () => {
  const written = new Map([
    ['src/a.ts', "const hearers = 1\n// Notifies the hearers.\nconst b = 'No hearer.'"],
    ['tests/a.test.ts', "test('wakes every hearer', () => {})"],
    ['src/hearers.ts', ''],
    ['storms/a.ts', '// hearers'],
  ])
  expect(findWord(written, /\bhearers?\b/i, ['src', 'tests'])).toHaveLength(5)
})

function findWord(texts: Sources, word: RegExp, areas: readonly Area[]): string[] {
  return [...texts]
    .filter(([file]) => areas.includes(areaOf(file)))
    .flatMap(([file, text]) => [...(word.test(file) ? [file] : []), ...findLines(file, text, [word])])
}

function areaOf(file: string): Area {
  if (file.endsWith('.md')) return 'pages'
  if (file.startsWith('src/')) return 'src'
  if (file.startsWith('emulators/')) return 'emulators'
  return TOOLS.test(file) || !file.startsWith('tests/') ? 'tools' : 'tests'
}
