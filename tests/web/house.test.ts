// The countable rules of the page: which way imports go, where colours stand, whether every word is there in each language.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { findLines, readSources, root, type Sources } from '../support/source-files.ts'

/** The rooms on floor 4 do not know each other; `sign-in` knows nobody. */
const FLOORS: Readonly<Record<string, number>> = {
  shell: 5,
  now: 4,
  agents: 4,
  calls: 4,
  tickets: 4,
  messages: 4,
  contacts: 4,
  deliveries: 4,
  settings: 4,
  me: 4,
  'sign-in': 4,
  records: 3,
  lines: 3,
  design: 1,
  files: 2,
  data: 0,
  words: 0,
}
const TOP = 6
/** What the service and the page do alike: pure, and a part of the page's hash. */
const SHARED = ['src/csv-cell.ts', 'src/rejection-kind.ts']
const ROOMS = 4
const LINES_MAX = 250
const LANGUAGES = ['en', 'de'] as const

const code = readSources((file) => /^web\/.*\.(?:ts|tsx)$/.test(file) && !file.endsWith('.config.ts'))
const styles = readSources((file) => /^web\/.*\.css$/.test(file))
const words = readSources((file) => /^web\/words\/\w+\/[\w-]+\.json$/.test(file))

test('an import of the page only goes down the floors, and into nothing else of the checkout', () => {
  expect(code.size).toBeGreaterThan(80)
  expect(findViolations(code)).toEqual([])
})

test.each([
  ['a room importing another', 'web/calls/a.tsx', '../tickets/b.ts'],
  ['a lower floor importing a higher one', 'web/records/a.tsx', '../calls/b.ts'],
  ['lines importing records', 'web/lines/a.tsx', '../records/b.ts'],
  ['data importing design', 'web/data/a.ts', '../design/b.ts'],
  ['sign-in importing lines', 'web/sign-in/a.tsx', '../lines/b.ts'],
  ['the page importing the service', 'web/data/a.ts', '../../src/errors.ts'],
  ['a room nobody has given a floor', 'web/billing/a.ts', '../data/b.ts'],
])('the floors refuse %s', (_what, file, target) => {
  expect(findViolations(new Map([[file, `import { b } from '${target}'`]]))).toHaveLength(1)
})

test('no file of the page is too long to be one idea, and none has a default export', () => {
  const own = [...code].filter(([file]) => !file.endsWith('.gen.ts'))
  expect(own.filter(([, text]) => text.split('\n').length > LINES_MAX + 1).map(([file]) => file)).toEqual([])
  expect(own.flatMap(([file, text]) => findLines(file, text, [/^export default\b/, /^export \*/]))).toEqual([])
})

