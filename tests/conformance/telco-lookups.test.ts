// At scale: no report of the provider makes the database read through a table that grows with the business.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectNoScans, plannedAtEachRun, type Ran, recordStatements } from '../support/plans.ts'
import { ACCOUNT_SID } from '../support/telco.ts'
import { CUSTOMER, callback, newSid, Office, OUR_NUMBER, requestOf, SIP_HOST } from '../support/telco-office.ts'

const MANY = 5_000
const GROWING = [
  'res_partner',
  'connect_call',
  'connect_channel',
  'connect_recording',
  'connect_voicemail',
  'connect_message',
  'mail_message',
  'connect_telco_user_callflow_call',
]

let office: Office
let menu: number
const root = newSid()
const ALICE = `client:alice@${SIP_HOST}`

beforeAll(async () => {
  office = await Office.start()
  const { id } = await office.user('alice', '101')
  await office.number(OUR_NUMBER, { destination: 'user', user: id })
  menu = await office.flow({ prompt_message: 'Press 1', gather_input: true })
  const { id: exten } = await office.only('connect.telco.exten', [['number', '=', '101']], [])
  await office.create('connect.telco.callflow_choice', { callflow: menu, choice_digits: '1', exten })
  await office.app.db.script(`
    insert into res_partner (name, active, phone, phone_normalized, mobile_normalized)
      select 'Contact ' || n, true, '+1415' || (1000000 + n), '+1415' || (1000000 + n), '+1416' || (1000000 + n)
      from generate_series(1, ${MANY}) n;
    insert into connect_call (caller, called, direction, status, call_sid)
      select '+1415' || (1000000 + n), '${OUR_NUMBER}', 'incoming', 'completed', 'CA_many_' || n from generate_series(1, ${MANY}) n;
    insert into connect_channel (sid, call, status) select call_sid, id, 'completed' from connect_call;
    insert into connect_recording (sid, call, call_sid, status) select 'RE_many_' || id, id, call_sid, 'completed' from connect_call;
    insert into connect_voicemail (sid, call_sid, url, duration) select 'RV_many_' || id, call_sid, '', 1 from connect_call;
    insert into connect_message (message_sid, from_number, to_number, direction, status)
      select 'SM_many_' || n, '+1415' || (1000000 + n), '${OUR_NUMBER}', 'incoming', 'received' from generate_series(1, ${MANY}) n;
    insert into mail_message (model, res_id, body, message_type, date) select 'connect.call', id, 'Note', 'comment', now() from connect_call;
    insert into connect_telco_user_callflow_call (call, callflow)
      select c.id, f.id from connect_call c, (select id from connect_telco_user_callflow order by id limit 1) f;
    analyze;
  `)
})
afterAll(() => office.stop())

function sms(sid: string): Record<string, string> {
  const parties = { From: CUSTOMER, To: OUR_NUMBER }
  return { MessageSid: sid, AccountSid: ACCOUNT_SID, SmsStatus: 'received', Body: 'Hi', NumMedia: '0', ...parties }
}

function recordingOf(sid: string): Record<string, string> {
  const RecordingUrl = `https://api.twilio.com/2010-04-01/Accounts/${ACCOUNT_SID}/Recordings/${sid}`
  return { RecordingSid: sid, CallSid: root, RecordingUrl, RecordingStatus: 'completed', RecordingDuration: '7' }
}

const message = newSid('SM')

const OFTEN = 12

/** What a call brings, from its beginning to its end, with a message of the caller. */
async function aCallAndAMessage(): Promise<void> {
  const sid = newSid()
  const text = newSid('SM')
  await office.voice('number', requestOf({ sid }))
  await office.voice(`callflow/${menu}/gather`, { ...requestOf({ sid }), Digits: '1' })
  await office.reports(callback({ sid: newSid(), parent: sid, direction: 'outbound-dial', to: ALICE }, 'ringing'))
  await office.reports(callback({ sid }, 'completed', { seconds: 9 }))
  await office.report('recordingstatus', { ...recordingOf(newSid('RE')), CallSid: sid })
  await office.voice('message', sms(text))
  await office.report('message_status', { MessageSid: text, MessageStatus: 'read' })
}

describe('a lookup reads through no table', () => {
  it.each<[string, string, () => Promise<unknown>]>([
    ['a call to a number', 'leg_family', () => office.voice('number', requestOf({ sid: root }))],
    [
      'what a caller pressed',
      'routing_call_facts',
      () => office.voice(`callflow/${menu}/gather`, { ...requestOf({ sid: root }), Digits: '1' }),
    ],
    [
      'a status of a dialled leg',
      'legs_save',
      () => office.reports(callback({ sid: newSid(), parent: root, direction: 'outbound-dial' }, 'completed')),
    ],
    ['the end of a call', 'calls_update', () => office.reports(callback({ sid: root }, 'completed', { seconds: 9 }))],
    [
      'the end of a call to a user',
      'calls_names',
      async () => {
        const sid = newSid()
        await office.reports(callback({ sid }, 'in-progress'))
        await office.reports(
          callback({ sid: newSid(), parent: sid, direction: 'outbound-dial', to: ALICE }, 'no-answer'),
        )
        await office.reports(callback({ sid }, 'completed', { seconds: 9 }))
      },
    ],
    ['a recording', 'query', () => office.report('recordingstatus', recordingOf(newSid('RE')))],
    ['a voicemail', 'query', () => office.report('vm_recordingstatus', recordingOf(newSid('RE')))],
    ['a message', 'messages_receive', () => office.voice('message', sms(message))],
    [
      'a status of a message',
      'messages_of_reports',
      () => office.report('message_status', { MessageSid: message, MessageStatus: 'read' }),
    ],
  ])('the lookup for %s reads through no table', async (_what, name, work) => {
    const statements: Ran[] = await recordStatements(office.app.db, work)
    const names = statements.map((statement) => statement.name)
    expect(names.length).toBeGreaterThan(0)
    if (name !== 'query') expect(names).toContain(name)
    await expectNoScans(office.app.db, statements, GROWING)
  })
})

it('what calls and messages ask of the database is planned once, and not each time', async () => {
  const planned = await plannedAtEachRun(office.app.db, OFTEN, async () => {
    for (let nth = 0; nth < OFTEN; nth += 1) await aCallAndAMessage()
  })
  expect(planned).toEqual([])
})
