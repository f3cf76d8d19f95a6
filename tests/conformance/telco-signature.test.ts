import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { INVALID_REQUEST_MARKUP } from '../../src/telco/markup/voice.ts'
import {
  AUTH_TOKEN,
  aVoiceRequest,
  encodeForm,
  ledgerCounts,
  PUBLIC_URL,
  sendTelco,
  setUpTelco,
} from '../support/telco.ts'
import { eventually, TestApp } from '../support/test-app.ts'

const STATUS_ROUTES = ['callstatus', 'recordingstatus', 'message_status', 'outgoing_callerid']
const VOICE_ROUTES = [
  'callaction',
  'connect.user/call_action/1',
  'number',
  'markup/1',
  'callflow/1/gather',
  'domain',
  'vm_recordingstatus',
  'message',
]
const FORM = 'application/x-www-form-urlencoded'

let app: TestApp
let before: Record<string, number>

beforeAll(async () => {
  app = await TestApp.start()
  await setUpTelco(app)
})
afterAll(() => app.stop())
beforeEach(async () => {
  before = await ledgerCounts(app)
})

const target = (route: string): string => `/telco/webhook/${route}`

describe('a wrong signature', () => {
  it.each(VOICE_ROUTES)(
    'a wrong signature is answered with the sentence on the voice endpoint %s, and nothing is processed',
    async (route) => {
      const answer = await sendTelco(app, target(route), aVoiceRequest(), { token: 'another token' })
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-type')).toContain('text/xml')
      expect(answer.text).toBe(INVALID_REQUEST_MARKUP)
      expect(await ledgerCounts(app)).toEqual(before)
    },
  )

  it.each(STATUS_ROUTES)(
    'a wrong signature is answered False on the status endpoint %s, and nothing is processed',
    async (route) => {
      const answer = await sendTelco(app, target(route), aVoiceRequest(), { token: 'another token' })
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-type')).toContain('text/plain')
      expect(answer.text).toBe('False')
      expect(await ledgerCounts(app)).toEqual(before)
    },
  )

  it('a request without a signature counts as wrongly signed', async () => {
    const answer = await app.request(target('number'), {
      method: 'POST',
      headers: { 'content-type': FORM },
      body: encodeForm(aVoiceRequest()),
    })
    expect(answer.text).toBe(INVALID_REQUEST_MARKUP)
  })

  it('a wrong signature is one over more fields than were sent, and over fewer', async () => {
    const fields = aVoiceRequest({ CallSid: 'CA-more' })
    const answer = await sendTelco(app, target('callstatus'), { ...fields, Extra: '1' }, {})
    expect(answer.text).not.toBe('False')
    const { headers } = await signedHeaders(fields)
    const changed = await app.request(target('callstatus'), {
      method: 'POST',
      headers,
      body: encodeForm({ ...fields, CallStatus: 'completed' }),
    })
    expect(changed.text).toBe('False')
  })

  it('a wrong signature is explained from the log by a method of the settings', async () => {
    await sendTelco(app, `${target('callstatus')}?lang=de`, aVoiceRequest(), {
      url: `https://other.example.com${target('callstatus')}?lang=de`,
    })
    const delivery = await eventually(async () => {
      const [row] = await app.admin.ask<{ id: number }[]>('connect.delivery', 'search_read', {
        domain: [['target', '=', `${target('callstatus')}?lang=de`]],
        fields: ['verdict'],
      })
      return row
    })
    const explained = await app.admin.ask<{ sentence: string }>('connect.settings', 'explain_signature', {
      delivery_id: delivery.id,
    })
    expect(explained.sentence).toBeTruthy()
    expect(JSON.stringify(explained)).not.toContain(AUTH_TOKEN)
  })
})

describe('the right signature', () => {
  it.each(['X-Telco-Signature', 'X-Twilio-Signature'])('is accepted in the header %s', async (header) => {
    const answer = await sendTelco(app, target('callstatus'), aVoiceRequest({ CallSid: `CA-${header}` }), { header })
    expect(answer.text).toMatch(/^\d+$/)
  })

  it('the right signature is accepted under one name though a proxy left the other one blank', async () => {
    const options = { header: 'X-Twilio-Signature', headers: { 'X-Telco-Signature': '' } }
    expect((await sendTelco(app, target('callstatus'), aVoiceRequest(), options)).text).toMatch(/^\d+$/)
  })

  it('the right signature may be made for the address the request came to, with https', async () => {
    const url = `${app.url.replace('http:', 'https:')}${target('callstatus')}`
    const answer = await sendTelco(app, target('callstatus'), aVoiceRequest({ CallSid: 'CA-own' }), { url })
    expect(answer.text).toMatch(/^\d+$/)
  })

  it('the right signature is not one that was made for plain http', async () => {
    const url = `${PUBLIC_URL.replace('https:', 'http:')}${target('callstatus')}`
    expect((await sendTelco(app, target('callstatus'), aVoiceRequest(), { url })).text).toBe('False')
  })

  it.each([':443', ''])('may name the default port or not: "%s"', async (port) => {
    const url = `${PUBLIC_URL}${port}${target('callstatus')}`
    const answer = await sendTelco(app, target('callstatus'), aVoiceRequest({ CallSid: `CA-port${port}` }), { url })
    expect(answer.text).toMatch(/^\d+$/)
  })

  it('covers the query as part of the address and not as fields', async () => {
    const withQuery = `${target('callstatus')}?done_callflows=1,2&x=%20y+z`
    expect((await sendTelco(app, withQuery, aVoiceRequest({ CallSid: 'CA-query' }))).text).toMatch(/^\d+$/)
  })

  it('covers repeated fields as the scheme says', async () => {
    const fields = { ...aVoiceRequest({ CallSid: 'CA-repeated' }), Tag: ['b', 'a', 'b'] }
    expect((await sendTelco(app, target('callstatus'), fields)).text).toMatch(/^\d+$/)
  })
})

