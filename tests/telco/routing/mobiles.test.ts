// A person is rung on their mobile: which number may be, what the mobile hears, and what each end of its leg leads to.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../../src/database/drizzle.ts'
import { mobileScreening } from '../../../src/telco/routing/decide/mobile.ts'
import { sentence } from '../../../src/telco/sentences/sentence.ts'
import { BASE, CUSTOMER, EDGE, Exchange, HANGUP, MAIN_NUMBER, REPORT, response, UNANSWERED, valid } from './exchange.ts'

const MOBILE = '+41791234567'
const OTHER = '+41797654321'

let exchange: Exchange
let gus = 0

beforeAll(async () => {
  exchange = await Exchange.start()
  await exchange.settings({ mobile_countries: 'CH, de' })
  gus = await exchange.user('gus', {
    client_enabled: false,
    username: null,
    domain: null,
    mobile_enabled: true,
    mobile_number: '+41 79 123 45 67',
    language: 'de-DE',
  })
  await exchange.number(MAIN_NUMBER, { destination: 'user', user: gus })
})

afterAll(() => exchange.stop())

function mobileDial(user: number, { number = MOBILE, callerId = CUSTOMER, seconds = 20, query = '' } = {}): string {
  const action = `${BASE}/telco/webhook/connect.user/call_action/${user}`
  const status = `statusCallback="${BASE}/telco/webhook/callstatus${REPORT}" statusCallbackEvent="initiated completed"`
  return `<Dial timeout="${seconds}" callerId="${callerId}" action="${action}${query}${EDGE}" answerOnBridge="true" ringTone="us"><Number url="${action}?mobile=picked-up${EDGE}" ${status}>${number}</Number></Dial>`
}

async function screening(options: Parameters<Exchange['request']>[0], model = 'connect.user'): Promise<string> {
  const request = await exchange.request(options)
  return valid(await exchange.route(mobileScreening, { ...request, params: { ...request.params, model } }))
}

const asked = (words: string): string =>
  response(
    `<Gather action="${BASE}/telco/webhook/connect.user/call_action/${gus}?mobile=key${EDGE}" method="POST" timeout="8" numDigits="1" finishOnKey="" input="dtmf"><Say language="de-DE" voice="woman">${words}</Say></Gather>`,
    '<Hangup/>',
  )

describe('the mobile of a person', () => {
  test('rings with a tone for the caller, whose number it shows, and needs neither user name nor SIP domain', async () => {
    const callId = await exchange.call()
    expect(await exchange.toNumber({ callId })).toBe(response(mobileDial(gus)))
    expect(await exchange.tried(callId)).toEqual(['mobile'])
  })

  test('hears who calls by name, by number, or that it is withheld, in the language of the person', async () => {
    const partner = await exchange.create('res.partner', { name: 'Ann <Miller>' })
    const of = (form: Record<string, string>) => ({ ...form, Direction: 'outbound-dial', To: MOBILE })
    const query = 'mobile=picked-up'
    const named = { record: gus, query, callId: await exchange.call({ partner }), form: of({ From: CUSTOMER }) }
    expect(await screening(named)).toBe(asked(sentence('mobileAsks', 'de-DE').replace('{{caller}}', 'Ann Miller')))
    const numbered = { record: gus, query, form: of({ From: CUSTOMER }) }
    expect(await screening(numbered)).toContain('von 1 4 1 5 5 5 5 0 1 0 0.')
    const withheld = { record: gus, query, form: of({ From: MAIN_NUMBER }) }
    expect(await screening(withheld)).toBe(asked(sentence('mobileAsksUnknown', 'de-DE')))
    expect(await screening({ ...numbered, record: 999_999 })).toContain('<Say>A call from')
  })

  test('a mobile is connected by 1 alone', async () => {
    const key = (Digits: string) => screening({ record: gus, query: 'mobile=key', form: { Digits } })
    expect(await key('1')).toBe(
      response(`<Say language="de-DE" voice="woman">${sentence('mobileConnects', 'de-DE')}</Say>`),
    )
    for (const other of ['2', '#', '*', '', '11']) expect(await key(other)).toBe(HANGUP)
    expect(await screening({ record: gus, query: 'mobile=picked-up', form: { Digits: '1' } })).toContain('<Gather')
  })

  test.each([
    ['a voicemail picked up, somebody pressed 2 or nothing', { DialCallStatus: 'completed', DialBridged: 'false' }],
    ['it was busy or declined', { DialCallStatus: 'busy' }],
    ['it rang in vain', { DialCallStatus: 'no-answer' }],
    ['it could not be reached', { DialCallStatus: 'failed' }],
  ])('leads to the next step when %s', async (_what, form) => {
    const user = await exchange.user(`next${form.DialCallStatus.replace('-', '')}${'DialBridged' in form ? 'x' : ''}`, {
      mobile_enabled: true,
      mobile_number: MOBILE,
      mobile_priority: '1',
      client_priority: '2',
    })
    await exchange.extension(`7${user}`, `connect.user,${user}`)
    const callId = await exchange.call()
    expect(await exchange.toDomain(`7${user}`, { callId, form: { From: CUSTOMER } })).toContain(MOBILE)
    expect(await exchange.userAction(user, { callId, form })).toContain('<Client')
    expect(await exchange.userAction(user, { callId, form })).toBe(UNANSWERED)
  })

  test('ends the call when somebody talked, or the caller is gone', async () => {
    for (const form of [{ DialCallStatus: 'completed', DialBridged: 'true' }, { CallStatus: 'completed' }]) {
      const callId = await exchange.call()
      await exchange.toNumber({ callId })
      expect(await exchange.userAction(gus, { callId, form })).toBe(HANGUP)
    }
  })

  test('shows the default caller id for a caller who shows none', async () => {
    await exchange.create('connect.telco.outgoing_callerid', {
      number: '+14155550190',
      friendly_name: 'Main',
      callerid_type: 'number',
      is_default: true,
    })
    const form = { From: 'anonymous', Caller: 'anonymous' }
    expect(await exchange.toNumber({ form })).toBe(response(mobileDial(gus, { callerId: '+14155550190' })))
    const whatsApp = { From: `whatsapp:${CUSTOMER}`, Caller: `whatsapp:${CUSTOMER}` }
    expect(await exchange.toNumber({ form: whatsApp })).toContain('callerId="+14155550190"')
  })
})

