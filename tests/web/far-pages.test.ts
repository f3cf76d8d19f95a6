// A list of 20,000 rows as the page holds it, without a browser.
import { expect, test } from 'vitest'
import { isThin, lackingIn, thinned } from '../../web/data/far-pages.ts'

const PAGE = 100
const ROWS = 20_000
/** Five pages above and below those in sight, which may be two. */
const HELD_MAX = 12 * PAGE

const rowOf = (id: number) => ({ id, name: `Contact ${id}`, phone: '+41310000000' })

function pageFrom(first: number) {
  return Array.from({ length: PAGE }, (_, at) => rowOf(first - at))
}

const held = (pages: readonly (readonly { id: number }[])[]) => pages.flat().filter((row) => !isThin(row)).length

test('anyone who scrolls through 20,000 rows holds those of the pages around, and the ids of all', () => {
  let pages: readonly (readonly { id: number }[])[] = []
  let most = 0
  for (let first = ROWS; first > 0; first -= PAGE) {
    pages = [...pages, pageFrom(first)]
    const last = pages.length * PAGE - 1
    pages = thinned(pages, { first: last - 30, last })
    most = Math.max(most, held(pages))
  }
  expect(pages.flat()).toHaveLength(ROWS)
  expect(pages.flat().map(({ id }) => id)).toEqual(Array.from({ length: ROWS }, (_, at) => ROWS - at))
  expect(most).toBeLessThanOrEqual(HELD_MAX)
})

test('rows that come into sight again are asked for, with a page above and below', () => {
  const pages = Array.from({ length: 30 }, (_, at) => pageFrom(3_000 - at * PAGE))
  const end = thinned(pages, { first: 2_950, last: 2_999 })
  expect(lackingIn(end, { first: 2_950, last: 2_999 })).toEqual([])
  const wanted = lackingIn(end, { first: 120, last: 150 })
  expect(wanted).toEqual([...(pages[0] ?? []), ...(pages[1] ?? []), ...(pages[2] ?? [])].map(({ id }) => id))
})

test('a list of which nothing is far stays the same', () => {
  const pages = [pageFrom(200), pageFrom(100)]
  expect(thinned(pages, { first: 0, last: 30 })).toBe(pages)
  const far = Array.from({ length: 30 }, (_, at) => pageFrom(3_000 - at * PAGE))
  const once = thinned(far, { first: 0, last: 30 })
  expect(thinned(once, { first: 0, last: 30 })).toBe(once)
  expect(once[0]).toBe(far[0])
})
