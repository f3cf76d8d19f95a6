// Who writes which setting and which field of a user: the declared lists, walked as everybody who could try.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writersOf } from '../../src/app/areas.ts'
import { sql } from '../../src/database/drizzle.ts'
import type { Writer } from '../../src/platform/model/writers.ts'
import { type Caller, TestApp } from '../support/test-app.ts'

type Verdict = 'writes' | 'refused' | 'set by the service'

let app: TestApp
let settingsId: number
let someone: number
let groups: Record<string, number>
let callers: Record<'manager' | 'admin' | 'user' | 'helpdesk', Caller>

beforeAll(async () => {
  app = await TestApp.start()
  const [row] = await app.admin.ask<{ id: number }[]>('connect.settings', 'search_read', { fields: ['id'] })
  settingsId = row?.id ?? 0
  someone = (await app.person(['connect.group_user'])).userId
  const rows = await app.admin.ask<{ id: number; external_id: string }[]>('res.groups', 'search_read')
  groups = Object.fromEntries(rows.map((each) => [each.external_id, each.id]))
  callers = {
    manager: await app.person(['base.group_erp_manager', 'connect.group_admin']),
    admin: await app.person(['connect.group_admin']),
    user: await app.person(['connect.group_user']),
    helpdesk: await app.person(['helpdesk.group_user']),
  }
})
afterAll(() => app.stop())

/** What the three kinds of people are told who try. */
function expected(writer: Writer): [manager: Verdict, admin: Verdict] {
  if (writer === 'service') return ['set by the service', 'set by the service']
  return ['writes', writer === 'administrators' ? 'writes' : 'refused']
}

async function verdictOf(caller: Caller, model: string, id: number, vals: object): Promise<Verdict> {
  const { status, text } = await caller.call(model, 'write', { ids: [id], vals })
  if (status === 200) return 'writes'
  if (status === 403) return 'refused'
  expect([status, text]).toEqual([422, expect.stringMatching(/is set by the service|is written on res.users.apikeys/)])
  return 'set by the service'
}

/** A value that can be stored in a setting; secrets and addresses get one of their own. */
async function settingValue(name: string): Promise<unknown> {
  if (name.includes('url') || name === 'sso_issuer') return 'https://elsewhere.example.com'
  if (/secret|token|api_key$/.test(name) && !name.startsWith('telco_api_key')) return 'a secret of the test'
  const [row] = await app.admin.ask<Record<string, unknown>[]>('connect.settings', 'read', {
    ids: [settingsId],
    fields: [name],
  })
  const value = row?.[name] ?? null
  return Array.isArray(value) ? value[0] : value
}

/** Another value than the one that is there. */
async function userValue(name: string): Promise<unknown> {
  const contact = await app.admin.ask<number>('res.partner', 'create', { vals_list: { name: `For ${name}` } })
  const values: Record<string, unknown> = {
    login: `login-${contact}`,
    name: `Name ${contact}`,
    active: true,
    share: contact % 2 === 0,
    partner_id: contact,
    tz: 'Europe/Zurich',
    group_ids: [groups['connect.group_user']],
    password: `ribbon lantern ${contact}`,
    connect_user: 1,
    is_colleague: true,
    is_in_helpdesk: true,
    is_in_connect: true,
    is_manager: true,
    preferences: {},
    external_id: `x.${contact}`,
    password_hash: 'x',
    sign_in_age: 7,
    api_key_ids: [],
  }
  return values[name]
}

describe('the lists of writers', () => {
  it('a setting is written by whom the list names', async () => {
    for (const [name, writer] of Object.entries(writersOf('connect.settings') ?? {})) {
      const vals = { [name]: await settingValue(name) }
      const [manager, admin] = expected(writer)
      const verdict = (caller: Caller) => verdictOf(caller, 'connect.settings', settingsId, vals)
      // A secret that the service alone sets is a manager's to read, so that others hear that it is not theirs.
      const isSecretOfService = writer === 'service' && /webhook_(id|secret|previous_secret)$/.test(name)
      expect([name, await verdict(callers.admin)]).toEqual([name, isSecretOfService ? 'refused' : admin])
      expect([name, await verdict(callers.user), await verdict(callers.helpdesk)]).toEqual([name, 'refused', 'refused'])
      expect([name, await verdict(callers.manager)]).toEqual([name, manager])
    }
  })

  it('a field of a user is written by whom the list names, also among others', async () => {
    for (const [name, writer] of Object.entries(writersOf('res.users') ?? {})) {
      const [manager, admin] = expected(writer)
      for (const more of [{}, { name: 'Somebody' }]) {
        const vals = { ...more, [name]: await userValue(name) }
        const verdict = (caller: Caller) => verdictOf(caller, 'res.users', someone, vals)
        const heard = [await verdict(callers.admin), await verdict(callers.user), await verdict(callers.helpdesk)]
        // The hash is shown to nobody, so that nobody hears more of it.
        if (['password_hash', 'sign_in_age', 'preferences'].includes(name)) {
          expect([name, ...heard]).toEqual([name, 'refused', 'refused', 'refused'])
          continue
        }
        expect([name, ...heard]).toEqual([name, admin, 'refused', 'refused'])
        expect([name, await verdict(callers.manager)]).toEqual([name, manager])
      }
    }
  })

  it('fields of users and settings say themselves who may write them', async () => {
    const fieldsOf = (model: string) =>
      callers.admin.ask<Record<string, { writable: boolean; written_when?: string }>>(model, 'fields_get')
    const [settings, users] = [await fieldsOf('connect.settings'), await fieldsOf('res.users')]
    expect([settings.api_fallback_url, settings.telco_verify_requests, settings.debug_mode]).toMatchObject([
      { writable: false },
      { writable: false },
      { writable: true },
    ])
    expect([users.login, users.group_ids, users.name]).toMatchObject([
      { writable: true, written_when: 'creating' },
      { writable: false },
      { writable: true },
    ])
  })

  it('a setting that leads to a takeover stands as it was when an administrator sends it among others', async () => {
    const vals = { company_name: 'Ours', api_fallback_url: 'https://evil.example.com', telco_verify_requests: false }
    const { status } = await callers.admin.call('connect.settings', 'write', { ids: [settingsId], vals })
    expect(status).toBe(403)
    const [row] = await app.db.query(
      sql`select api_fallback_url, telco_verify_requests, company_name from connect_settings`,
    )
    expect(row).not.toMatchObject({ api_fallback_url: 'https://evil.example.com' })
    expect(row).toMatchObject({ telco_verify_requests: true })
    expect(row).not.toMatchObject({ company_name: 'Ours' })
  })
})
