// An error inside, or a database that does not answer: callers are connected by the last dial plan known, in time, reports get
// their text, and what they reported is worked on once the trouble is over.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sentence } from '../../src/telco/sentences/sentence.ts'
import { whileStuck, withoutTable } from '../fixtures/database-trouble.ts'
import { lastReasons } from '../fixtures/delivery-reasons.ts'
import { ACCOUNT_SID } from '../support/telco.ts'
import { callback, type Form, newSid, Office, OUR_NUMBER, requestOf } from '../support/telco-office.ts'
import { eventually } from '../support/test-app.ts'

/** What a call to our number gets while nothing is known of it but the dial plan. */
const RINGS_ALICE = /^<Response><Dial [^>]*done_callflows=\d+[^>]*><Client [^>]*><Identity>alice@/
/** The service or the server gives up long before the provider does (docs/reference/providers.md#webhook-timeouts). */
const GAVE_UP = /no answer within 8000 ms|canceling statement due to lock timeout/
const RETRY_MS = 60_000

let office: Office
let nowMs = Date.now()

beforeAll(async () => {
  office = await Office.start({ clock: () => new Date(nowMs) })
  const { id } = await office.user('alice', '101')
  await office.number(OUR_NUMBER, { destination: 'user', user: id })
  await office.create('connect.telco.outgoing_callerid', { number: '+14155550123', friendly_name: 'Other' })
  // A call has the plan read in which all of that is.
  expect(await office.voice('number', requestOf({ sid: newSid() }))).toContain('<Identity>alice@')
})
afterAll(() => office.stop())

const unfinished = () => office.list('connect.inbox', [['state', 'in', ['received', 'failed', 'dead']]], ['kind'])

/** Lets the time pass after which reports are worked on again, until none is left. */
async function afterRetries(): Promise<void> {
  await eventually(async () => {
    nowMs += RETRY_MS
    office.app.app.inbox.wake()
    return (await unfinished()).length === 0
  })
}

const leg = (sid: string) => office.list('connect.channel', [['sid', '=', sid]], ['status', 'call'])
function recording(sid: string, callSid: string): Form {
  const RecordingUrl = `https://api.twilio.com/2010-04-01/Accounts/${ACCOUNT_SID}/Recordings/${sid}`
  return { RecordingSid: sid, CallSid: callSid, RecordingUrl, RecordingStatus: 'completed', RecordingDuration: '7' }
}

function sms(sid: string): Form {
  const parties = { From: '+14155550711', To: OUR_NUMBER }
  return { MessageSid: sid, AccountSid: ACCOUNT_SID, SmsStatus: 'received', Body: 'Hi', NumMedia: '0', ...parties }
}

