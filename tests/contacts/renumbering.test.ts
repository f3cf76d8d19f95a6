import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AREAS } from '../../src/app/areas.ts'
import { renumberAfterUpgrade } from '../../src/contacts/renumbering.ts'
import { sql } from '../../src/database/drizzle.ts'
import { NUMBER_READER } from '../../src/phone.ts'
import { setCountry } from '../fixtures/records.ts'
import { insertRow } from '../support/rows.ts'
import { eventually, TestApp } from '../support/test-app.ts'

let app: TestApp

beforeAll(async () => {
  app = await TestApp.start()
})
afterAll(() => app.stop())

/** Changes the country, which has to be another one now, and waits until all numbers are read in it. */
async function move(code: string | null): Promise<void> {
  await setCountry(app, code)
  await isReadAnew()
}

async function isReadAnew(): Promise<void> {
  await eventually(async () => {
    const [settings] = await app.admin.ask<{ number_reader: number | false }[]>('connect.settings', 'search_read', {
      fields: ['number_reader'],
    })
    return settings?.number_reader === NUMBER_READER
  })
}

/** Jobs that were ever asked for. */
async function jobs(): Promise<number> {
  const [row] = await app.db.query<{ count: number }>(
    sql`select count(*)::int as count from jobs.job where name = 'renumbering'`,
  )
  return row?.count ?? 0
}

async function stored(table: string, id: number): Promise<Record<string, unknown>> {
  const [row] = await app.db.query(sql`select * from ${sql.identifier(table)} where id = ${id}::bigint`)
  return row ?? {}
}

/** When a contact was written last. */
async function newestWrite(): Promise<unknown> {
  const [row] = await app.db.query(sql`select max(write_date) as newest from res_partner`)
  return row
}

describe('a change of the country', () => {
  it('reads the numbers of contacts and tickets anew, and our own that have no country', async () => {
    await move('CH')
    const contact = await app.admin.ask<number>('res.partner', 'create', {
      vals_list: { name: 'Zoe', phone: '031 380 83 16', mobile: '079 500 09 92' },
    })
    const [germany] = await app.admin.ask<number[]>('res.country', 'search', { domain: [['code', '=', 'DE']] })
    const abroad = await app.admin.ask<number>('res.partner', 'create', {
      vals_list: { name: 'Dora', phone: '030 901820', country_id: germany },
    })
    const ticket = await app.admin.ask<number>('helpdesk.ticket', 'create', {
      vals_list: { name: 'Broken', partner_phone: '031 380 83 16' },
    })
    // As earlier versions stored what was written without a country.
    const numbers = await Promise.all(
      ['0313808317', '0313808318', '+15550100077'].map((number) =>
        insertRow(app.db, 'connect_telco_number', { phone_number: number }),
      ),
    )
    expect((await stored('res_partner', contact)).phone_normalized).toBe('+41313808316')

    await move('AT')
    expect(await stored('res_partner', contact)).toMatchObject({
      phone: '031 380 83 16',
      phone_normalized: '+43313808316',
      mobile_normalized: '+43795000992',
    })
    expect((await stored('res_partner', abroad)).phone_normalized).toBe('+4930901820')
    expect((await stored('helpdesk_ticket', ticket)).phone_normalized).toBe('+43313808316')
    const own = await Promise.all(numbers.map((id) => stored('connect_telco_number', id)))
    expect(own.map((row) => row.phone_number)).toEqual(['+43313808317', '+43313808318', '+15550100077'])
  })

  it('works through more rows than one step takes, and changes only what is another number now', async () => {
    await move('CH')
    await app.db.query(
      sql`insert into res_partner (name, active, phone, phone_normalized)
          select 'Many ' || n, true, '031 ' || (3000000 + n), '+4131' || (3000000 + n) from generate_series(1, 1200) n`,
    )
    await move('DE')
    const [wrong] = await app.db.query<{ count: number }>(
      sql`select count(*)::int as count from res_partner where name like 'Many %' and phone_normalized not like '+4931%'`,
    )
    expect(wrong?.count).toBe(0)
    const before = await newestWrite()
    expect(await app.admin.ask('connect.settings', 'renumber', { ids: [1] })).toBe(true)
    await isReadAnew()
    expect(await newestWrite()).toEqual(before)
  })

  it('leaves a number of ours that another record has already, and that one', async () => {
    await move(null)
    const taken = await insertRow(app.db, 'connect_telco_number', { phone_number: '+41445550101' })
    const written = await insertRow(app.db, 'connect_telco_number', { phone_number: '0445550101' })
    await move('CH')
    expect((await stored('connect_telco_number', taken)).phone_number).toBe('+41445550101')
    expect((await stored('connect_telco_number', written)).phone_number).toBe('0445550101')
  })

  it('starts one job, and any other change of the settings none', async () => {
    await move('DE')
    const before = await jobs()
    await setCountry(app, 'DE')
    await app.admin.ask('connect.settings', 'write', { ids: [1], vals: { debug_mode: false } })
    expect(await jobs()).toBe(before)
    const user = await app.person(['base.group_user', 'connect.group_user'])
    expect((await user.call('connect.settings', 'renumber', { ids: [1] })).status).toBe(403)
  })
})

