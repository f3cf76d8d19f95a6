import { expect, test } from 'vitest'
import { deliveryMoment } from '../../../src/ledger/timeline/delivery-moments.ts'
import { sentenceOf } from '../../../src/ledger/timeline/sentences.ts'
import { WHY_SENTENCES } from '../../../src/ledger/timeline/why-sentences.ts'

const MENU = '<Response><Gather><Say>Press 1.</Say></Gather><Hangup/></Response>'
const DIAL = '<Response><Dial><Number>+41445550101</Number></Dial></Response>'

test.each([
  ['callflow/:record/gather', 'Digits=1', DIAL, 'Pressed 1 → +41445550101'],
  ['callflow/:record/gather', 'SpeechResult=Sales%2C+please', DIAL, 'Said “Sales, please” → +41445550101'],
  ['callflow/:record/gather', 'Digits=9', MENU, 'Pressed 9 → waits for input → “Press 1.” → no input → hangs up'],
  [
    'callflow/:record/gather',
    'Digits=',
    MENU,
    'Next step (gather) → waits for input → “Press 1.” → no input → hangs up',
  ],
  // The key that ends a voicemail is no choice of a menu.
  ['callflow/:record/after', 'Digits=%23', DIAL, 'Next step (after) → +41445550101'],
])('a request at %s with %s that is answered %s reads: %s', (route, body, reply, sentence) => {
  const row = {
    ...{ id: 1, at: '2030-01-01 12:00:00.000', area: 'telco', tool: null, verdict: 'done', reason: null, ms: 3 },
    ...{ budget_ms: null, sid: 'CA1', route: `/telco/webhook/${route}`, body: `CallStatus=in-progress&${body}`, reply },
  }
  const { title, params } = deliveryMoment(row, new Map(), { isAdmin: false })
  expect(sentenceOf(title, params)).toBe(sentence)
})

test.each([
  ['Telco requires HTTPS to be setup! The request came over plain http.', 'Webhook over plain http (number)'],
  ['The telephony request is not valid. Its signature does not match.', 'Webhook with a bad signature (number)'],
  ['The header x-voiceai-agent-token is missing.', 'Webhook with a bad token (number)'],
  ['The body is too large.', 'Unverified webhook (number)'],
])('a webhook that was rejected says for what: %s', (reason, sentence) => {
  const row = {
    ...{ id: 1, at: '2030-01-01 12:00:00.000', area: 'telco', tool: null, verdict: 'rejected', reason, ms: 3 },
    ...{ budget_ms: null, sid: 'CA1', route: '/telco/webhook/number', body: '', reply: '' },
  }
  const { title, params } = deliveryMoment(row, new Map(), { isAdmin: false })
  expect(sentenceOf(title, params)).toBe(sentence)
  expect(sentenceOf(`delivery_${title}`, params, WHY_SENTENCES)).toContain('(number)')
})
