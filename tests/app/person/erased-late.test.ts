// What is reported of a call after its person was erased adds facts, and gives back no words, names and numbers.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql } from '../../../src/database/drizzle.ts'
import { aConversationId, anAudio, aTranscript, deliver, useSecret } from '../../fixtures/post-call.ts'
import { aSid } from '../../fixtures/records.ts'
import { dumpOf } from '../../support/dump.ts'
import { ACCOUNT_SID, sendTelco, setUpTelco } from '../../support/telco.ts'
import { eventually, TestApp } from '../../support/test-app.ts'

const NAME = 'Zoe Miller'
const NUMBER = '+14155550210'
const OURS = '+14155550110'
const SAID = 'boiler leaks'
const TRACES = [/zoe.{0,6}miller/i, /415[^0-9a-z]{0,3}555[^0-9a-z]{0,3}0210/i, /boiler leaks/i]
const AUDIO = Buffer.from('ID3 a sound')

const MEDIA = 'https://api.example.com/2010-04-01/Recordings'

let app: TestApp

beforeAll(async () => {
  app = await TestApp.start()
  await setUpTelco(app)
  await useSecret(app)
})
afterAll(() => app.stop())

const report = (path: string, form: Record<string, string>) =>
  sendTelco(app, `/telco/webhook/${path}`, { AccountSid: ACCOUNT_SID, ...form })

/** What the phone provider says of the call. */
const legOf = (sid: string) => ({ CallSid: sid, From: NUMBER, To: OURS, Direction: 'inbound', CallerName: NAME })

/** What was said, as the platform tells it. */
const transcriptOf = (conversationId: string, callSid: string) =>
  aTranscript({
    conversationId,
    callSid,
    external: NUMBER,
    agentNumber: OURS,
    data: {
      transcript: [{ role: 'user', message: `I am ${NAME}, and my ${SAID}`, time_in_call_secs: 1 }],
      analysis: { transcript_summary: `${NAME}: the ${SAID}`, call_successful: 'success' },
    },
  })

/** Nothing is waiting any more: neither a delivery nor a job that follows one. */
async function allWorkedOff(): Promise<void> {
  await eventually(async () => {
    await app.app.deliveries.drained()
    // Its time has come: the log is written.
    await app.db.query(sql`update jobs.job set start_after = now() where name = 'forget-late' and state = 'created'`)
    app.app.jobs.wake('forget-late')
    const rows = await app.db.query(sql`select 1 from connect_inbox where state in ('received', 'failed')
      union all select 1 from jobs.job where state in ('created', 'retry', 'active')
        and name in ('forget-late', 'media-removal', 'erase-person') and start_after < now() + interval '1 minute'`)
    return rows.length === 0 ? true : undefined
  })
}

/** A call of the person, over and told of; then the person is erased. */
async function erasedCall(told: (sid: string, conversationId: string) => Promise<unknown>): Promise<{
  sid: string
  conversationId: string
  call: number
}> {
  const [sid, conversationId] = [aSid(), aConversationId()]
  const contact = await app.admin.ask<number>('res.partner', 'create', { vals_list: { name: NAME, phone: NUMBER } })
  await report('callstatus', { ...legOf(sid), CallStatus: 'in-progress', SequenceNumber: '1' })
  await told(sid, conversationId)
  await allWorkedOff()
  await app.admin.ask('res.partner', 'erase', { ids: [contact], confirm: NAME })
  await allWorkedOff()
  await eventually(async () =>
    (await app.admin.ask<number>('connect.erasure', 'search_count', { domain: [['state', '!=', 'done']] })) === 0
      ? true
      : undefined,
  )
  const [row] = await app.db.query<{ id: number }>(sql`select id from connect_call where call_sid = ${sid}`)
  expect(await traces()).toEqual([])
  return { sid, conversationId, call: row?.id ?? 0 }
}

/** Where the database names the person, or says what they said. */
async function traces(): Promise<string[]> {
  const text = await dumpOf(app.db)
  return text.split('\n').filter((line) => TRACES.some((trace) => trace.test(line)))
}

const factsOf = async (call: number) => {
  const [row] = await app.db.query(sql`select status, direction, conversation_seconds is not null as has_spoken, caller,
    called, partner, caller_name, summary, voiceai_summary, voicemail_url, voicemail_duration, duration
    from connect_call where id = ${call}::bigint`)
  return row
}

const NOBODY = { caller: null, partner: null, caller_name: null, summary: null, voiceai_summary: null }