it('reads stored numbers anew at the starts of a version that reads them otherwise, until they are read', async () => {
  await move('CH')
  const old = {
    phone: 'Tel. (+41) 79 555 01 75',
    phone_normalized: null,
    mobile: "'+229 97 12 34 56",
    mobile_normalized: '+22997123456',
  }
  const contact = await insertRow(app.db, 'res_partner', { name: 'Old reading', active: true, ...old })
  const own = await insertRow(app.db, 'connect_telco_number', { phone_number: '15550200104' })
  await app.db.query(sql`update connect_settings set number_reader = ${NUMBER_READER - 1}`)
  const before = await jobs()
  const upgraded = { db: app.db, platform: app.app.platform }
  const numbered = AREAS.flatMap((area) => area.numbered ?? [])
  await renumberAfterUpgrade(upgraded, numbered)
  expect(await jobs()).toBe(before + 1)
  await isReadAnew()
  await renumberAfterUpgrade(upgraded, numbered)
  expect(await jobs()).toBe(before + 1)
  expect(await stored('res_partner', contact)).toMatchObject({
    phone: old.phone,
    phone_normalized: '+41795550175',
    mobile_normalized: '+2290197123456',
  })
  expect((await stored('connect_telco_number', own)).phone_number).toBe('+15550200104')
  await move(null)
})

describe('looking up a contact by number', () => {
  interface Found {
    contact: number | null
    matches: { id: number; name: string }[]
  }
  let company = 0
  let anna = 0

  beforeAll(async () => {
    await move('CH')
    company = await app.admin.ask<number>('res.partner', 'create', {
      vals_list: { name: 'Acme', phone: '+41445551234', is_company: true },
    })
    anna = await app.admin.ask<number>('res.partner', 'create', {
      vals_list: { name: 'Anna', phone: '044 555 12 34', parent_id: company },
    })
  })

  const lookUp = (number: string) => app.admin.ask<Found>('res.partner', 'lookup_number', { number })

  it.each(['044 555 12 34', '+41445551234', '0041 44 555 12 34', 'sip:+41445551234@x'])(
    '%s finds whom a call would be shown as, and all who have it',
    async (number) => {
      const found = await lookUp(number)
      expect(found.contact).toBe(anna)
      expect(found.matches.map(({ id }) => id)).toEqual([company, anna])
      expect(found.matches[0]).toMatchObject({ name: 'Acme', phone_normalized: '+41445551234' })
    },
  )

  it('part of a number finds contacts only when the settings say so', async () => {
    expect(await lookUp('044 555 12 35')).toEqual({ contact: null, matches: [] })
    expect((await app.admin.call('res.partner', 'lookup_number', { number: '5551' })).status).toBe(422)
    await app.admin.ask('connect.settings', 'write', { ids: [1], vals: { number_search_operation: 'like' } })
    const part = await lookUp('5551')
    const whole = await lookUp('044 555 12 34')
    await app.admin.ask('connect.settings', 'write', { ids: [1], vals: { number_search_operation: '=' } })
    expect(part).toMatchObject({ contact: null, matches: [{ id: company }, { id: anna }] })
    expect(whole).toMatchObject({ contact: anna, matches: [{ id: company }, { id: anna }] })
  })

  it('refuses what is no number, and anybody who may not read contacts', async () => {
    const refused = await app.admin.call('res.partner', 'lookup_number', { number: 'nobody' })
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('\\"nobody\\" is not a phone number')])
    const nobody = await app.person([])
    expect((await nobody.call('res.partner', 'lookup_number', { number: '+41445551234' })).status).toBe(403)
  })
})
