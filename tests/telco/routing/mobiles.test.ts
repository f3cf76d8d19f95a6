// A person is rung on their mobile: which number may be, what the mobile hears, and what each end of its leg leads to.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../../src/database/drizzle.ts'
import { extensionCallAction } from '../../../src/telco/routing/decide/call-actions.ts'
import { routeNumber } from '../../../src/telco/routing/decide/destination.ts'
import { mobileScreening } from '../../../src/telco/routing/decide/mobile.ts'
import { decideFromMemory, type Route, undecidedCall } from '../../../src/telco/routing/decide-calls.ts'
import { loadDialPlan } from '../../../src/telco/routing/load-dial-plan.ts'
import { phoneDirectory } from '../../../src/telco/routing/phone-directory.ts'
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
  test('a premium number is refused as a mobile also where the blocked numbers do not name it', async () => {
    await exchange.settings({ mobile_countries: 'CH, de, IE' })
    const field = '"field":"mobile_number","code":"number-is-barred"'
    await expect(exchange.write('connect.user', gus, { mobile_number: '+353 1580 123 456' })).rejects.toThrow(field)
    await exchange.settings({ mobile_countries: 'CH, de' })
  })

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
      /one of your own numbers/,
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

test('a mobile is rung and asked by the plan in memory while the database is away, though nobody counts it', async () => {
  const plan = await exchange.open((env) => loadDialPlan(env.db))
  const settings = await exchange.app.app.platform.settings.get()
  const answer = async (route: Route, options: Parameters<Exchange['request']>[0]) => {
    const request = await exchange.request({ callId: 0, ...options })
    const asked = { ...request, params: { ...request.params, model: 'connect.user' } }
    return decideFromMemory({ plan, settings, now: new Date() }, undecidedCall(asked, undefined, route))
  }
  expect(await answer(routeNumber, {})).toContain(`>${MOBILE}</Number>`)
  expect(await answer(mobileScreening, { record: gus, query: 'mobile=picked-up' })).toContain('von 1 4 1 5')
  expect(await answer(mobileScreening, { record: gus, query: 'mobile=key', form: { Digits: '2' } })).toBe(HANGUP)
})

describe('a group with mobiles', () => {
  let flow = 0
  const ACTION = () => `${BASE}/telco/webhook/connect.telco.callflow/call_action/${flow}`
  const noun = (number: string) =>
    `<Number url="${ACTION()}?mobile=picked-up${EDGE}" statusCallback="${BASE}/telco/webhook/callstatus${REPORT}" statusCallbackEvent="initiated completed">${number}</Number>`
  const ring = (query: string, ...nouns: string[]) =>
    response(
      `<Dial callerId="${CUSTOMER}" action="${ACTION()}${query}${EDGE}" answerOnBridge="true" ringTone="us">${nouns.join('')}</Dial>`,
    )
  const pickedUp = { DialCallStatus: 'completed', DialBridged: 'false' }

  beforeAll(async () => {
    const exten = await exchange.create('connect.telco.exten', {
      number: '555',
      mobile_number: OTHER,
      mobile_name: 'On call',
    })
    flow = await exchange.flow({ ring_users: [gus], ring_mobiles: [exten], voicemail_enabled: true })
    await exchange.extension('556', `connect.telco.callflow,${flow}`)
  })

  async function legOf(callId: number, called: string): Promise<string> {
    const sid = `CA-mobile-${callId}-${called.slice(-4)}`
    await exchange.app.db.query(
      sql`insert into connect_channel (sid, call, called) values (${sid}, ${callId}::bigint, ${called})`,
    )
    return sid
  }

  test('rings them together, and once more without one that picked up and did not take the call', async () => {
    const callId = await exchange.call()
    const form = { From: CUSTOMER }
    expect(await exchange.toDomain('556', { callId, form })).toBe(ring('', noun(MOBILE), noun(OTHER)))
    const first = { ...pickedUp, DialCallSid: await legOf(callId, MOBILE) }
    expect(await exchange.flowAction(flow, { callId, form: first })).toBe(ring('?declined=0', noun(OTHER)))
    const second = { ...pickedUp, DialCallSid: await legOf(callId, OTHER) }
    expect(await exchange.flowAction(flow, { callId, form: second, query: 'declined=0' })).toContain('<Record')
  })

  test('goes on to its voicemail when nobody picked up, and ends when the caller is gone or somebody talked', async () => {
    const callId = await exchange.call()
    const DialCallSid = await legOf(callId, MOBILE)
    const action = (form: Record<string, string>) =>
      exchange.flowAction(flow, { callId, form: { DialCallSid, ...form } })
    expect(await action({ DialCallStatus: 'no-answer' })).toContain('<Record')
    expect(await action({ ...pickedUp, CallStatus: 'completed' })).not.toContain('<Dial')
    expect(await action({ DialCallStatus: 'completed', DialBridged: 'true' })).toBe(HANGUP)
  })

  test('counts each mobile that it rings, and rings none that may not be rung', async () => {
    const count = async () => {
      const rows = await exchange.app.db.query<{ count: number }>(
        sql`select count from connect_outgoing_count where kind = 'call' and "user" = 0`,
      )
      return rows[0]?.count ?? 0
    }
    const before = await count()
    await exchange.toDomain('556', { form: { From: CUSTOMER } })
    expect(await count()).toBe(before + 2)
    await exchange.settings({ mobile_countries: 'DE' })
    expect(await exchange.toDomain('556', { form: { From: CUSTOMER } })).toContain('<Record')
    await exchange.settings({ mobile_countries: 'CH DE' })
  })
})

