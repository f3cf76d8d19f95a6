// What the page says of a call with an agent and of a missed one, from what the service stores.
import { expect, test } from 'vitest'
import { judgedOf } from '../../web/calls/judged.ts'
import { outcomeWords } from '../../web/lines/outcome-words.ts'
import { drawnFields } from '../../web/records/unread-fields.ts'
import { noticeTitle } from '../../web/shell/notice-words.ts'
import deLines from '../../web/words/de/lines.json' with { type: 'json' }
import deShell from '../../web/words/de/shell.json' with { type: 'json' }
import enLines from '../../web/words/en/lines.json' with { type: 'json' }
import enShell from '../../web/words/en/shell.json' with { type: 'json' }

function sayFrom(words: Readonly<Record<string, string>>) {
  const say = (key: string, values: Record<string, string> = {}) =>
    (words[key] ?? key).replaceAll(/\{\{(\w+)\}\}/g, (_all, name: string) => values[name] ?? '')
  return say as never
}

const CALL = {
  outcome: 'agent' as const,
  answered_at: null,
  voiceai_agent: [1, 'Helpdesk'] as [number, string],
  answered_user: null,
  answered_pbx_user: null,
  conversation_ending: 'ended',
}

test.each([
  [{}, 'With Helpdesk', 'Mit Helpdesk'],
  [{ conversation_result: 'failure' }, 'With Helpdesk', 'Mit Helpdesk'],
  [{ conversation_result: 'unknown' }, 'With Helpdesk', 'Mit Helpdesk'],
  [{ conversation_result: 'success' }, 'With Helpdesk · Goal reached', 'Mit Helpdesk · Ziel erreicht'],
  [
    { conversation_result: 'success', nobody_spoke: true },
    'With Helpdesk · The caller said nothing',
    'Mit Helpdesk · Der Anrufer sagte nichts',
  ],
  [
    { conversation_result: 'success', not_taken_over: true },
    'No one took over from Helpdesk',
    'Niemand übernahm von Helpdesk',
  ],
  [{ conversation_ending: 'silence' }, 'With Helpdesk · ended after a silence', 'Mit Helpdesk · nach Stille beendet'],
  [{ voiceai_agent: null }, 'With the agent', 'Mit dem Agenten'],
  [
    { conversation_ending: 'said', conversation_end: 'Caller left' },
    'With Helpdesk · “Caller left”',
    'Mit Helpdesk · „Caller left“',
  ],
])('an outcome of a call with an agent, %j, is told as it was', (values, english, german) => {
  const call = { ...CALL, ...values }
  expect([outcomeWords(call, sayFrom(enLines)), outcomeWords(call, sayFrom(deLines))]).toEqual([english, german])
})

test.each([
  ['busy', 'busy', 'Own phone not picked up', 'Eigenes Telefon nicht abgenommen'],
  ['no_answer', 'no-answer', 'Own phone not picked up', 'Eigenes Telefon nicht abgenommen'],
  ['no_answer', 'completed', 'Ended before anyone was called', 'Beendet, bevor jemand angerufen wurde'],
  ['failed', 'failed', 'Own phone not reached', 'Eigenes Telefon nicht erreicht'],
  ['given_up', 'canceled', 'Hung up before an answer', 'Aufgelegt, bevor jemand abnahm'],
] as const)(
  'an own phone that ends the call as %s (%s) says nothing of whom one wanted',
  (outcome, status, english, german) => {
    const call = { ...CALL, outcome, status, end_reason: 'not_dialled', voiceai_agent: null }
    expect([outcomeWords(call, sayFrom(enLines)), outcomeWords(call, sayFrom(deLines))]).toEqual([english, german])
    expect(outcomeWords({ ...call, end_reason: 'refused' }, sayFrom(enLines))).not.toBe('Own phone not picked up')
  },
)

test('an outcome of a live call that our answer connected is a talk, never ringing', () => {
  const live = { ...CALL, outcome: 'in_progress' as const, answered_at: '2026-11-26 09:00:00' }
  expect(outcomeWords(live, sayFrom(enLines))).toBe('Talking')
  expect(outcomeWords({ ...live, answered_at: null }, sayFrom(enLines))).toBe('Ringing')
})

test.each([
  ['Yara Novak', 'Missed call from Yara Novak', 'Verpasster Anruf von Yara Novak'],
  ['+14155550812', 'Missed call from +14155550812', 'Verpasster Anruf von +14155550812'],
  [null, 'Missed call from a withheld number', 'Verpasster Anruf von einer unterdrückten Nummer'],
])('a notice of a missed call of %j names the caller', (detail, english, german) => {
  const notice = { kind: 'missed' as const, detail }
  expect([noticeTitle(notice, sayFrom(enShell)), noticeTitle(notice, sayFrom(deShell))]).toEqual([english, german])
})

test('an analysis that is stored is read, and what is none is left out', () => {
  const call = {
    conversation_criteria: [{ id: 'solved', result: 'failure', rationale: null, score: 1, max_score: 5 }],
    conversation_data: [
      { id: 'street', value: 'Main Street 1', rationale: 'Said.' },
      { id: 'email', value: null },
    ],
    conversation_charging: { call_charge: 250, tier: 'pro', dev_discount: false },
    conversation_tags: ['tag_vip'],
  }
  expect(judgedOf(call)).toEqual({
    goals: [{ id: 'solved', result: 'failure', rationale: '', score: '1 / 5' }],
    fields: [
      { id: 'street', value: 'Main Street 1', rationale: 'Said.' },
      { id: 'email', value: '', rationale: '' },
    ],
    charges: [
      ['call_charge', '250'],
      ['tier', 'pro'],
    ],
    tags: ['tag_vip'],
  })
  const none = { conversation_criteria: null, conversation_data: 'x', conversation_charging: [], conversation_tags: {} }
  expect(judgedOf(none)).toEqual({ goals: [], fields: [], charges: [], tags: [] })
})

test('what only programs read of a call is not drawn, and what people read is', () => {
  const fields = { caller: 1, strip: 2, stir_verstat: 3, caller_verification: 4, ref: 5, ticket: 6, dial_ends: 7 }
  expect(drawnFields('connect.call', fields)).toEqual({ caller: 1, caller_verification: 4, ticket: 6 })
  expect(drawnFields('connect.channel', { sid: 1, stir_verstat: 2 })).toEqual({ sid: 1 })
})

test('fields that nothing obeys are not drawn, and all others are', () => {
  const fields = { user: 1, client_enabled: 2, sip_enabled: 3, summary_prompt: 4 }
  expect(drawnFields('connect.user', fields)).toEqual({ user: 1, sip_enabled: 3 })
  expect(drawnFields('helpdesk.team', fields)).toBe(fields)
})
