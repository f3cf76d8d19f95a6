// Names stand in lists where people look for them, whatever letters they begin with.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { TestApp } from '../../support/test-app.ts'

const NAMES = ['Zoe', 'Łukasz', 'Ábel', 'anna', 'Mona', 'Özil', 'O’Neill', 'Oskar']
const SORTED = ['Ábel', 'anna', 'Łukasz', 'Mona', 'O’Neill', 'Oskar', 'Özil', 'Zoe']

let app: TestApp

beforeAll(async () => {
  app = await TestApp.start()
})
afterAll(() => app.stop())

test.each([
  { model: 'res.partner', order: undefined },
  { model: 'res.partner', order: 'name' },
  { model: 'connect.telco.callflow', order: undefined },
])('the names of $model are sorted by $order as people read them', async ({ model, order }) => {
  await app.admin.ask(model, 'create', { vals_list: NAMES.map((name) => ({ name })) })
  const rows = await app.admin.ask<{ name: string }[]>(model, 'search_read', {
    ...{ domain: [['name', 'in', NAMES]], fields: ['name'], limit: NAMES.length * 2 },
    ...(order === undefined ? {} : { order }),
  })
  expect([...new Set(rows.map(({ name }) => name))]).toEqual(SORTED)
})

test('colleagues are, too', async () => {
  const vals_list = NAMES.map((name, at) => ({ name, login: `somebody${at}` }))
  await app.admin.ask('res.users', 'create', { vals_list })
  const rows = await app.admin.ask<{ name: string }[]>('res.users', 'search_read', {
    ...{ domain: [['name', 'in', NAMES]], fields: ['name'], order: 'name' },
  })
  expect(rows.map(({ name }) => name)).toEqual(SORTED)
})

test('backwards they are sorted alike', async () => {
  const rows = await app.admin.ask<{ name: string }[]>('connect.telco.callflow', 'search_read', {
    ...{ domain: [['name', 'in', NAMES]], fields: ['name'], order: 'name desc' },
  })
  expect(rows.map(({ name }) => name)).toEqual(SORTED.toReversed())
})