describe('an extension that leads to a mobile', () => {
  let exten = 0

  beforeAll(async () => {
    exten = await exchange.create('connect.telco.exten', {
      number: '560',
      mobile_number: '+41 79 765 43 21',
      mobile_name: 'Ida',
    })
  })

  test('rings it, asks for 1 in the language of the number that was called, and says when nobody answers', async () => {
    await exchange.number('+14155550177', {
      closed_exten: exten,
      business_hours: await closedHours(),
      language: 'de-DE',
    })
    const callId = await exchange.call()
    const markup = await exchange.toNumber({ callId, form: { To: '+14155550177', Called: '+14155550177' } })
    expect(markup).toContain(`>${OTHER}</Number>`)
    expect(markup).toContain(`connect.telco.exten/call_action/${exten}`)
    const asked = await screening({ record: exten, query: 'language=de-DE&mobile=picked-up' }, 'connect.telco.exten')
    expect(asked).toContain('Drücken Sie die 1')
    expect(asked).toContain(`call_action/${exten}?language=de-DE&amp;mobile=key`)
    const request = await exchange.request({
      record: exten,
      callId,
      form: { CallStatus: 'in-progress', ...{ DialCallStatus: 'no-answer' } },
    })
    expect(valid(await exchange.route(extensionCallAction, request))).toBe(UNANSWERED)
  })

  test('an extension of a mobile is called by its name, and is found by voice agents when it is published', async () => {
    await exchange.write('connect.telco.exten', exten, { is_published: true })
    const listed = await exchange.open((env) => phoneDirectory.listPublishedExtensions(env))
    expect(listed).toContainEqual({ id: exten, number: '560', name: 'Ida' })
    const [row] = await exchange.app.admin.ask<object[]>('connect.telco.exten', 'read', {
      ids: [exten],
      fields: ['name', 'dst_name'],
    })
    expect(row).toMatchObject({ name: '560 <Ida>', dst_name: 'Ida' })
  })

  test('leads to nothing else, and to no number that may not be called', async () => {
    const other = await exchange.flow({ name: 'Other' })
    const both = exchange.write('connect.telco.exten', exten, { dst: `connect.telco.callflow,${other}` })
    await expect(both).rejects.toThrow('extension-target-or-mobile')
    const premium = exchange.write('connect.telco.exten', exten, { mobile_number: '+41900123456' })
    await expect(premium).rejects.toThrow('"field":"mobile_number","code":"number-is-barred"')
  })

  async function closedHours(): Promise<number> {
    const hours = await exchange.create('connect.telco.business_hours', { name: 'Never', tz: 'UTC' })
    await exchange.create('connect.telco.holiday', {
      business_hours: hours,
      name: 'All',
      date_from: '2020-01-01',
      date_to: '2099-12-31',
    })
    return hours
  }
})