describe('an error inside', () => {
  it.each([
    ['number', RINGS_ALICE],
    ['domain', new RegExp(sentence('noCallerId'))],
    ['markup/1', new RegExp(sentence('noCallerId'))],
  ])('%s is answered by the dial plan, and the call comes into the ledger later', async (route, answer) => {
    const sid = newSid()
    await withoutTable(office.app, 'connect_channel', async () => {
      expect(await office.voice(route, requestOf({ sid }))).toMatch(answer)
    })
    expect(await leg(sid)).toEqual([])
    await afterRetries()
    expect(await leg(sid)).toMatchObject([{ status: 'ringing', call: [expect.any(Number), expect.any(String)] }])
  })

  it.each([
    ['number', 'connect_telco_number'],
    ['connect.user/call_action/1', 'connect_user'],
    ['connect.callflow/call_action/1', 'connect_telco_callflow'],
    ['callflow/1/gather', 'connect_telco_callflow'],
    ['domain', 'connect_telco_exten'],
    ['markup/1', 'connect_telco_markup'],
  ])('%s without %s is answered as ever', async (route, table) => {
    const form = () => ({ ...requestOf({ sid: newSid() }), DialCallStatus: 'no-answer', Digits: '1' })
    const answer = await office.voice(route, form())
    await withoutTable(office.app, table, async () => expect(await office.voice(route, form())).toBe(answer))
    await afterRetries()
  })

  it('an error inside is not heard of by a caller: a menu asks, a key is taken, a phone that does not answer leads to the next one', async () => {
    const { id: carol } = await office.user('carol', '178', { client_enabled: true, sip_enabled: true })
    const [exten] = await office.list('connect.telco.exten', [['number', '=', '178']], [])
    const menu = await office.create('connect.telco.callflow', {
      name: 'Menu',
      prompt_message: 'Press one.',
      gather_input: true,
      choices: [[0, 0, { choice_digits: '1', exten: exten?.id }]],
    })
    await office.number('+41445550176', { destination: 'callflow', callflow: menu })
    await withoutTable(office.app, 'connect_call', async () => {
      const to = { sid: newSid(), to: '+41445550176' }
      // The number is new: it is known within a second.
      await eventually(async () => (await office.voice('number', requestOf(to))).includes('>Press one.</Say></Gather>'))
      const chosen = await office.voice(`callflow/${menu}/gather`, { ...requestOf(to), Digits: '1' })
      const [, action = '', done = ''] = /(connect\.user\/call_action\/\d+)\?(done_callflows=\d+)/.exec(chosen) ?? []
      expect([chosen, action]).toEqual([expect.stringContaining('<Client '), `connect.user/call_action/${carol}`])
      const next = await office.voice(`${action}?${done}`, { ...requestOf(to), DialCallStatus: 'no-answer' })
      expect(next).toContain('<Sip ')
    })
    await afterRetries()
  })

  it('speaks the language of what answers the number, and to a colleague theirs', async () => {
    const german = await office.create('connect.telco.callflow', { name: 'Zentrale', language: 'de-DE' })
    await office.number('+41445550177', { destination: 'callflow', callflow: german })
    await office.user('benoit', '177', { language: 'fr-FR' })
    const hears = (route: string, parties: { from?: string; to?: string }, sid = newSid()) =>
      office.voice(route, requestOf({ sid, ...parties }))
    const colleague = { from: 'sip:benoit@office.sip.telco.example', to: 'sip:555@office.sip.telco.example' }
    await withoutTable(office.app, 'connect_channel', async () => {
      // Both are new: they are known within a second.
      await eventually(async () => (await hears('domain', colleague)).includes(sentence('extensionNotFound', 'fr-FR')))
      expect(await hears('number', { to: '+41445550177' })).toContain(sentence('noActions', 'de-DE'))
    })
    expect(await hears('number', { to: '+41445550177' }, '')).toContain(sentence('callNotIdentified', 'de-DE'))
    await office.write('connect.telco.callflow', german, { language: 'it-IT' })
    await withoutTable(office.app, 'connect_channel', () =>
      eventually(async () => (await hears('number', { to: '+41445550177' })).includes(sentence('noActions', 'it-IT'))),
    )
    await afterRetries()
  })

  it('callaction hangs up whatever is broken', async () => {
    await withoutTable(office.app, 'connect_channel', async () => {
      expect(await office.voice('callaction', requestOf({ sid: newSid() }))).toBe('<Response><Hangup/></Response>')
    })
  })

  it('callstatus answers its text, and the status arrives later, once', async () => {
    const [root, child] = [newSid(), newSid()]
    await withoutTable(office.app, 'connect_call', async () => {
      expect(await office.reports(callback({ sid: root }, 'in-progress'))).toBe('False')
      expect(await office.reports(callback({ sid: child, parent: root }, 'completed', { CallDuration: '5' }))).toBe(
        'False',
      )
      expect(await office.reports(callback({ sid: root }, 'completed', { CallDuration: '9' }))).toBe('False')
    })
    await afterRetries()
    expect(await office.call(root, ['status', 'duration', 'channels'])).toMatchObject({
      status: 'completed',
      duration: 9,
      channels: [expect.any(Number), expect.any(Number)],
    })
  })

  it('recordings, voicemail, messages, their statuses and caller ids arrive later too', async () => {
    const root = newSid()
    const call = Number(await office.reports(callback({ sid: root }, 'completed')))
    const [recorded, voicemail, message] = [newSid('RE'), newSid('RE'), newSid('SM')]
    const validated = { ...callback({ sid: newSid(), to: '+14155550123' }, 'completed'), VerificationStatus: 'success' }
    await withoutTable(office.app, 'connect_recording', async () => {
      expect(await office.report('recordingstatus', recording(recorded, root))).toBe('True')
    })
    await withoutTable(office.app, 'connect_voicemail', async () => {
      expect(await office.report('vm_recordingstatus', recording(voicemail, root))).toBe('True')
    })
    await withoutTable(office.app, 'connect_message', async () => {
      expect(await office.voice('message', sms(message))).toBe('<Response/>')
      expect(await office.report('message_status', { MessageSid: message, MessageStatus: 'read' })).toBe('OK')
    })
    await withoutTable(office.app, 'connect_telco_outgoing_callerid', async () => {
      expect(await office.report('outgoing_callerid', validated)).toBe('False')
    })
    await afterRetries()
    expect(await office.only('connect.recording', [['sid', '=', recorded]], ['call'])).toMatchObject({
      call: [call, expect.any(String)],
    })
    expect(await office.call(root, ['voicemail_duration'])).toMatchObject({ voicemail_duration: 7 })
    expect(await office.list('connect.message', [['message_sid', '=', message]], [])).toHaveLength(1)
    const callerId = [['number', '=', '+14155550123']]
    expect(await office.only('connect.telco.outgoing_callerid', callerId, ['status'])).toMatchObject({
      status: 'validated',
    })
  })

  it('an error inside is never told to the person who calls', async () => {
    const answers: string[] = []
    await withoutTable(office.app, 'connect_channel', async () => {
      answers.push(
        await office.voice('number', requestOf({ sid: newSid() })),
        await office.reports(callback({ sid: newSid() }, 'ringing')),
      )
    })
    expect(answers.join()).not.toMatch(/connect_|relation|error/i)
    await afterRetries()
  })
})

describe('a database that does not answer', () => {
  it('costs callers and the provider no more than they wait, and no report', async () => {
    const [ringing, reported, recorded, message] = [newSid(), newSid(), newSid('RE'), newSid('SM')]
    const tables = ['connect_channel', 'connect_recording', 'connect_message']
    const answers = await whileStuck(office.app, tables, () =>
      Promise.all([
        office.voice('number', requestOf({ sid: ringing })),
        office.reports(callback({ sid: reported }, 'completed')),
        office.report('recordingstatus', recording(recorded, reported)),
        office.voice('message', sms(message)),
      ]),
    )
    expect(answers).toEqual([expect.stringMatching(RINGS_ALICE), 'False', 'True', '<Response/>'])
    for (const route of ['number', 'callstatus', 'recordingstatus', 'message']) {
      expect(await lastReasons(office.app, `/telco/webhook/${route}`, 1)).toEqual([expect.stringMatching(GAVE_UP)])
    }
    await afterRetries()
    expect(await leg(ringing)).toMatchObject([{ status: 'ringing' }])
    expect(await leg(reported)).toMatchObject([{ status: 'completed' }])
    expect(await office.list('connect.recording', [['sid', '=', recorded]], [])).toHaveLength(1)
    expect(await office.list('connect.message', [['message_sid', '=', message]], [])).toHaveLength(1)
  })
})
