// What somebody loads before they see anything, against what it may be.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { DIST } from '../../src/app/page/source-hash.ts'
import { TestApp } from '../support/test-app.ts'
import { BROWSER_MS, pageIsBuilt } from './visitor.ts'

const KB = 1_000
const FIRST_MAX = 302 * KB
const STYLES_MAX = 28 * KB
const FONTS_MAX = 90 * KB
const CHUNK_MAX = 60 * KB

let app: TestApp

beforeAll(async () => {
  app = await TestApp.start({ env: { PAGE: 'on' } })
  await pageIsBuilt(app)
}, BROWSER_MS)
afterAll(() => app.stop())

const assets = () => readdirSync(path.join(DIST, 'assets'))
const bytes = (file: string) => gzipSync(readFileSync(path.join(DIST, file)), { level: 9 }).length

/** What the start document names, and whatever those files load at once. */
function firstLoad(): string[] {
  const html = readFileSync(path.join(DIST, 'index.html'), 'utf8')
  const found = new Set(
    [...html.matchAll(/(?:src|href)="\/(assets\/[\w.-]+\.(?:js|css))"/g)].map(([, file = '']) => file),
  )
  for (const file of found) {
    const text = file.endsWith('.js') ? readFileSync(path.join(DIST, file), 'utf8') : ''
    for (const [, name] of text.matchAll(/(?:from|import)\s*"\.\/([\w.-]+\.js)"/g)) found.add(`assets/${name}`)
  }
  return [...found]
}

it('the first load stays within its budget', () => {
  const first = firstLoad()
  const now = assets()
    .filter((file) => /^now-page-.*\.(?:js|css)$/.test(file))
    .map((file) => `assets/${file}`)
  expect(first.length).toBeGreaterThan(2)
  expect(now.length).toBeGreaterThan(0)
  const all = [...new Set([...first, ...now])].map((file) => [file, bytes(file)] as const)
  const total = all.reduce((sum, [, size]) => sum + size, 0)
  expect(total, JSON.stringify(all)).toBeLessThan(FIRST_MAX)
  const styles = all.filter(([file]) => file.endsWith('.css')).reduce((sum, [, size]) => sum + size, 0)
  expect(styles).toBeLessThan(STYLES_MAX)
})

it('what is loaded later is loaded in parts', () => {
  const first = firstLoad()
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
