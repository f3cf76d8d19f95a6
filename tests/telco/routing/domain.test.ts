import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../../src/database/drizzle.ts'
import { sentence } from '../../../src/telco/sentences/sentence.ts'
import { clientDial, Exchange, HOST, MAIN_NUMBER, RECORDING_URL, response, STATUS_URL, say } from './exchange.ts'

const NOT_FOUND = response(say(sentence('extensionNotFound')))
const OUTSIDE = '+380501234567'

let exchange: Exchange
let bob = 0

beforeAll(async () => {
  exchange = await Exchange.start()
  await exchange.user('alice')
  bob = await exchange.user('bob')
  await exchange.extension('102', `connect.user,${bob}`)
})

afterAll(() => exchange.stop())

const bobRings = () => clientDial('bob', { userId: bob, callerId: `client:alice@${HOST}`, parameters: ALICE })
const ALICE = '<Parameter name="CallerName" value="Alice"/>'

describe('what was dialled', () => {
  test.each([
    `sip:102@${HOST}`,
    'sip:102@acme.sip.dublin.twilio.com;transport=tls',
    `sip:102@${HOST}:5060`,
    `sip:%31%302@${HOST}`,
    '102',
    ' 102 ',
    '+102',
  ])('%j reaches the extension', async (to) => {
    expect(await exchange.toDomain(to)).toBe(response(bobRings()))
  })

  test.each(['', '998', 'sip:@x', 'client:bob@x', '+', '+12', 'DROP TABLE', '\u0000', '%', '+49abc', '9'.repeat(500)])(
    '%j reaches nobody',
    async (to) => {
      expect(await exchange.toDomain(to)).toBe(NOT_FOUND)
    },
  )

  test('the target of a forward, in the form or the query, replaces it', async () => {
    const form = { From: `client:alice@${HOST}`, forward_to: '102' }
    expect(await exchange.toDomain('998', { form })).toBe(response(bobRings()))
    const query = 'forward_to=102'
    expect(await exchange.toDomain(OUTSIDE, { query, form: { From: `client:alice@${HOST}` } })).toBe(
      response(bobRings()),
    )
  })

  test('a patterned extension answers what fits it as a whole; broken ones are skipped', async () => {
    await exchange.extension('7\\d\\d', `connect.telco.callflow,${await exchange.flow({ name: 'Seven' })}`)
    await exchange.app.db.query(
      (await import('../../../src/database/drizzle.ts'))
        .sql`insert into connect_telco_exten (number) values ('(7'), ('7(1+)+')`,
    )
    expect(await exchange.toDomain('715')).toContain(sentence('noActions'))
    expect(await exchange.toDomain('7150')).toBe(NOT_FOUND)
    await exchange.extension('71\\d', `connect.telco.callflow,${await exchange.flow({ name: 'Seventy' })}`)
    expect(await exchange.toDomain('715')).toBe(response(say(sentence('severalExtensions'))))
    expect(await exchange.toDomain('725')).toContain(sentence('noActions'))
  })

  test('an exact extension wins over patterns, and one with a whole number over calling out', async () => {
    await exchange.extension('+4930.*', `connect.telco.callflow,${await exchange.flow({ name: 'Berlin' })}`)
    await exchange.extension('+49301', `connect.user,${await exchange.user('berta')}`)
    expect(await exchange.toDomain('+49301')).toContain('<Identity>berta@')
    expect(await exchange.toDomain('+49302')).toContain(sentence('noActions'))
  })

  test('an extension without target, or with one that is gone, says so', async () => {
    const number = await exchange.create('connect.telco.exten', { number: '150' })
    expect(number).toBeGreaterThan(0)
    expect(await exchange.toDomain('150')).toBe(response(say(sentence('extensionNotConfigured'))))
  })
})

describe('a call to the outside', () => {
  test('needs a caller id, which nobody has yet', async () => {
    expect(await exchange.toDomain(OUTSIDE)).toBe(response(say(sentence('noCallerId'))))
  })

  test('shows the own caller id, else the default; is limited, and recorded for those who want it', async () => {
    const callerId = (number: string, values = {}) =>
      exchange.create('connect.telco.outgoing_callerid', {
        number,
        friendly_name: number,
        callerid_type: 'number',
        ...values,
      })
    await callerId('+14155550160', { is_default: true })
    const own = await callerId('+14155550161')
    await exchange.user('olga', { telco_outgoing_callerid: own, record_calls: true })
    const dial = (id: string, record = '') =>
      `<Dial timeout="60" callerId="${id}" timeLimit="7200"${record}><Number statusCallback="${STATUS_URL}" statusCallbackEvent="initiated answered completed">${OUTSIDE}</Number></Dial>`
    expect(await exchange.toDomain(`sip:${OUTSIDE}@${HOST}`)).toBe(response(dial('+14155550160')))
    expect(await exchange.toDomain('+380 (50) 123-45.67')).toBe(response(dial('+14155550160')))
    const record = ` record="record-from-answer" recordingStatusCallback="${RECORDING_URL}"`
    const form = { From: `client:olga@${HOST}` }
    expect(await exchange.toDomain(OUTSIDE, { form })).toBe(response(dial('+14155550161', record)))
    expect(await exchange.toDomain(OUTSIDE, { form: { From: '+14155550100' } })).toBe(response(dial('+14155550160')))
    await exchange.settings({ call_duration_limit: 60 })
    expect(await exchange.toDomain(OUTSIDE)).toContain('timeLimit="60"')
  })

  test('a call to the outside does not answer our own numbers, which would go round', async () => {
    await exchange.number(MAIN_NUMBER, { destination: 'user', user: bob })
    expect(await exchange.toDomain(MAIN_NUMBER)).toContain(`>${MAIN_NUMBER}</Number>`)
  })
})

