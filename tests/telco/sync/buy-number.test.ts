// Numbers are searched and bought over HTTP, at the emulator, which refuses what the provider would.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../../src/database/drizzle.ts'
import { readArea } from '../../../src/telco/numbers/area-filter.ts'
import { PUBLIC_URL } from '../../support/telco.ts'
import type { Caller } from '../../support/test-app.ts'
import { refusal, SyncOffice } from './sync-office.ts'

const MODEL = 'connect.telco.number'
const US = { country: 'US', kind: 'local', monthly: { amount: '1.15', currency: 'USD' } }
const SWISS = { country: 'CH', kind: 'local', monthly: { amount: '1.00', currency: 'USD' } }
const SWISS_MOBILE = { country: 'CH', kind: 'mobile', monthly: { amount: '8.00', currency: 'USD' } }
const GERMAN = { country: 'DE', kind: 'local', monthly: { amount: '1.15', currency: 'USD' } }
const BUY = /^\/IncomingPhoneNumbers\.json$/

let office: SyncOffice

beforeAll(async () => {
  office = await SyncOffice.start()
  await office.setUp()
})
afterAll(() => office.stop())
afterEach(() => {
  office.telco.problems.check()
  office.line.reset()
})

interface Found {
  monthly: { amount: string; currency: string } | null
  numbers: { number: string; locality: string | null; sms: boolean; address_requirements: string }[]
}

const search = (args: object) => office.app.admin.ask<Found>(MODEL, 'search_available', args)
const tryToBuy = (args: object, who: Caller = office.app.admin) => who.call(MODEL, 'buy', args)
const buy = (args: object) => office.app.admin.ask<{ id: number; number: string; is_new: boolean }>(MODEL, 'buy', args)
const refused = (code: string) => ({ body: { context: { code } } })

describe('a search for numbers', () => {
  it('a search finds numbers of an area, with what they take, cost each month and want', async () => {
    const found = await search({ country: 'US', kind: 'local', area: '415', voice: true, sms: true })
    expect(found.monthly).toEqual({ amount: '1.15', currency: 'USD' })
    expect(found.numbers.length).toBeGreaterThan(3)
    for (const each of found.numbers) {
      expect(each).toMatchObject({ number: expect.stringMatching(/^\+1415/), sms: true, address_requirements: 'none' })
      expect(each.locality).toBe('San Francisco')
    }
    const inBern = await search({ country: 'CH', kind: 'local', area: 'bern' })
    expect(inBern.numbers.map(({ number }) => number.slice(0, 5))).toEqual(Array(10).fill('+4131'))
    expect((await search({ country: 'CH', kind: 'local', area: '031', sms: true })).numbers).toEqual([])
    expect((await search({ country: 'US', kind: 'toll_free' })).monthly?.amount).toBe('2.15')
  })

  it('countries are offered with the kinds of numbers that they have; for another one there is a sentence', async () => {
    const countries = await office.app.admin.ask<object[]>(MODEL, 'purchase_countries')
    expect(countries).toContainEqual({ code: 'US', kinds: ['local', 'toll_free'] })
    const answer = await office.app.admin.call(MODEL, 'search_available', { country: 'AT', kind: 'local' })
    expect(answer).toMatchObject({ status: 404, ...refused('no-numbers-of-kind') })
  })

  it('papers are said before: what the country asks for, and what the account has by name', async () => {
    const address = office.telco.addAddress({ name: 'Branch', country: 'AT' })
    const bundle = office.telco.addBundle({ name: 'Waiting', country: 'DE', kind: 'local', status: 'in-review' })
    const papers = await office.app.admin.ask(MODEL, 'purchase_papers', { country: 'DE', kind: 'local' })
    expect(papers).toMatchObject({
      papers: ['Business', 'Proof of address'],
      addresses: [{ sid: address, name: 'Branch', country: 'AT' }],
      bundles: [],
    })
    office.telco.account.bundles.remove(bundle)
    office.telco.account.addresses.remove(address)
    expect(await office.app.admin.ask(MODEL, 'purchase_papers', { country: 'US', kind: 'local' })).toMatchObject({
      papers: [],
    })
  })

  it.each([
    ['', { country: 'US', kind: 'local' }, {}],
    ['415', { country: 'US', kind: 'local' }, { areaCode: 415 }],
    ['833', { country: 'US', kind: 'toll_free' }, { contains: '+1833' }],
    ['030', { country: 'DE', kind: 'local' }, { contains: '+4930' }],
    ['+49 (30)', { country: 'DE', kind: 'local' }, { contains: '+4930' }],
    ['0041 43', { country: 'CH', kind: 'local' }, { contains: '+4143' }],
    ['06', { country: 'IT', kind: 'local' }, { contains: '+3906' }],
    [' Zürich ', { country: 'CH', kind: 'local' }, { locality: 'Zürich' }],
  ] as const)('the area %j of %j is asked for as %j', (area, of, filter) => {
    expect(readArea(area, of)).toEqual(filter)
  })
})