it('a summary, a transcript and the end that come after an erasure say what came of the call, and nothing of the person', async () => {
  const { sid, conversationId, call } = await erasedCall(async () => undefined)
  await deliver(app, transcriptOf(conversationId, sid))
  await report('callstatus', { ...legOf(sid), CallStatus: 'completed', CallDuration: '42', SequenceNumber: '2' })
  await allWorkedOff()
  expect(await factsOf(call)).toMatchObject({
    ...NOBODY,
    ...{ status: 'completed', direction: 'incoming', called: OURS, has_spoken: true, duration: 42 },
  })
  expect(await traces()).toEqual([])
  expect(await app.count('connect_recording')).toBe(0)
})

it('a summary that is sent again after an erasure stays away', async () => {
  const { sid, conversationId, call } = await erasedCall((of, conversation) =>
    deliver(app, transcriptOf(conversation, of)),
  )
  await deliver(app, transcriptOf(conversationId, sid))
  await deliver(app, transcriptOf(conversationId, ''))
  await allWorkedOff()
  expect(await factsOf(call)).toMatchObject({ ...NOBODY, has_spoken: true })
  expect(await traces()).toEqual([])
  expect(await app.count('connect_recording')).toBe(0)
})

it('audio of a conversation that comes after an erasure is not kept, whichever of it and the transcript is first', async () => {
  const first = await erasedCall((of, conversation) => deliver(app, transcriptOf(conversation, of)))
  await deliver(app, anAudio(first.conversationId, AUDIO))
  const second = await erasedCall(async () => undefined)
  await deliver(app, anAudio(second.conversationId, AUDIO))
  await allWorkedOff()
  await deliver(app, transcriptOf(second.conversationId, second.sid))
  await allWorkedOff()
  expect(await app.count('connect_recording')).toBe(0)
  expect(await app.count('connect_media_removal')).toBe(0)
  expect(await traces()).toEqual([])
})

it('recordings and voicemails that are reported after an erasure are not kept; that there was a voicemail is', async () => {
  const { sid, call } = await erasedCall(async () => undefined)
  const recording = { CallSid: sid, RecordingStatus: 'completed', RecordingDuration: '7' }
  await report('recordingstatus', { ...recording, RecordingSid: aSid('RE'), RecordingUrl: `${MEDIA}/RE1` })
  const voicemail = { ...recording, RecordingSid: aSid('RE'), RecordingUrl: `${MEDIA}/RE2` }
  await report('vm_recordingstatus', { ...voicemail, ...legOf(sid) })
  await report('callstatus', { ...legOf(sid), CallStatus: 'completed', CallDuration: '9', SequenceNumber: '2' })
  await allWorkedOff()
  expect(await factsOf(call)).toMatchObject({ ...NOBODY, voicemail_url: '', voicemail_duration: 7 })
  expect([await app.count('connect_recording'), await app.count('connect_voicemail')]).toEqual([0, 0])
  expect(await traces()).toEqual([])
})

it('a number that has a contact again does not get the calls of whom was erased', async () => {
  const { sid, call } = await erasedCall(async () => undefined)
  const contact = await app.admin.ask<number>('res.partner', 'create', { vals_list: { name: 'Ann', phone: NUMBER } })
  await report('callstatus', { ...legOf(sid), CallStatus: 'completed', SequenceNumber: '3' })
  await allWorkedOff()
  expect(await factsOf(call)).toMatchObject(NOBODY)
  expect(
    await app.db.query(sql`select 1 from connect_channel where call = ${call}::bigint and partner is not null`),
  ).toEqual([])
  await app.admin.ask('res.partner', 'unlink', { ids: [contact] })
})

it('the status of a message that was erased makes no message', async () => {
  const contact = await app.admin.ask<number>('res.partner', 'create', { vals_list: { name: NAME, phone: NUMBER } })
  const sid = aSid('SM')
  await app.db.query(sql`insert into connect_message (message_sid, from_number, to_number, body, direction, status, status_rank, partner)
    values (${sid}, ${OURS}, ${NUMBER}, ${SAID}, 'outgoing', 'sent', 3, ${contact}::bigint)`)
  await app.admin.ask('res.partner', 'erase', { ids: [contact], confirm: NAME })
  await allWorkedOff()
  await report('message_status', { MessageSid: sid, MessageStatus: 'undelivered', From: OURS, To: NUMBER, Body: SAID })
  await allWorkedOff()
  expect(await app.count('connect_message')).toBe(0)
})
