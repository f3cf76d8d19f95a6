// What the page says of records in words: cases, without a browser.
import { expect, test } from 'vitest'
import { noCallsKey } from '../../web/agents/agent-calls.ts'
import { readsAll } from '../../web/data/reads-all.ts'
import { replayableOf } from '../../web/deliveries/deliveries-search.ts'
import { commandKey } from '../../web/design/keys.ts'
import { verdictKey } from '../../web/lines/verdict-words.ts'
import { dayFigures } from '../../web/now/figures.ts'
import { columnsOf } from '../../web/records/export-rows.ts'
import { changeLines } from '../../web/records/posts.ts'
import { wordLabels } from '../../web/words/labels.ts'

test('a change is said once, under the label of its field', () => {
  const fields = { stage_id: { string: 'Stage', type: 'many2one' } }
  const changes = [
    { field: 'stage_id', from: 'Inbox', to: 'In Progress' },
    { field: 'user_id', from: null, to: 'Zoe\u202e Miller' },
  ]
  expect(changeLines('helpdesk.ticket', fields, changes).map(({ line }) => line)).toEqual([
    'Stage: Inbox → In Progress',
    'user_id: – → Zoe␣ Miller',
  ])
})

test('choices of a change are said in the language of the page, and names as they are stored', () => {
  wordLabels({ Inbox: 'Eingang', High: 'Hoch' })
  const fields = {
    stage_id: { string: 'Phase', type: 'many2one' },
    priority: { string: 'Priorität', type: 'selection' },
  }
  const changes = [
    { field: 'stage_id', from: 'Inbox', to: 'Inbox' },
    { field: 'priority', from: null, to: 'High' },
  ]
  expect(changeLines('helpdesk.ticket', fields, changes).map(({ line }) => line)).toEqual([
    'Phase: Inbox → Inbox',
    'Priorität: – → Hoch',
  ])
  wordLabels({})
})

test('stages that come with the product are said in the language of the page, and others as they are stored', () => {
  wordLabels({ 'helpdesk.stage.Inbox': 'Eingang', Waiting: 'Wartet' })
  try {
    const fields = { stage_id: { string: 'Phase', type: 'many2one', relation: 'helpdesk.stage' } }
    const changes = [{ field: 'stage_id', from: 'Inbox', to: 'Waiting' }]
    expect(changeLines('helpdesk.ticket', fields, changes).map(({ line }) => line)).toEqual([
      'Phase: Eingang → Waiting',
    ])
    const column = columnsOf([{ name: 'stage_id', ...fields.stage_id } as never], {
      zone: 'UTC',
      language: 'en',
      yes: '',
      no: '',
    })
    expect(column[0]?.text({ stage_id: [1, 'Inbox'] })).toBe('Eingang')
  } finally {
    wordLabels({})
  }
})

test.each([
  ['handled', '', 'handled'],
  ['rejected', 'Telco requires HTTPS to be setup! The request came over plain http.', 'plainHttp'],
  ['rejected', 'The telephony request is not valid. Its signature does not match.', 'badSignature'],
  ['rejected', 'The header x-voiceai-agent-token is missing.', 'badToken'],
  ['rejected', 'The body is too large.', 'rejected'],
] as const)('a webhook that is %s for “%s” is called %s', (verdict, reason, key) => {
  expect(verdictKey({ verdict, reason })).toBe(key)
})

test('webhooks are offered to be replayed where they can be: not those without a signature, and no answers to an agent', () => {
  const failed = [['replayed_at', '=', null], '|', ['inbox', '!=', null], ['route', 'like', '/telco/webhook/']]
  expect(replayableOf([], 'failed')).toEqual(failed)
  expect(replayableOf([], 'rejected')).toEqual([...failed, ['reason', 'not ilike', 'no signature']])
})

test('an agent without calls is said to have none only to those who see every call', () => {
  expect(noCallsKey({ groups: ['connect.group_user', 'connect.group_admin'] })).toBe('noCalls')
  expect(noCallsKey({ groups: ['connect.group_user', 'connect.group_agent_calls'] })).toBe('noCallsOfYours')
})

test('the figures of a day add up to its calls, and trouble is one of them where there is some', () => {
  const none = { agent: 0, not_taken_over: 0, person: 0, agent_person: 0, missed: 0, given_up: 0, voicemail: 0 }
  const rare = { failed: 0, failed_incoming: 0, failed_outgoing: 0, busy: 0, no_answer: 0, in_progress: 0 }
  const counts = (stats: Parameters<typeof dayFigures>[0]) =>
    Object.fromEntries(dayFigures(stats).map(({ words, count }) => [words, count]))
  expect(counts({ ...none, ...rare })).toEqual({ answered: 0, missed: 0, givenUp: 0, voicemails: 0 })
  const day = { agent: 5, not_taken_over: 1, person: 2, agent_person: 1, missed: 1, given_up: 1, voicemail: 3 }
  const figures = dayFigures({ ...day, ...rare, failed: 1, failed_incoming: 1, busy: 1, no_answer: 1, in_progress: 2 })
  expect(figures.reduce((sum, { count }) => sum + count, 0)).toBe(18)
  expect(figures.filter(({ isTrouble }) => isTrouble)).toMatchObject([{ words: 'failed', count: 1 }])
  expect(counts({ ...day, ...rare, failed: 1, failed_incoming: 1 })).toEqual({
    answered: 7,
    missed: 1,
    notTakenOver: 1,
    givenUp: 1,
    voicemails: 3,
    failed: 1,
  })
})

test('only callers whose call failed are trouble: a call of ours that failed is counted, and nobody is to be called back for it', () => {
  const none = { agent: 0, not_taken_over: 0, person: 0, agent_person: 0, missed: 0, given_up: 0, voicemail: 0 }
  const rare = { busy: 0, no_answer: 0, in_progress: 0 }
  const figures = dayFigures({ ...none, ...rare, failed: 6, failed_incoming: 1, failed_outgoing: 3 })
  expect(figures.filter(({ outcomes }) => outcomes.includes('failed'))).toEqual([
    { words: 'failed', count: 1, outcomes: ['failed'], direction: 'incoming', isTrouble: true },
    { words: 'failedOutgoing', count: 3, outcomes: ['failed'], direction: 'outgoing' },
    { words: 'failedInternal', count: 2, outcomes: ['failed'], direction: 'internal' },
  ])
})

test.each([
  ['Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36', 'Ctrl'],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36', 'Ctrl'],
  ['Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36', 'Ctrl'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15', '⌘'],
  ['Mozilla/5.0 (iPad; CPU OS 26_0 like Mac OS X) AppleWebKit/605.1.15', '⌘'],
])('hints of keys name what the machine has: %s', (machine, key) => expect(commandKey(machine)).toBe(key))

test.each([
  ['connect.call', ['connect.group_user'], false],
  ['connect.message', ['connect.group_user'], false],
  ['calendar.event', ['connect.group_user'], false],
  ['connect.call', ['helpdesk.group_user'], false],
  ['connect.call', ['connect.group_user', 'connect.group_admin'], true],
  ['helpdesk.ticket', ['helpdesk.group_user'], true],
])('records of %s are counted for a reader of %j only where they see all: %j', (model, groups, isWhole) => {
  expect(readsAll({ groups }, model)).toBe(isWhole)
})