describe('a purchase', () => {
  it('a number that is bought leads here from its first call on, and is stored in one go with a line in the audit', async () => {
    const number = '+14155551000'
    const { id, is_new: isNew } = await buy({ number, ...US })
    expect(isNew).toBe(true)
    const [asked, ...others] = office.line.changes(BUY)
    expect(others).toEqual([])
    const sent = Object.fromEntries(new URLSearchParams(asked?.body))
    expect(sent).toMatchObject({
      PhoneNumber: number,
      VoiceUrl: expect.stringContaining(`${PUBLIC_URL}/telco/webhook/number`),
      StatusCallback: expect.stringContaining(`${PUBLIC_URL}/telco/webhook/callstatus`),
      SmsUrl: expect.stringContaining(`${PUBLIC_URL}/telco/webhook/message`),
    })
    const there = office.telco.account.numbers.findWhere('phone_number', number)
    expect(await office.one(MODEL, [['phone_number', '=', number]])).toMatchObject({
      id,
      sid: there?.sid,
      voice_url: there?.voice_url,
      message_url: there?.sms_url,
      sync_error: null,
    })
    const lines = await office.list('connect.audit', [['what', '=', 'buy']])
    expect(lines).toMatchObject([{ model: MODEL }])
    expect(
      (await search({ country: 'US', kind: 'local', area: '415' })).numbers.map((each) => each.number),
    ).not.toContain(number)
  })

  it('pressed twice at once, a number is bought once and both get it', async () => {
    const wanted = { number: '+14155551001', ...US }
    const [one, other] = await Promise.all([buy(wanted), buy(wanted)])
    expect(other.id).toBe(one.id)
    expect([one.is_new, other.is_new].toSorted()).toEqual([false, true])
    expect(office.line.changes(BUY)).toHaveLength(1)
  })

  it('an answer that was lost is no second purchase: the number is found in the account', async () => {
    office.line.plan('POST', BUY, { isLost: true })
    const { id } = await buy({ number: '+14155551002', ...US })
    expect(office.line.changes(BUY)).toHaveLength(1)
    expect((await office.one(MODEL, [['id', '=', id]])).phone_number).toBe('+14155551002')
  })

  it('a number that was entered by hand is linked with the one that is bought', async () => {
    const id = await office.create(MODEL, { phone_number: '+14155551003', friendly_name: 'Main' })
    expect((await buy({ number: '+14155551003', ...US })).id).toBe(id)
    expect(await office.one(MODEL, [['id', '=', id]])).toMatchObject({ friendly_name: 'Main', sid: expect.any(String) })
  })

  it('another price than the one that was shown is said, and nothing is bought', async () => {
    const answer = await tryToBuy({ number: '+14155551004', ...US, monthly: { amount: '1.00', currency: 'USD' } })
    expect(answer).toMatchObject({ status: 409, ...refused('number-price-changed') })
    expect(JSON.stringify(answer.body)).toContain('$1.15')
    expect(office.line.changes(BUY)).toEqual([])
  })

  it('a number without a price is not bought', async () => {
    office.line.plan('GET', /PhoneNumbers\/Countries\/US$/, {
      status: 404,
      body: { status: 404, code: 20404, message: 'x' },
    })
    expect(await tryToBuy({ number: '+14155551004', ...US })).toMatchObject(refused('number-price-unknown'))
    expect(office.line.changes(BUY)).toEqual([])
  })

  it('a number that is not for sale is none to buy', async () => {
    expect(await tryToBuy({ number: '+14155559999', ...US })).toMatchObject(refused('number-not-for-sale'))
    expect(office.line.changes(BUY)).toEqual([])
  })

  it('an address that the number wants is asked for before, and must be where it is wanted', async () => {
    const number = '+41435551000'
    expect(await tryToBuy({ number, ...SWISS })).toMatchObject(refused('number-wants-address'))
    const unknown = `AD${'0'.repeat(32)}`
    expect(await tryToBuy({ number, ...SWISS, address_sid: unknown })).toMatchObject(refused('number-wants-address'))
    const abroad = office.telco.addAddress({ name: 'Branch', country: 'AT' })
    const mobile = { number: '+41765551000', ...SWISS_MOBILE, address_sid: abroad }
    expect(await tryToBuy(mobile)).toMatchObject(refused('number-wants-local-address'))
    expect(office.line.changes(BUY)).toEqual([])
    expect((await buy({ number, ...SWISS, address_sid: abroad })).is_new).toBe(true)
    const home = office.telco.addAddress({ name: 'Head office', country: 'CH' })
    expect((await buy({ ...mobile, address_sid: home })).is_new).toBe(true)
    const estonian = { number: '+3725551000', country: 'EE', kind: 'mobile', monthly: { amount: '3', currency: 'USD' } }
    expect(await tryToBuy(estonian)).toMatchObject(refused('number-wants-foreign-address'))
    expect((await buy({ ...estonian, address_sid: home })).is_new).toBe(true)
  })

  it('papers that the country wants are named before, and only approved ones buy a number', async () => {
    const home = office.telco.addAddress({ name: 'Berlin', country: 'DE' })
    const wanted = { number: '+493055551000', ...GERMAN, address_sid: home }
    const answer = await tryToBuy(wanted)
    expect(answer).toMatchObject(refused('number-wants-papers'))
    expect(JSON.stringify(answer.body)).toContain('Proof of address')
    const waiting = office.telco.addBundle({ name: 'New', country: 'DE', kind: 'local', status: 'in-review' })
    const tried = { ...wanted, bundle_sid: waiting }
    expect(await tryToBuy(tried)).toMatchObject(refused('number-wants-papers'))
    expect(office.line.changes(BUY)).toEqual([])
    const approved = office.telco.addBundle({ name: 'Acme', country: 'DE', kind: 'local' })
    expect((await buy({ ...tried, bundle_sid: approved })).is_new).toBe(true)
  })

  it.each([
    [21422, 'number-not-for-sale'],
    [21631, 'number-wants-address'],
    [21649, 'number-wants-approved-papers'],
    [10002, 'trial-account-numbers'],
    [20001, 'phone-provider-refused'],
  ])('error %d of the provider is the sentence of %s', async (code, sentence) => {
    office.line.plan('POST', BUY, refusal(400, code, 'No'))
    expect(await tryToBuy({ number: '+14155551005', ...US })).toMatchObject(refused(sentence))
    expect(await office.list(MODEL, [['phone_number', '=', '+14155551005']])).toEqual([])
  })

  it('a Connect user neither searches nor buys', async () => {
    const user = await office.app.person(['connect.group_user'])
    const query = { country: 'US', kind: 'local' }
    expect((await user.call(MODEL, 'search_available', query)).status).toBe(403)
    expect((await user.call(MODEL, 'purchase_countries', {})).status).toBe(403)
    expect((await user.call(MODEL, 'purchase_papers', query)).status).toBe(403)
    expect((await tryToBuy({ number: '+14155551006', ...US }, user)).status).toBe(403)
    expect(office.line.asked).toEqual([])
  })

  it('a purchase without a public address is refused: its calls would lead nowhere', async () => {
    await office.settings({ api_url: null })
    expect((await tryToBuy({ number: '+14155551007', ...US })).status).toBe(422)
    expect(office.line.asked).toEqual([])
    await office.settings({ api_url: PUBLIC_URL })
  })

  it('no record is left without its number at the provider', async () => {
    const rows = await office.app.db.query(sql`select 1 from connect_telco_number where sid is null`)
    expect(rows).toEqual([])
  })
})