describe('a mobile that may not be rung', () => {
  test.each([
    ['an emergency number', '117', 'emergency-number'],
    ['a premium number', '+41900123456', 'number-is-barred'],
    ['a number of another country', '+18765550100', 'mobile-of-other-country'],
    ['a number of our own', MAIN_NUMBER, 'mobile-of-other-country'],
    ['no number', 'my phone', 'mobile-is-no-number'],
    ['a short number', '101', 'mobile-is-no-number'],
  ])('the mobile is refused when it is entered: %s', async (_what, mobile, code) => {
    const field = `"field":"mobile_number","code":"${code}"`
    await expect(exchange.write('connect.user', gus, { mobile_number: mobile })).rejects.toThrow(field)
  })

  test('a mobile is refused when it is a number of our own, also of an allowed country', async () => {
    await exchange.number('+41441234567', {})
    await expect(exchange.write('connect.user', gus, { mobile_number: '+41 44 123 45 67' })).rejects.toThrow(
      /number of your own/,
    )
  })

  test('a mobile is skipped with a remark on the call once it is barred, and rung again when it is allowed', async () => {
    const user = await exchange.user('barred', {
      mobile_enabled: true,
      mobile_number: OTHER,
      mobile_priority: '1',
      client_priority: '2',
    })
    await exchange.extension('780', `connect.user,${user}`)
    const ring = async () => {
      const callId = await exchange.call()
      return { callId, markup: await exchange.toDomain('780', { callId, form: { From: CUSTOMER } }) }
    }
    await exchange.settings({ mobile_countries: 'DE' })
    const { callId, markup } = await ring()
    expect(markup).toContain('<Client')
    const notes = await exchange.app.db.query<{ body: string }>(
      sql`select body from mail_message where model = 'connect.call' and res_id = ${callId}::bigint`,
    )
    expect(notes.map(({ body }) => body).join()).toContain(
      `The mobile ${OTHER} was not rung: the settings allow no mobiles`,
    )
    await exchange.settings({ mobile_countries: 'CH DE' })
    expect((await ring()).markup).toContain(OTHER)
  })

  test('a mobile is counted among the outgoing calls of the day, and skipped when those are used up', async () => {
    const count = async () => {
      const rows = await exchange.app.db.query<{ count: number }>(
        sql`select count from connect_outgoing_count where kind = 'call' and "user" = 0`,
      )
      return rows[0]?.count ?? 0
    }
    const before = await count()
    await exchange.toNumber()
    expect(await count()).toBe(before + 1)
    await exchange.settings({ calls_a_day: before + 1 })
    expect(await exchange.toNumber()).not.toContain(MOBILE)
    expect(await count()).toBe(before + 1)
    await exchange.settings({ calls_a_day: null })
  })

  test('a preview of its extension counts nothing', async () => {
    const exten = await exchange.extension('790', `connect.user,${gus}`)
    const before = await exchange.app.db.query(sql`select * from connect_outgoing_count`)
    const [row] = await exchange.app.admin.ask<{ markup_preview: string }[]>('connect.telco.exten', 'read', {
      ids: [exten],
      fields: ['markup_preview'],
    })
    expect(row?.markup_preview).toContain(MOBILE)
    expect(await exchange.app.db.query(sql`select * from connect_outgoing_count`)).toEqual(before)
  })

  test('no list of countries is refused', async () => {
    await expect(exchange.settings({ mobile_countries: 'CH Narnia' })).rejects.toThrow(/Narnia/)
  })
})