describe('7 over plain http', () => {
  const HTTPS_REQUIRED = 'Telco requires HTTPS to be setup!'
  /** Why the log says that the request to a path of its own was rejected. */
  async function reasonOf(query: string, headers: Record<string, string> = {}): Promise<string> {
    const address = `${target('callstatus')}?${query}`
    const answer = await sendTelco(app, address, aVoiceRequest(), { token: 'another token', headers })
    expect(answer.text).toBe('False')
    const row = await eventually(async () => {
      const found = await app.admin.ask<{ reason: string }[]>('connect.delivery', 'search_read', {
        domain: [['target', '=', address]],
        fields: ['reason'],
      })
      return found[0]
    })
    return row.reason
  }

  it('a failed check is told with the sentence', async () => {
    const reason = await reasonOf('a=1')
    expect(reason.startsWith(`${HTTPS_REQUIRED} `)).toBe(true)
    expect(reason).not.toContain('Auth token')
  })

  it('a wrong Auth Token is named as that for what came over https', async () => {
    const reason = await reasonOf('a=3', { 'x-forwarded-proto': 'https' })
    expect(reason).not.toContain('HTTPS')
    expect(reason).toContain('The Auth token in the settings does not belong to account')
  })

  it('plain http is named also when there is no Auth Token to check with', async () => {
    await app.admin.ask('connect.settings', 'write', { ids: [1], vals: { auth_token: null } })
    const reason = await reasonOf('a=2')
    expect(reason.startsWith(`${HTTPS_REQUIRED} `)).toBe(true)
    expect(reason).not.toContain('Auth token')
    await setUpTelco(app)
  })
})

describe('with the option off', () => {
  it('validation is skipped, and the settings say so loudly', async () => {
    const set = (on: boolean) =>
      app.admin.ask('connect.settings', 'write', { ids: [1], vals: { telco_verify_requests: on } })
    await set(false)
    const answer = await sendTelco(app, target('callstatus'), aVoiceRequest({ CallSid: 'CA-off' }), { token: 'wrong' })
    expect(answer.text).toMatch(/^\d+$/)
    const [settings] = await app.admin.ask<{ telco_verification_warning: string }[]>(
      'connect.settings',
      'search_read',
      {
        fields: ['telco_verification_warning'],
      },
    )
    expect(settings?.telco_verification_warning).toContain('NOT verified')
    await set(true)
    expect((await sendTelco(app, target('callstatus'), aVoiceRequest(), { token: 'wrong' })).text).toBe('False')
  })

  it('a missing Auth Token is a failure', async () => {
    await app.admin.ask('connect.settings', 'write', { ids: [1], vals: { auth_token: null } })
    expect((await sendTelco(app, target('callstatus'), aVoiceRequest())).text).toBe('False')
    await setUpTelco(app)
  })
})

describe('4 other methods and bodies', () => {
  it.each([...STATUS_ROUTES, ...VOICE_ROUTES])('%s is POST only', async (route) => {
    const answer = await app.request(target(route))
    expect(answer.status).toBe(405)
    expect(answer.headers.get('allow')).toBe('POST')
  })

  it('an unknown path is 404', async () => {
    expect((await app.post(target('nothing'), '')).status).toBe(404)
  })

  it.each(VOICE_ROUTES)('%s without a CallSid is answered, without a write', async (route) => {
    const answer = await sendTelco(app, target(route), { AccountSid: 'AC1' })
    expect(answer.status).toBe(200)
    expect(answer.text.length).toBeGreaterThan(0)
    expect(await ledgerCounts(app)).toEqual(before)
  })

  it('callstatus without a CallSid is False', async () => {
    expect((await sendTelco(app, target('callstatus'), { AccountSid: 'AC1' })).text).toBe('False')
    expect(await ledgerCounts(app)).toEqual(before)
  })

  it('JSON where a form is due is an empty form', async () => {
    const answer = await app.post(target('callstatus'), { CallSid: 'CA-json' })
    expect(answer.text).toBe('False')
    expect(await ledgerCounts(app)).toEqual(before)
  })
})

async function signedHeaders(fields: Record<string, string>): Promise<{ headers: Record<string, string> }> {
  const { default: webhooks } = await import('twilio/lib/webhooks/webhooks.js')
  const signature = webhooks.getExpectedTwilioSignature(AUTH_TOKEN, PUBLIC_URL + target('callstatus'), fields)
  return { headers: { 'content-type': FORM, 'x-telco-signature': signature } }
}
