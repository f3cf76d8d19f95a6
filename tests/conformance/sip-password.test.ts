// Who reads the password of a SIP phone until the provider has it (docs/reference/domain.md#sip-credentials).
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql } from '../../src/database/drizzle.ts'
import { type Caller, TestApp } from '../support/test-app.ts'

const PASSWORD = 'Abcdefghi2345'

let app: TestApp
let anna: Caller
let ben: Caller
let boss: Caller
let phone = 0

beforeAll(async () => {
  app = await TestApp.start()
  anna = await app.person(['connect.group_user'], { name: 'Anna' })
  ben = await app.person(['connect.group_user'], { name: 'Ben' })
  boss = await app.person(['connect.group_admin'])
  phone = await app.admin.ask<number>('connect.user', 'create', {
    vals_list: { user: anna.userId, client_enabled: false, password: PASSWORD },
  })
})
afterAll(() => app.stop())

async function passwordFor(caller: Caller): Promise<unknown> {
  const rows = await caller.ask<{ password: unknown }[]>('connect.user', 'search_read', {
    domain: [['id', '=', phone]],
    fields: ['password'],
  })
  return rows.map((row) => row.password)
}

it('the owner and administrators do', async () => {
  expect(await passwordFor(anna)).toEqual([PASSWORD])
  expect(await passwordFor(boss)).toEqual([PASSWORD])
})

it('a colleague does not', async () => {
  expect(await passwordFor(ben)).toEqual([])
  expect((await ben.call('connect.user', 'read', { ids: [phone], fields: ['password'] })).status).toBe(404)
})

it('somebody who sees every row as the webhook does, but is no administrator, sees only their own', async () => {
  const both = await app.person(['connect.group_user', 'connect.group_webhook'])
  expect(await passwordFor(both)).toEqual([null])
  const [usual] = await both.ask<Record<string, unknown>[]>('connect.user', 'read', { ids: [phone] })
  expect(usual).toMatchObject({ id: phone, password: null })
})

it.each(['connect.group_webhook', 'base.group_erp_manager', 'helpdesk.group_manager', 'base.group_user'])(
  'somebody in %s alone does not',
  async (group) => {
    const person = await app.person([group])
    const answer = await person.call('connect.user', 'read', { ids: [phone], fields: ['password'] })
    expect(answer.status).toBe(403)
    expect(answer.text).not.toContain(PASSWORD)
  },
)

it('nobody finds a phone by it, or reads it where it is stored', async () => {
  for (const caller of [anna, boss]) {
    const domain = [['password', '=', PASSWORD]]
    expect((await caller.call('connect.user', 'search', { domain })).status).not.toBe(200)
  }
  const [row] = await app.db.query<{ password: string }>(
    sql`select password from connect_user where id = ${phone}::bigint`,
  )
  expect(row?.password).not.toContain(PASSWORD)
})
