import { expect, test } from 'vitest'
import { checkMarkup } from '../../../src/telco/markup/check.ts'
import { client, DIAL_NOUNS_MAX, dial, number, sip, whatsApp } from '../../../src/telco/markup/dial.ts'
import { renderMarkup, type Verb } from '../../../src/telco/markup/verb.ts'

const BASE = 'https://pbx.example.com/telco/webhook'
const STATUS = `${BASE}/callstatus#e=ashburn`
const RECORDING = `${BASE}/recordingstatus#e=ashburn`
const status = { url: STATUS, events: ['initiated', 'answered', 'completed'] } as const

function written(verb: Verb): string {
  const markup = renderMarkup([verb])
  expect(checkMarkup(markup, { absoluteUrls: true })).toEqual([])
  return markup.replace(/^<Response>|<\/Response>$/g, '')
}

test('ringing the web phone of a user', () => {
  const action = `${BASE}/connect.user/call_action/7?done_callflows=1,2#e=ashburn`
  const options = { callerId: '+14155550100', action, timeoutSeconds: 10 }
  const recording = { mode: 'record-from-answer', statusCallback: RECORDING } as const
  const noun = client({
    identity: 'alice@acme',
    status,
    parameters: { From: '+14155550100', CallerName: 'Zoë & Co', Partner: 42, Empty: '', Missing: undefined },
  })
  expect(written(dial({ ...options, recording }, [noun]))).toBe(
    `<Dial timeout="10" callerId="+14155550100" action="${action}" record="record-from-answer" recordingStatusCallback="${RECORDING}">` +
      `<Client statusCallbackEvent="initiated answered completed" statusCallback="${STATUS}"><Identity>alice@acme</Identity>` +
      '<Parameter name="From" value="+14155550100"/><Parameter name="CallerName" value="Zoë &amp; Co"/>' +
      '<Parameter name="Partner" value="42"/></Client></Dial>',
  )
})

test('ringing a group at once', () => {
  const action = `${BASE}/connect.telco.callflow/call_action/7#e=ashburn`
  const report = { url: STATUS, events: ['answered', 'completed'] } as const
  const nouns = [sip({ uri: 'sip:alice@acme.sip.telco.com', status: report }), client({ identity: 'bob@acme' })]
  expect(written(dial({ callerId: '+14155550100', action }, nouns))).toBe(
    `<Dial callerId="+14155550100" action="${action}"><Sip statusCallback="${STATUS}" statusCallbackEvent="answered completed">` +
      'sip:alice@acme.sip.telco.com</Sip><Client><Identity>bob@acme</Identity></Client></Dial>',
  )
})

test('calling out', () => {
  const options = { callerId: '+14155550199', timeoutSeconds: 60, timeLimitSeconds: 7200 }
  expect(written(dial(options, [number({ number: '+14155550100', status })]))).toBe(
    '<Dial timeout="60" callerId="+14155550199" timeLimit="7200">' +
      `<Number statusCallback="${STATUS}" statusCallbackEvent="initiated answered completed">+14155550100</Number></Dial>`,
  )
})

test('calling out by WhatsApp', () => {
  expect(written(dial({ callerId: 'whatsapp:+14155550199' }, [whatsApp({ number: '+380501234567' })]))).toBe(
    '<Dial callerId="whatsapp:+14155550199"><WhatsApp>+380501234567</WhatsApp></Dial>',
  )
})

test('no more devices ring at once than the provider accepts, and no caller id is better than an empty one', () => {
  const nouns = Array.from({ length: DIAL_NOUNS_MAX + 2 }, (_, index) => client({ identity: `u${index}@acme` }))
  const ring = dial({ callerId: '' }, nouns)
  expect(ring.children).toHaveLength(DIAL_NOUNS_MAX)
  expect(written(ring)).toContain('<Dial><Client>')
})
