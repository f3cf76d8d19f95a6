// What a provider reports, and what the service knows a record by, is changed by the service alone: each field that is declared
// so is tried by each person and by the webhooks' identity. A new record may come with it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../src/database/drizzle.ts'
import { aSid } from '../fixtures/records.ts'
import { type Caller, TestApp } from '../support/test-app.ts'

type Values = Record<string, unknown>

/** A record of each model, with all its fields of that kind; what they are changed to. */
const REPORTED: Record<string, { values(): Promise<Values> | Values; changed: Values; more?: () => Promise<Values> }> =
  {
    'connect.telco.number': {
      values: () => ({ sid: aSid('PN') }),
      changed: { sid: aSid('PN') },
      more: async () => ({ phone_number: '+41310004001' }),
    },
    'connect.telco.outgoing_callerid': {
      values: () => ({ callerid_type: 'number', status: 'validated' }),
      changed: { callerid_type: 'outgoing_callerid', status: 'not validated' },
      more: async () => ({ number: '+41310004002', friendly_name: 'Desk' }),
    },
    'connect.telco.domain': {
      values: () => ({ sid: aSid('SD'), cred_list_sid: aSid('CL') }),
      changed: { sid: aSid('SD'), cred_list_sid: aSid('CL') },
      more: async () => ({ subdomain: 'desk', friendly_name: 'Desk' }),
    },
    'connect.whatsapp_sender': {
      values: () => ({
        ...{
          number: '+41310004003',
          sid: aSid('XE'),
          status: 'ONLINE',
          url: 'https://messaging.twilio.com/v2/senders/1',
        },
        offline_reasons: 'none',
      }),
      changed: {
        ...{ number: '+41310004004', sid: aSid('XE'), status: 'OFFLINE', url: 'https://elsewhere.example' },
        offline_reasons: 'another',
      },
    },
    'connect.message_content_template': {
      values: () => ({
        ...{ sid: aSid('HX'), status: 'rejected', rejection_reason: 'INVALID_FORMAT', allow_category_change: false },
        ...{ approval_create_url: 'https://content.twilio.com/a', approval_fetch_url: 'https://content.twilio.com/b' },
        ...{ date_created: '2026-01-01 10:00:00', date_updated: '2026-01-02 10:00:00' },
      }),
      changed: {
        ...{ sid: aSid('HX'), status: 'approved', rejection_reason: null, allow_category_change: true },
        ...{ approval_create_url: 'https://elsewhere.example/a', approval_fetch_url: 'https://elsewhere.example/b' },
        ...{ date_created: '2027-01-01 10:00:00', date_updated: '2027-01-02 10:00:00' },
      },
      more: async () => ({ friendly_name: 'hello', body: 'Hello', language: await aLanguage() }),
    },
  }

let app: TestApp
let callers: Record<'administrator' | 'manager' | 'webhook', Caller>

beforeAll(async () => {
  app = await TestApp.start()
  callers = {
    administrator: await app.person(['connect.group_admin']),
    manager: await app.person(['base.group_erp_manager', 'connect.group_admin']),
    webhook: await app.webhookUser(),
  }
})
afterAll(() => app.stop())

async function aLanguage(): Promise<number> {
  const [id = 0] = await app.admin.ask<number[]>('res.lang', 'search', { domain: [['code', '=', 'en_US']] })
  return id
}

const stored = (model: string, id: number) =>
  app.db.query(sql`select * from ${sql.identifier(model.replaceAll('.', '_'))} where id = ${id}::bigint`)

it('every field that the service alone changes is tried below', () => {
  const declared = [...app.app.platform.models].flatMap(({ name, fields }) =>
    Object.entries(fields).flatMap(([field, { changedBy }]) => (changedBy === undefined ? [] : [`${name}.${field}`])),
  )
  const tried = Object.entries(REPORTED).flatMap(([name, { changed }]) =>
    Object.keys(changed).map((field) => `${name}.${field}`),
  )
  expect(declared.sort()).toEqual(tried.sort())
})

describe.each(Object.keys(REPORTED))('%s', (model) => {
  it('comes with what was reported, and nobody changes it', async () => {
    const { values, changed, more } = REPORTED[model] ?? { values: () => ({}), changed: {} }
    const given = await values()
    const id = await app.admin.ask<number>(model, 'create', { vals_list: { ...(await more?.()), ...given } })
    const [row] = await app.admin.ask<Values[]>(model, 'read', { ids: [id], fields: Object.keys(given) })
    expect(row).toMatchObject(given)
    const before = await stored(model, id)
    const fields = await app.admin.ask<Record<string, Values>>(model, 'fields_get')
    for (const [name, value] of Object.entries(changed)) {
      expect([name, fields[name]?.written_when]).toEqual([name, 'creating'])
      for (const caller of [callers.manager, callers.administrator, callers.webhook, app.admin]) {
        const { status, text } = await caller.call(model, 'write', { ids: [id], vals: { [name]: value } })
        if (status === 403 && caller !== app.admin) continue
        expect([name, status, text]).toEqual([
          name,
          422,
          expect.stringContaining(`\\"${name}\\" of ${model} is set by`),
        ])
      }
    }
    expect(await stored(model, id)).toEqual(before)
  })
})

it('one refusal names each such field of a change, and nothing else of it is stored', async () => {
  const values = { number: '+41310004009', sid: aSid('XE'), status: 'OFFLINE' }
  const id = await app.admin.ask<number>('connect.whatsapp_sender', 'create', { vals_list: values })
  const vals = { status: 'ONLINE', sid: aSid('XE'), no_sync: true }
  const answer = await app.admin.call('connect.whatsapp_sender', 'write', { ids: [id], vals })
  expect(answer.status).toBe(422)
  const { problems } = (answer.body as { context: { problems: { field: string }[] } }).context
  expect(problems.map(({ field }) => field)).toEqual(['status', 'sid'])
  expect(await stored('connect.whatsapp_sender', id)).toMatchObject([{ ...values, no_sync: false }])
})
