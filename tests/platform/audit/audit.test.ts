// Who changed what: written wherever somebody changes a record or has something done, and by nobody else.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql } from '../../../src/database/drizzle.ts'
import { aCall } from '../../fixtures/records.ts'
import { type Caller, TestApp } from '../../support/test-app.ts'

interface Line {
  user: [number, string]
  key: string | null
  via: string
  model: string
  res_id: number | null
  what: string
  changes: Record<string, unknown> | null
  at: string
}

let app: TestApp
let ada: Caller

beforeAll(async () => {
  app = await TestApp.start()
  ada = await app.person(['connect.group_admin', 'base.group_erp_manager'], { login: 'ada' })
})
afterAll(() => app.stop())

function lines(domain: unknown[]): Promise<Line[]> {
  return app.admin.ask<Line[]>('connect.audit', 'search_read', { domain, order: 'id' })
}

it('a record is made, changed and removed: who, by which key, and what it was before and after', async () => {
  const id = await ada.ask<number>('connect.telco.business_hours', 'create', {
    vals_list: { name: 'Office', tz: 'UTC' },
  })
  await ada.ask('connect.telco.business_hours', 'write', { ids: [id], vals: { name: 'Shop', tz: 'UTC' } })
  await ada.ask('connect.telco.business_hours', 'unlink', { ids: [id] })
  const [made, changed, removed, ...others] = await lines([
    ['model', '=', 'connect.telco.business_hours'],
    ['res_id', '=', id],
  ])
  expect(others).toEqual([])
  expect(made).toMatchObject({ user: [ada.userId, expect.any(String)], via: 'key', what: 'create' })
  expect(made?.key).toEqual(expect.any(String))
  expect(made?.changes).toMatchObject({ name: [null, 'Office'] })
  expect(changed).toMatchObject({ what: 'write', changes: { name: ['Office', 'Shop'] } })
  expect(removed).toMatchObject({ what: 'unlink', changes: { display_name: ['Shop', null] } })
  expect(made?.at).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}$/)
})

it('the audit says of a secret only that it changed, and so it does of what is about a caller', async () => {
  await ada.ask('connect.settings', 'write', {
    ids: [1],
    vals: { auth_token: 'a very secret token', call_duration_limit: 99 },
  })
  const [settings] = (await lines([['model', '=', 'connect.settings']])).slice(-1)
  expect(settings?.changes).toMatchObject({ auth_token: 'changed', call_duration_limit: [expect.any(Number), 99] })
  const contact = await ada.ask<number>('res.partner', 'create', {
    vals_list: { name: 'Zoe Miller', phone: '+41313808316' },
  })
  await ada.ask('res.partner', 'write', { ids: [contact], vals: { name: 'Zoe Mueller' } })
  await ada.ask('res.partner', 'unlink', { ids: [contact] })
  const about = await lines([
    ['model', '=', 'res.partner'],
    ['res_id', '=', contact],
  ])
  expect(about.map(({ what }) => what)).toEqual(['create', 'write', 'unlink'])
  expect(about[1]?.changes).toMatchObject({ name: 'changed' })
  const stored = await app.db.query<{ text: string }>(
    sql`select coalesce(changes::text, '') as text from connect_audit`,
  )
  expect(stored.filter(({ text }) => /Zoe|808316|very secret/.test(text))).toEqual([])
})

it('a method that does something stands in the audit too; reading and what is refused do not', async () => {
  const before = await lines([])
  await ada.ask('res.users', 'api_key_create', { ids: [ada.userId], name: 'nightly' })
  await ada.ask('res.users', 'search_read', {})
  expect(
    (await ada.call('connect.telco.business_hours', 'write', { ids: [4_711_000], vals: { name: 'x' } })).status,
  ).toBe(404)
  const after = await lines([])
  expect(after.slice(before.length).map(({ what, model, res_id: id }) => [what, model, id])).toEqual([
    ['api_key_create', 'res.users', ada.userId],
  ])
})

it('what a webhook writes is not in the audit', async () => {
  const call = await aCall(app)
  const before = (await lines([])).length
  const answer = await app.tool('/connect_voiceai_helpdesk/create_ticket', { call_id: call, subject: 'Leaking boiler' })
  expect(answer.status).toBe(200)
  expect(await app.count('helpdesk_ticket')).toBeGreaterThan(0)
  expect((await lines([])).slice(before)).toEqual([])
})

it('administrators read the audit, and nobody writes it', async () => {
  expect((await ada.call('connect.audit', 'create', { vals_list: {} })).status).toBe(403)
  expect((await ada.call('connect.audit', 'unlink', { ids: [1] })).status).toBe(403)
  const user = await app.person(['connect.group_user'])
  expect((await user.call('connect.audit', 'search_read', {})).status).toBe(403)
})