describe('a call over WhatsApp', () => {
  const form = { From: 'whatsapp:+380501234567' }

  test('reaches the extension of the sender, else the destination of the number', async () => {
    const to = 'whatsapp:+14155550170'
    expect(await exchange.toDomain(to, { form })).toBe(response(say(sentence('whatsappExtensionNotFound'))))
    const number = await exchange.number('+14155550170', { destination: 'user', user: bob })
    const ring = clientDial('bob', { userId: bob, callerId: '+380501234567' })
    expect(await exchange.toDomain(to, { form })).toBe(response(ring))
    await exchange.write('connect.telco.number', number, { destination: null })
    expect(await exchange.toDomain(to, { form })).toBe(response(say(sentence('numberNotConfigured'))))
    await exchange.extension('+14155550170', `connect.user,${await exchange.user('wanda')}`)
    expect(await exchange.toDomain(to, { form })).toContain('<Identity>wanda@')
  })

  test('a call over WhatsApp never goes to the outside, nor to a pattern', async () => {
    expect(await exchange.toDomain('whatsapp:+14155550171', { form })).toBe(
      response(say(sentence('whatsappExtensionNotFound'))),
    )
    expect(await exchange.toDomain('whatsapp:+49302', { form })).toBe(
      response(say(sentence('whatsappExtensionNotFound'))),
    )
  })
})

test('nothing is dialled without an API URL, and the caller hears which setting is missing', async () => {
  await exchange.settings({ api_url: '' })
  const sentence = response(
    say('Invalid api url! Localhost is not allowed! Please use a valid and secure domain!'),
    '<Hangup/>',
  )
  expect(await exchange.toDomain('102')).toBe(sentence)
  expect(await exchange.toDomain(OUTSIDE)).toBe(sentence)
  expect(await exchange.toDomain('998')).toBe(NOT_FOUND)
  await exchange.settings({ api_url: 'http://127.0.0.1:8080/connect/' })
  expect(await exchange.toDomain('102')).toContain('"http://127.0.0.1:8080/connect/telco/webhook/callstatus#e=')
  await exchange.settings({ api_url: 'https://pbx.example.com' })
})

describe('emergency numbers', () => {
  const EMERGENCY = response(say(sentence('emergencyNumber')))

  test.each([
    '112',
    '911',
    '999',
    '110',
    '113',
    '117',
    '118',
    '144',
    '000',
    '+112',
    '1-1-2',
    '+911',
    '+49112',
    '+41 144',
  ])('%s is answered with a clear sentence', async (to) => {
    expect(await exchange.toDomain(to)).toBe(EMERGENCY)
    expect(await exchange.toDomain('102', { form: { forward_to: to } })).toBe(EMERGENCY)
  })

  test('those of the country count as well, and no pattern takes them', async () => {
    await exchange.extension('1\\d\\d', `connect.user,${await exchange.user('patty')}`)
    expect(await exchange.toDomain('133')).toContain('patty')
    const [austria] = await exchange.app.admin.ask<number[]>('res.country', 'search', { domain: [['code', '=', 'AT']] })
    await exchange.settings({ country_id: austria ?? 0 })
    expect(await exchange.toDomain('133')).toBe(EMERGENCY)
    expect(await exchange.toDomain('112')).toBe(EMERGENCY)
    const refused = await exchange.app.admin.call('connect.telco.exten', 'create', { vals_list: { number: '133' } })
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([422, expect.stringContaining('emergency number')])
    await exchange.settings({ country_id: null })
  })

  test.each([
    ['US', ['9911', '0112', '011 41 144', '911#', '988', 'sip:sos@acme.sip.example.com']],
    ['CH', ['0112', '9 144', '0041144', '41144', '1414', '116117']],
    ['SE', ['11313', '11414']],
    ['LK', ['1990']],
    ['ES', ['091', '061', '+34091']],
  ])('what means one in %s is answered alike where nothing else has that number: %j', async (code, dialled) => {
    const [country] = await exchange.app.admin.ask<number[]>('res.country', 'search', { domain: [['code', '=', code]] })
    await exchange.settings({ country_id: country ?? 0 })
    for (const to of dialled) {
      expect(await exchange.toDomain(to)).toBe(EMERGENCY)
      expect(await exchange.toDomain('102', { form: { forward_to: to } })).toBe(EMERGENCY)
    }
    await exchange.settings({ country_id: null })
  })

  test('an extension that has the number already is reached', async () => {
    const renumber = (from: string, to: string) =>
      exchange.app.db.query(sql`update connect_telco_exten set number = ${to} where number = ${from}`)
    await renumber('102', '911')
    expect(await exchange.toDomain('911')).toContain('<Identity>bob@')
    await renumber('911', '102')
  })
})
