// Whatever comes with a right signature: a valid answer, nothing written that should not be, never a 5xx.
import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { checkMarkup } from '../../src/telco/markup/check.ts'
import { INVALID_REQUEST_MARKUP } from '../../src/telco/markup/voice.ts'
import { AUTH_TOKEN, type Fields, ledgerCounts, PUBLIC_URL, sendTelco } from '../support/telco.ts'
import { CUSTOMER, type Form, newSid, Office, OUR_NUMBER, requestOf } from '../support/telco-office.ts'
import { STATUS_TEXTS, TELCO_ROUTES } from '../support/telco-routes.ts'
import type { Answer } from '../support/test-app.ts'

const STATUS_ROUTES = ['callstatus', 'recordingstatus', 'message_status', 'outgoing_callerid']
/** Routes that record what a leg says of itself. */
const LEDGER_ROUTES = ['callstatus', 'number', 'domain', 'markup/1'] as const
const FORM = 'application/x-www-form-urlencoded'

let office: Office
let before: Record<string, number>

beforeAll(async () => {
  office = await Office.start()
  const { id } = await office.user('alice', '101')
  await office.flow({ prompt_message: 'Menu', gather_input: true, ring_users: [id] })
  await office.number(OUR_NUMBER, { destination: 'user', user: id })
})
afterAll(() => office.stop())
beforeEach(async () => {
  before = await ledgerCounts(office.app)
})

const target = (route: string): string => `/telco/webhook/${route}`
const send = (route: string, fields: Fields): Promise<Answer> => sendTelco(office.app, target(route), fields)

/** Sends a body as it is, signed over the address and, when it is a form, over these fields. */
async function sendRaw(route: string, body: string, { type = FORM, signed = '' } = {}): Promise<Answer> {
  const signature = createHmac('sha1', AUTH_TOKEN)
    .update(PUBLIC_URL + target(route) + signed)
    .digest('base64')
  return office.app.request(target(route), {
    method: 'POST',
    headers: { 'content-type': type, 'x-telco-signature': signature },
    body,
  })
}

function expectValid(route: string, answer: Answer): void {
  expect(answer.status, `${route} ${answer.text}`).toBe(200)
  const text = STATUS_TEXTS[route]
  if (text !== undefined) {
    expect(answer.headers.get('content-type')).toMatch(answer.text.startsWith('<') ? /^text\/xml/ : /^text\/plain/)
    expect(answer.text).toMatch(text)
  } else {
    expect(answer.headers.get('content-type')).toMatch(/^text\/xml/)
    expect(checkMarkup(answer.text), answer.text).toEqual([])
  }
}

async function expectNothingWritten(): Promise<void> {
  expect(await ledgerCounts(office.app)).toEqual(before)
}

/** The fields of every kind of request at once. */
function everything(fields: Form = {}): Form {
  const sid = newSid()
  const message = {
    MessageSid: sid,
    SmsSid: sid,
    SmsStatus: 'received',
    MessageStatus: 'sent',
    Body: 'Hi',
    NumMedia: '0',
  }
  const recording = { RecordingSid: sid, RecordingStatus: 'completed', RecordingUrl: 'https://x.example.com/RE' }
  const call = { Digits: '1', SpeechResult: 'x', DialCallStatus: 'no-answer', VerificationStatus: 'success' }
  return { ...requestOf({ sid }), ...message, ...recording, ...call, ...fields }
}

