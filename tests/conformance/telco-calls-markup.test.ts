// Call-markup applications: docs/reference/contract.md#telephony-webhooks,
// docs/reference/domain.md#markup-applications, docs/reference/domain.md#rendered-applications.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkMarkup } from '../../src/telco/markup/check.ts'
import { sentence } from '../../src/telco/sentences/sentence.ts'
import { PUBLIC_URL, sendTelco } from '../support/telco.ts'
import { type Form, HOOKS, newSid, Office, requestOf, SIP_HOST } from '../support/telco-office.ts'

const SYSTEM_ERROR = `<Response><Say>${sentence('systemError')}</Say><Hangup/></Response>`
const HTTPS = 'Invalid api url! Please use HTTPS instead of HTTP to ensure a secure connection!'
const LOCALHOST = 'Invalid api url! Localhost is not allowed! Please use a valid and secure domain!'

let office: Office

beforeAll(async () => {
  office = await Office.start()
  await office.user('alice', '101')
})
afterAll(() => office.stop())

const application = (markup: string, values: Record<string, unknown> = {}): Promise<number> =>
  office.create('connect.telco.markup', { name: newSid('app'), markup, ...values })

/** What the application answers; its own markup may be anything, so only its form is checked here. */
async function ask(id: number | string, fields: Form = {}): Promise<string> {
  const answer = await sendTelco(office.app, `/telco/webhook/markup/${id}`, {
    ...requestOf({ sid: newSid() }),
    ...fields,
  })
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toMatch(/^text\/xml; charset=utf-8$/)
  expect(checkMarkup(answer.text, { absoluteUrls: true })).toEqual([])
  return answer.text
}

describe('a template', () => {
  it('a template is answered with the fields of the request as top-level variables', async () => {
    const id = await application(
      '<Response><Say>{{ Caller }} calls {{ Called }} ({{ CallStatus }}, {{Nothing}})</Say></Response>',
    )
    expect(await ask(id)).toBe('<Response><Say>+14155550100 calls +14155550199 (ringing, )</Say></Response>')
  })

  it.each(['<Hangup/>', '"><Dial>+1900</Dial>', "' onload='", '&amp;', ']]>', '{{ Caller }}', '\u0000\u0008\u000b'])(
    'escapes what a caller sends: %j',
    async (CallerName) => {
      const id = await application('<Response><Say language="en-US">{{ CallerName }}</Say></Response>')
      const answer = await ask(id, { CallerName })
      expect(answer.match(/<\w+/g)).toEqual(['<Response', '<Say'])
    },
  )

  it('a template is told where calls and recordings are reported', async () => {
    const id = await application(
      '<Response><Dial record="record-from-answer" recordingStatusCallback="{{ recording_voice_status_url }}">' +
        '<Number statusCallback="{{ call_voice_status_url }}">+14155550123</Number></Dial></Response>',
    )
    const answer = await ask(id)
    expect(answer).toContain(`recordingStatusCallback="${HOOKS}/recordingstatus#`)
    expect(answer).toContain(`statusCallback="${HOOKS}/callstatus#`)
  })

  it('knows the extension that led to it', async () => {
    const id = await application(
      '<Response><Say>Extension {{ ExtenNumber }} with the id {{ ExtenID }}</Say></Response>',
    )
    const exten = await office.extension('150', 'connect.telco.markup', id)
    const form = requestOf({ sid: newSid(), from: `sip:alice@${SIP_HOST}`, to: `sip:150@${SIP_HOST}` })
    expect(await office.voice('domain', form)).toContain(`Extension 150 with the id ${exten}`)
  })

  it('a template that makes no document out of this call is a spoken error', async () => {
    const id = await application(
      '<Response><Say>Hi</Say>{% if Digits == "1" %}</Response><Response/>{% endif %}</Response>',
    )
    expect(await ask(id)).toContain('Hi')
    expect(await ask(id, { Digits: '1' })).toBe(SYSTEM_ERROR)
  })

  it('a template that never ends is stopped, and a spoken error', async () => {
    const loop = '{% if Digits %}{% for a in (1..99999) %}{% for b in (1..99999) %}x{% endfor %}{% endfor %}{% endif %}'
    const id = await application(`<Response><Say>Hi${loop}</Say></Response>`)
    expect(await ask(id, { Digits: '1' })).toBe(SYSTEM_ERROR)
  })

  it('a template that makes more than the provider reads is a spoken error', async () => {
    const id = await application('<Response>{% for a in (1..30) %}<Say>{{ Body }}</Say>{% endfor %}</Response>')
    expect(await ask(id, { Body: 'x'.repeat(4_000) })).toBe(SYSTEM_ERROR)
  })
})

describe('an application', () => {
  it.each(['0', '999999', 'abc', '1;2', '99999999999999999999'])('%s that is not there says so', async (id) => {
    expect(await ask(id)).toBe(`<Response><Say>${sentence('applicationNotFound')}</Say><Hangup/></Response>`)
  })

  it('an application is not answered without a CallSid', async () => {
    const id = await application('<Response><Say>Hi</Say></Response>')
    expect(await ask(id, { CallSid: '' })).toMatch(/<Say>.+<\/Say><Hangup\/>/)
  })

  it('an application may stand for the route of SIP phones, which records the call and routes it', async () => {
    const id = await application('<Response/>', {
      code_type: 'model_method',
      model: 'connect.telco.domain',
      method: 'route_call',
    })
    const sid = newSid()
    const to = `sip:101@${SIP_HOST}`
    expect(await ask(id, { CallSid: sid, To: to, Called: to })).toContain('<Identity>alice@')
    expect(await office.call(sid, ['called'])).toMatchObject({ called: '101' })
  })

  it('shipped for SIP domains does the same', async () => {
    const shipped = await office.only('connect.telco.markup', [['name', '=', 'SIP Domain Calls']], [])
    const to = `sip:101@${SIP_HOST}`
    expect(await ask(shipped.id, { To: to, Called: to })).toContain('<Identity>alice@')
  })

  it.each([
    ['Reject', '<Response><Reject/></Response>'],
    ['Connection Failed', /<Say>.*could not be connected.*<\/Say>/],
  ])('%s is shipped', async (name, expected) => {
    const shipped = await office.only('connect.telco.markup', [['name', '=', name]], [])
    expect(await ask(shipped.id)).toMatch(expected)
  })

  it.each([
    { code_type: 'script', script: 'process.exit()' },
    { code_type: 'model_method', model: 'connect.settings', method: 'read' },
    { code_type: 'model_method', model: 'connect.telco.domain', method: 'unlink' },
  ])('an application never runs code: %o is refused', async (values) => {
    const { status } = await office.app.admin.call('connect.telco.markup', 'create', {
      vals_list: { name: 'x', ...values },
    })
    expect(status).toBeGreaterThanOrEqual(400)
    expect(status).toBeLessThan(500)
  })
})

describe('without a usable API URL', () => {
  it.each([
    ['http://pbx.example.com', HTTPS],
    ['https://localhost:8080', LOCALHOST],
    ['http://127.0.0.1:8080', LOCALHOST],
  ])('%s the application says what is wrong', async (api_url, sentence) => {
    const id = await application('<Response><Say>Hi</Say></Response>')
    await office.settings({ api_url })
    try {
      const target = `/telco/webhook/markup/${id}`
      const url = api_url.replace('http:', 'https:') + target
      const answer = await sendTelco(office.app, target, requestOf({ sid: newSid() }), { url })
      expect(answer.text).toBe(`<Response><Say>${sentence}</Say></Response>`)
    } finally {
      await office.settings({ api_url: PUBLIC_URL })
    }
  })
})
