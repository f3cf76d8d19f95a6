// Two people on one record: anyone who comes second is told who was first, and overwrites nothing unknowingly.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Caller, TestApp } from '../../support/test-app.ts'

let app: TestApp
let [eve, ada] = [] as unknown as [Caller, Caller]

beforeAll(async () => {
  app = await TestApp.start()
  eve = await app.person(['connect.group_user'])
  ada = await app.person(['connect.group_admin'])
})
afterAll(() => app.stop())

interface Stamped {
  write_stamp: string
  write_date: string
  write_uid: [number, string] | null
}

const contact = () => eve.ask<number>('res.partner', 'create', { vals_list: { name: 'Zoe Miller' } })
const stampOf = async (id: number) => {
  const fields = ['write_stamp', 'write_date', 'write_uid']
  const [row] = await eve.ask<Stamped[]>('res.partner', 'read', { ids: [id], fields })
  if (row === undefined) throw new Error('there is no such contact')
  return row
}
const write = (caller: Caller, id: number, vals: object, since?: unknown) =>
  caller.call('res.partner', 'write', { ids: [id], vals, context: { unchanged_since: since } })

it('a change of a record as it was read is made, and moves its version on', async () => {
  const id = await contact()
  const before = await stampOf(id)
  expect(before.write_stamp).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?$/)
  expect(before.write_stamp.startsWith(before.write_date)).toBe(true)
  expect((await write(eve, id, { phone: '+41313808316' }, before.write_stamp)).status).toBe(200)
  const after = await stampOf(id)
  expect([after.write_stamp === before.write_stamp, after.write_uid?.[0]]).toEqual([false, eve.userId])
})

it('a change of a record that somebody else has changed says who, when and what', async () => {
  const id = await contact()
  const { write_stamp: since } = await stampOf(id)
  await ada.ask('res.partner', 'write', { ids: [id], vals: { name: 'Zoe Moss', phone: '+41313808316' } })
  const { status, body } = await write(eve, id, { name: 'Zoe Muller', email: null }, since)
  const { write_stamp: at } = await stampOf(id)
  const context = { code: 'changed-meanwhile', model: 'res.partner', at, by: [ada.userId, expect.any(String)] }
  expect([status, body]).toMatchObject([409, { context: { ...context, fields: ['name'] } }])
  const [row] = await eve.ask<object[]>('res.partner', 'read', { ids: [id], fields: ['name'] })
  expect(row).toMatchObject({ name: 'Zoe Moss' })
})

it('the time of the last change in whole seconds is a version too', async () => {
  const id = await contact()
  const { write_date: since } = await stampOf(id)
  expect((await write(eve, id, { name: 'Zoe' }, since)).status).toBe(200)
  expect((await write(eve, id, { name: 'Zoe' }, '2020-01-01 00:00:00')).status).toBe(409)
})

it.each([
  ['a version that is none', 'yesterday', 422],
  ['a version that is a number', 7, 422],
  ['no version', null, 200],
])('%s is refused or left out', async (_what, since, status) => {
  expect((await write(eve, await contact(), { name: 'Zoe' }, since)).status).toBe(status)
})

it('a version tells nothing of a record that one may not see', async () => {
  const helpdesk = await app.person(['helpdesk.group_user'])
  expect((await write(helpdesk, await contact(), { name: 'x' }, '2020-01-01 00:00:00')).status).toBe(403)
  expect((await write(eve, 2_147_483_647, { name: 'x' }, '2020-01-01 00:00:00')).status).toBe(404)
})
