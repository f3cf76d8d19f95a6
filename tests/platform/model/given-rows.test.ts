// Rows that a statement is given: what is left out, what is null, and values of each kind, as the database reads them.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql } from '../../../src/database/drizzle.ts'
import { statement } from '../../../src/database/statement.ts'
import { boolean, char, datetime, float, json, many2one } from '../../../src/platform/model/fields.ts'
import { type GivenRows, givenRows } from '../../../src/platform/model/given-rows.ts'
import { defineModel } from '../../../src/platform/model/model.ts'
import { TestApp } from '../../support/test-app.ts'

const lampModel = defineModel({
  name: 'test.lamp',
  label: 'Lamp',
  order: 'id',
  fields: {
    name: char('Name'),
    partner: many2one('Owner', 'res.partner'),
    watts: float('Watts'),
    is_on: boolean('On'),
    since: datetime('Since'),
    facts: json('Facts'),
  },
})
const COLUMNS = ['name', 'partner', 'watts', 'is_on', 'since', 'facts'] as const
const READ = statement<Record<string, unknown>, GivenRows>(
  'test_given_rows',
  sql`select r.*, pg_typeof(r.rooms)::text as kind from ${givenRows(lampModel, COLUMNS, { rooms: 'bigint[]' })}`,
)

let app: TestApp

beforeAll(async () => {
  app = await TestApp.start()
})
afterAll(() => app.stop())

const EMPTY = { name: null, partner: null, watts: null, is_on: null, since: null, facts: null, rooms: null }

it('given rows come in their order, with null for what is null and for what is left out', async () => {
  const rows = [{ name: 'first', facts: null }, {}, { name: 'third', rooms: [] }]
  expect(await app.db.run(READ, { rows })).toEqual([
    { ...EMPTY, name: 'first', kind: 'bigint[]' },
    { ...EMPTY, kind: 'bigint[]' },
    { ...EMPTY, name: 'third', rooms: [], kind: 'bigint[]' },
  ])
  expect(await app.db.run(READ, { rows: [] })).toEqual([])
})

it.each([
  ['an object', { volts: [1, null, '2'] }],
  ['a text that looks like JSON', 'null'],
  ['a number', 0],
  ['false', false],
  ['an empty list', []],
])('given rows keep JSON that is %s', async (_, facts) => {
  const [row] = await app.db.run(READ, { rows: [{ facts }] })
  expect(row?.facts).toEqual(facts)
})

it('given rows keep texts and numbers as they are', async () => {
  const row = {
    name: 'Lamp "of" the \\ {hall}, 💡\nand \u2028 more',
    partner: 9_007_199_254_740_991,
    watts: 0.1,
    is_on: false,
    since: '2026-02-28 23:59:59.123456',
    facts: { name: 'it', on: true },
    rooms: [3, 1, 2],
  }
  expect(await app.db.run(READ, { rows: [row, { ...row, name: '' }] })).toEqual([
    { ...row, kind: 'bigint[]' },
    { ...row, name: '', kind: 'bigint[]' },
  ])
})