test('colours stand in one file', () => {
  const literal = /#[0-9a-f]{3,8}\b|\b(?:rgb|hsl|oklch)a?\(/i
  const checked = [...styles, ...code].filter(([file]) => file !== 'web/design/tokens.css')
  const found = checked.flatMap(([file, text]) => findLines(file, text, [literal]))
  // A number of a record is no colour.
  expect(found.filter((line) => !/#\$\{|'#'|"#|#page/.test(line))).toEqual([])
})

test('a key under which answers are held is made in one place, and each kind of key is asked in one place', () => {
  const others = [...code].filter(([file]) => file !== 'web/data/keys.ts')
  const bare = [
    /queryKey:\s*\[/g,
    /\b(?:infiniteQ|q)ueryOptions\(/g,
    /\buse(?:Suspense|Infinite|SuspenseInfinite)?Query\(\s*\{(?!\s*\.\.\.)/g,
    /Quer(?:y|ies)Data(?:<[^(]*>)?\(\s*\[/g,
  ]
  const found = others.flatMap(([file, text]) =>
    bare.flatMap((each) => [...text.matchAll(each)].map(([made]) => `${file}: ${made}`)),
  )
  expect(found).toEqual([])
  // Two places that ask under one kind are how a key comes to hold two shapes.
  const asked = others.flatMap(([, text]) =>
    [...text.matchAll(/queryKey: keyOf\(\s*[^,]+,\s*'([\w-]+)'/g)].map(([, kind]) => kind),
  )
  expect(asked.length).toBeGreaterThan(40)
  expect(asked.filter((kind, at) => asked.indexOf(kind) !== at)).toEqual([])
})

test('what scrolls holds what is placed within it: words for screen readers never make the window itself scroll', () => {
  const blocks = [...styles].flatMap(([file, text]) =>
    [...text.matchAll(/[^{}]*\{[^{}]*\}/g)].map(([block]) => [file, block]),
  )
  const scrolling = blocks.filter(([, block = '']) => /overflow(?:-[xy])?: *(?:auto|scroll)/.test(block))
  expect(scrolling.length).toBeGreaterThan(15)
  expect(scrolling.filter(([, block = '']) => !/\bposition:/.test(block))).toEqual([])
})

test('nothing that a server calls HTML is inserted', () => {
  const ways = [
    /dangerouslySetInnerHTML/,
    /\.(?:inner|outer)HTML\b/,
    /insertAdjacentHTML/,
    /document\.write/,
    /\beval\(/,
  ]
  expect([...code].flatMap(([file, text]) => findLines(file, text, ways))).toEqual([])
})

/** Where the library's buttons and entries of menus are drawn for everybody. */
const PRESSED = ['web/design/press.tsx', 'web/design/menu-item.tsx']

test('everything that is pressed and sent goes through the one guard against pressing twice', () => {
  const others = [...code].filter(([file]) => !PRESSED.includes(file))
  const ways = [/<form\b/, /<Menu\.Item\b/, /\buseMutation\b/, /on(?:Click|Submit)=\{(?:\(\w*\) => )?void (?!navigate)/]
  expect(others.flatMap(([file, text]) => findLines(file, text, ways))).toEqual([])
  const drawn = /import \{[^}]*\b(?:Button|ActionIcon)\b[^}]*\} from '@mantine\/core'/
  expect(others.filter(([, text]) => drawn.test(text)).map(([file]) => file)).toEqual([])
})

test('a question before what cannot be undone has the keyboard on the way back, or on a field', () => {
  const questions = [...code].flatMap(([file, text]) =>
    [...text.matchAll(/<Modal\b.*?<\/Modal>/gs)].map(([modal]) => ({ file, modal })),
  )
  const dangers = questions.filter(({ modal }) => /color="danger"|color=\{.*'danger'/.test(modal))
  expect(dangers.length).toBeGreaterThan(5)
  const isOnDanger = /<Button(?=[^>]*color=[^>]*danger)(?=[^>]*data-autofocus)/
  const wrong = dangers.filter(({ modal }) => !modal.includes('data-autofocus') || isOnDanger.test(modal))
  expect(wrong.map(({ file }) => file)).toEqual([])
})

/** Clocks, a question asked while somebody waits for it, and models whose changes the stream does not tell. */
const LOOK_AGAIN = ['web/contacts/time-there.tsx', 'web/deliveries/jobs-page.tsx', 'web/settings/impact.ts']

test('pages hear what is new by the one stream, and ask for nothing every so often', () => {
  expect([...code].flatMap(([file, text]) => (text.includes('refetchInterval') ? [file] : []))).toEqual(LOOK_AGAIN)
})

test('every word is there in every language, with the same places for what is told', () => {
  const rooms = [...words.keys()].filter((file) => file.startsWith('web/words/en/')).map((file) => path.basename(file))
  expect(rooms.length).toBeGreaterThan(10)
  for (const room of rooms) {
    const [english, ...others] = LANGUAGES.map((language) => read(`web/words/${language}/${room}`))
    for (const other of others) expect(placesOf(other), room).toEqual(placesOf(english))
  }
})

test('no word is there that nobody says', () => {
  const texts = [...code.values()].join('\n')
  const keys = [...words.keys()]
    .filter((file) => file.startsWith('web/words/en/'))
    .flatMap((file) => Object.keys(read(file) ?? {}))
  const bare = new Set(keys.map((key) => key.replace(/_(?:one|other)$/, '')))
  const isSaid = (key: string) => texts.includes(`'${key}'`) || (/Says$/.test(key) && texts.includes('}Says`'))
  expect([...bare].filter((key) => !isSaid(key) && !texts.includes(`  ${key}:`))).toEqual([])
})

function read(file: string): Record<string, string> {
  return JSON.parse(readFileSync(path.join(root, file), 'utf8')) as Record<string, string>
}

function placesOf(texts: Record<string, string> | undefined): Record<string, string[]> {
  const places = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name ?? '').sort()
  return Object.fromEntries(Object.entries(texts ?? {}).map(([key, text]) => [key, places(text)]))
}

function findViolations(sources: Sources): string[] {
  return [...sources].flatMap(([file, text]) =>
    [...text.matchAll(/(?:\bfrom|\bimport\(|^import)\s*'(\.[^']+)'/gm)].flatMap(([, relative = '']) => {
      const target = path.posix.join(path.posix.dirname(file), relative)
      return isAllowed(file, target) ? [] : [`${file} imports ${target}`]
    }),
  )
}

function isAllowed(file: string, target: string): boolean {
  if (SHARED.includes(target)) return true
  const [from, to] = [roomOf(file), roomOf(target)]
  if (from === undefined || to === undefined) return false
  if (from.floor === ROOMS && from.room === 'sign-in') return to.room === from.room || to.floor <= 1
  return to.room === from.room || to.floor < from.floor
}

function roomOf(file: string): { room: string; floor: number } | undefined {
  const [web, room, ...rest] = file.split('/')
  if (web !== 'web' || room === undefined) return undefined
  if (rest.length === 0) return { room: '', floor: TOP }
  const floor = FLOORS[room]
  return floor === undefined ? undefined : { room, floor }
}
