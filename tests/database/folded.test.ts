// A text is folded alike by the service and by the database: what is found in a list is found in a search, and the other way round.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql } from '../../src/database/drizzle.ts'
import { foldText, patternToFold } from '../../src/folded-text.ts'
import { TestApp } from '../support/test-app.ts'

/** Letters of small scripts that have got their capitals since Unicode 12; the C library of a database may not know them. */
const NEW_CAPITALS = /[\u1c89\u2c2f\ua7c0-\ua7f5]/

let app: TestApp

beforeAll(async () => {
  app = await TestApp.start()
})
afterAll(() => app.stop())

it('every character of the first plane is folded alike in the code and in the database', async () => {
  const rows = await app.db.query<{ code: number; folded: string }>(
    sql`select code, connect_fold('a' || chr(code) || ' b') as folded from generate_series(1, 65535) code
        where code not between 55296 and 57343`,
  )
  expect(rows.length).toBe(65_535 - 2_048)
  const others = rows
    .map(({ code, folded }) => ({ text: `a${String.fromCharCode(Number(code))} b`, folded }))
    .filter(({ text, folded }) => foldText(text) !== folded && !NEW_CAPITALS.test(text))
  expect(others).toEqual([])
})

it.each([
  ["O'Brien", 'O`Brien'],
  ["O'Neill", 'Oneill'],
  ['\u02bbIolani', 'i\u2019olani'],
  ['Ka\u02bcimi', "Ka'imi"],
  ['O\u00b4Neill', 'O\uff40Neill'],
  ['Ödön', 'ODON'],
  ['ΟΔΟΣ', 'οδός'],
  ['a/b', 'a＼b'],
])('%s is found by %s', async (stored, wanted) => {
  const [row] = await app.db.query<{ stored: string; wanted: string }>(
    sql`select connect_fold(${stored}) as stored, connect_fold(${wanted}) as wanted`,
  )
  expect(row?.stored).toBe(row?.wanted)
  expect(foldText(stored)).toBe(foldText(wanted))
})

it('a pattern does not end in a backslash because folding leaves out the apostrophe after it', () => {
  expect(foldText(patternToFold("x\\'"))).toBe('x')
  expect(foldText(patternToFold('100\\%'))).toBe('100\\%')
})