describe.each(TELCO_ROUTES)('%s', (route) => {
  const nothing = STATUS_ROUTES.includes(route)

  it.each([
    ['no fields at all', {}],
    ['blank ids', { CallSid: '', MessageSid: '', SmsSid: '', RecordingSid: '', From: CUSTOMER, To: OUR_NUMBER }],
    [
      'ids of nothing but characters that no store takes',
      { CallSid: '\0\u0007', MessageSid: '\0', RecordingSid: '\u009f' },
    ],
    [
      'ids too long to be any',
      { CallSid: 'C'.repeat(70_000), MessageSid: 'S'.repeat(70_000), RecordingSid: 'R'.repeat(65) },
    ],
  ])('%s: answered, nothing written', async (_what, fields) => {
    expectValid(route, await send(route, fields))
    await expectNothingWritten()
  })

  it('JSON where a form is due is an empty form', async () => {
    const body = JSON.stringify(everything())
    expectValid(route, await sendRaw(route, body, { type: 'application/json' }))
    expectValid(route, await sendRaw(route, body, { type: 'multipart/form-data; boundary=x' }))
    await expectNothingWritten()
  })

  it('more fields than a form of the provider can have is a wrong request', async () => {
    const many = Object.fromEntries(Array.from({ length: 1_001 }, (_none, at) => [`Field${at}`, 'x']))
    const answer = await send(route, { ...many, CallSid: newSid() })
    expect([answer.status, answer.text]).toEqual([200, nothing ? 'False' : INVALID_REQUEST_MARKUP])
    await expectNothingWritten()
  })

  it('a body over the limit is refused for its size', async () => {
    const answer = await send(route, { ...everything(), CallerName: 'x'.repeat(1_100_000) })
    expect(answer.status).toBe(413)
    await expectNothingWritten()
  })

  it('fields of nearly a megabyte are read as far as they make sense', async () => {
    const long = 'ü<>&"\u{1f600}'.repeat(15_000)
    expectValid(route, await send(route, everything({ Caller: long, ErrorMessage: long })))
  })

  it('repeated fields count once', async () => {
    const fields = {
      ...everything(),
      From: [CUSTOMER, '+14155550999'],
      CallStatus: ['completed', 'ringing'],
      Tag: ['b', 'a', 'b'],
    }
    expectValid(route, await send(route, fields))
  })

  it('characters that no store and no markup takes do no harm', async () => {
    const odd = 'a\0b\u0001c\ufffe\u{10ffff}\ufeff\u202e d'
    expectValid(
      route,
      await send(
        route,
        everything({
          CallerName: odd,
          Caller: odd,
          From: odd,
          Body: odd,
          SpeechResult: odd,
          ErrorMessage: odd,
          FromCity: odd,
        }),
      ),
    )
  })

  it('absurd numbers and dates do no harm', async () => {
    for (const value of [
      '-1',
      '1e309',
      '99999999999999999999',
      'NaN',
      '0x7f',
      '٣',
      '1.5',
      'Fri, 31 Feb 99999 99:99:99 +9999',
    ]) {
      const numbers = {
        CallDuration: value,
        RecordingDuration: value,
        SequenceNumber: value,
        NumMedia: value,
        ErrorCode: value,
      }
      const times = { Timestamp: value, RecordingStartTime: value, RawDlrDoneDate: value, Confidence: value }
      expectValid(route, await send(route, everything({ ...numbers, ...times })))
    }
  })

  it('percent-encodings of no character are read as the SDK of the provider reads them', async () => {
    const sid = newSid()
    // Each stands for bytes that are no UTF-8: a lone surrogate, a cut character, a stray byte.
    const body = `CallSid=${sid}&CallerName=%ED%A0%80&Body=%E2%82&FromCity=%FF&ToCity=%zz&MessageSid=${sid}`
    const fields = Object.entries(Object.fromEntries(new URLSearchParams(body))).toSorted(([a], [b]) =>
      a < b ? -1 : 1,
    )
    expectValid(route, await sendRaw(route, body, { signed: fields.map(([name, value]) => name + value).join('') }))
  })

  it('fields named like parts of an object are fields like any other', async () => {
    const fields = Object.fromEntries(
      ['__proto__', 'constructor', 'toString', 'hasOwnProperty'].map((name) => [name, 'x']),
    )
    expectValid(route, await send(route, { ...fields, ...everything() }))
  })

  it('a body that is no form at all is answered', async () => {
    for (const body of ['%', '&&&===', '?CallSid=x', '\0', '=', 'CallSid']) {
      const fields = [...new URLSearchParams(body.startsWith('?') ? `&${body}` : body)].toSorted(([a], [b]) =>
        a < b ? -1 : 1,
      )
      const signed = fields.map(([name, value]) => name + value).join('')
      const answer = await sendRaw(route, body, { signed })
      expect(answer.status).toBe(200)
    }
    await expectNothingWritten()
  })
})

describe('ids and models in the path', () => {
  it.each([
    'connect.user/call_action/1%27%20or%201=1',
    'connect.user/call_action/%00',
    'connect.user/call_action/-1',
    'connect.user/call_action/9999999999',
    'connect%2euser/call_action/1',
    'res.users/call_action/1',
    `${'x'.repeat(400)}/call_action/1`,
    'markup/1.5',
    'markup/%ED%A0%80',
    'callflow/0x1/gather',
    `callflow/${'9'.repeat(400)}/gather`,
  ])('%s is answered, and nothing is written', async (route) => {
    const answer = await send(route, { ...requestOf({ sid: newSid() }), DialCallStatus: 'no-answer', Digits: '1' })
    expect(answer.status).toBeLessThan(500)
    if (answer.status === 200) expect(checkMarkup(answer.text), answer.text).toEqual([])
    if (!route.startsWith('markup')) await expectNothingWritten()
  })
})

describe('what is left in the ledger', () => {
  it.each(LEDGER_ROUTES)(
    'what is left in the ledger of a request to %s with odd characters can be read over the API',
    async (route) => {
      const sid = newSid()
      const odd = 'a\0b\ud800\ufffe<b>'
      const parties = { From: odd, Caller: odd, To: odd, Called: odd }
      expectValid(route, await send(route, { ...requestOf({ sid }), ...parties, ErrorCode: odd, ErrorMessage: odd }))
      const leg = await office.leg(sid, ['caller', 'called', 'error_message'])
      expect(leg.caller).toBe('ab\ufffd\ufffe<b>')
    },
  )
})
