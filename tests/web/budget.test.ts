// What somebody loads before they see anything, against what it may be.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { DIST } from '../../src/app/page/source-hash.ts'
import { TestApp } from '../support/test-app.ts'
import { BROWSER_MS, pageIsBuilt } from './visitor.ts'

const KB = 1_000
/** What is sent before somebody can sign in, or sees who calls: packed, in any language, with the font. */
const SIGN_IN_MAX = 230 * KB
const NOW_MAX = 300 * KB
const STYLES_MAX = 28 * KB
const FONTS_MAX = 90 * KB
const CHUNK_MAX = 60 * KB
const LANGUAGES = ['en', 'de']

let app: TestApp

beforeAll(async () => {
  app = await TestApp.start({ env: { PAGE: 'on' } })
  await pageIsBuilt(app)
}, BROWSER_MS)
afterAll(() => app.stop())

interface Chunk {
  file: string
  imports?: string[]
  css?: string[]
}

const assets = () => readdirSync(path.join(DIST, 'assets'))
const bytes = (file: string) => gzipSync(readFileSync(path.join(DIST, file)), { level: 9 }).length
const manifest = () =>
  JSON.parse(readFileSync(path.join(DIST, '.vite/manifest.json'), 'utf8')) as Readonly<Record<string, Chunk>>

/** The files of some sources, and whatever those load at once. */
function filesOf(sources: readonly string[]): string[] {
  const chunks = manifest()
  const named = new Set(sources)
  const found = new Set<string>()
  for (const source of named) {
    const { file, imports = [], css = [] } = chunks[source] ?? { file: `nothing is built of ${source}` }
    for (const each of [file, ...css]) found.add(each)
    for (const each of imports) named.add(each)
  }
  return [...found]
}

/** What the words of some rooms weigh in the language in which they weigh most; those of refusals come later. */
function wordsOf(rooms: readonly string[]): string[] {
  const [most = []] = LANGUAGES.map((language) =>
    filesOf(rooms.map((room) => `words/${language}/${room}.json`)),
  ).toSorted((one, other) => sum(other) - sum(one))
  return most
}

const sum = (files: readonly string[]) => files.reduce((total, file) => total + bytes(file), 0)

/** The letters of most languages; others come when a text has them. */
function font(): number {
  const [file = ''] = assets().filter((each) => /hyperlegible-next-latin-wght-.*\.woff2$/.test(each))
  return readFileSync(path.join(DIST, 'assets', file)).length
}

it.each([
  ['signs in', SIGN_IN_MAX, ['index.html'], ['shell', 'sign-in']],
  ['opens Now', NOW_MAX, ['index.html', 'inside.tsx', 'now/now-page.tsx'], ['shell', 'now', 'lines', 'records']],
])('what is loaded before somebody %s stays within its budget', (_what, max, sources, rooms) => {
  const files = [...new Set(['index.html', ...filesOf(sources), ...wordsOf(rooms)])]
  const all = files.map((file) => [file, bytes(file)] as const)
  expect(all.length).toBeGreaterThan(5)
  expect(sum(files) + font(), JSON.stringify(all)).toBeLessThan(max)
  expect(sum(files.filter((file) => file.endsWith('.css')))).toBeLessThan(STYLES_MAX)
})

it('every page is a part of its own, and so is what only somebody who is signed in needs', () => {
  const first = filesOf(['index.html'])
  const later = ['inside.tsx', 'now/now-page.tsx', 'shell/search-box.tsx', 'design/toasts.tsx', 'shell/more-drawer.tsx']
  for (const source of later) {
    const [file] = filesOf([source])
    expect(assets().map((each) => `assets/${each}`)).toContain(file)
    expect(first).not.toContain(file)
  }
})

it('what is loaded later is loaded in parts', () => {
  const first = filesOf(['index.html'])
  const later = assets().filter((file) => file.endsWith('.js') && !first.includes(`assets/${file}`))
  const large = later.map((file) => [file, bytes(`assets/${file}`)] as const).filter(([, size]) => size > CHUNK_MAX)
  expect(large).toEqual([])
})

it('fonts are served by us and stay small', () => {
  const fonts = assets().filter((file) => file.endsWith('.woff2'))
  const total = fonts.reduce((sum, file) => sum + readFileSync(path.join(DIST, 'assets', file)).length, 0)
  expect([fonts.length > 0, total < FONTS_MAX]).toEqual([true, true])
  expect(assets().some((file) => file.endsWith('.map'))).toBe(false)
})
