import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sql } from '../../../src/database/drizzle.ts'
import { parseCallEvent } from '../../../src/ledger/legs/leg-event.ts'
import { recordLegs } from '../../../src/ledger/legs/record-legs.ts'
import { linkRecordings } from '../../../src/ledger/recordings/link-recordings.ts'
import { recordRecordings } from '../../../src/ledger/recordings/record-recording.ts'
import { recordVoicemails } from '../../../src/ledger/voicemails/record-voicemail.ts'
import { recordCallerIdResults } from '../../../src/telco/caller-ids/caller-id-result.ts'
import { asWebhook, aTelcoRequest } from '../../support/effects.ts'
import { ACCOUNT_SID, aPbxUser, setUpTelco } from '../../support/telco.ts'
import { TestApp } from '../../support/test-app.ts'

const CALL = 'CA00000000000000000000000000000001'
const CHILD = 'CA00000000000000000000000000000002'
const RECORDING = 'RE00000000000000000000000000000001'
const URL_OF_IT = `https://api.twilio.com/2010-04-01/Accounts/${ACCOUNT_SID}/Recordings/${RECORDING}`
const RUNS = 25

type Form = Record<string, string>

let app: TestApp
let anna: { id: number; loginId: number }

beforeAll(async () => {
  app = await TestApp.start({ env: { WORKER: 'off' } })
  await setUpTelco(app)
  anna = await aPbxUser(app, { username: 'anna', extension: '101' })
  await app.admin.ask('res.partner', 'create', { vals_list: { name: 'Zoe', phone: '+14155550100' } })
})
afterAll(() => app.stop())
beforeEach(clear)

async function clear(): Promise<void> {
  for (const table of ['connect_recording', 'connect_voicemail', 'connect_channel', 'connect_call']) {
    await app.db.query(sql`delete from ${sql.identifier(table)}`)
  }
  await app.db.query(sql`delete from jobs.job where name in ('recording-details', 'voicemail-download')`)
}

const ROOT: Form = {
  CallSid: CALL,
  Direction: 'inbound',
  CallStatus: 'ringing',
  From: '+14155550100',
  Caller: '+14155550100',
  To: '+14155550199',
  Called: '+14155550199',
}
const ANSWERED: Form = {
  CallSid: CHILD,
  ParentCallSid: CALL,
  Direction: 'outbound-dial',
  CallStatus: 'in-progress',
  From: '+14155550100',
  Caller: '+14155550100',
  To: 'client:anna@acme.sip.twilio.com',
  Called: 'client:anna@acme.sip.twilio.com',
  SequenceNumber: '1',
  Timestamp: 'Wed, 08 Oct 2025 13:54:12 +0000',
  CallbackSource: 'call-progress-events',
}
const ENDED: Form = { ...ANSWERED, CallStatus: 'completed', CallDuration: '37', SequenceNumber: '2' }
const HUNG_UP: Form = { ...ROOT, CallStatus: 'completed', CallDuration: '40', SequenceNumber: '0' }

function aRecording(fields: Form = {}): Form {
  return {
    AccountSid: ACCOUNT_SID,
    CallSid: CALL,
    RecordingSid: RECORDING,
    RecordingUrl: URL_OF_IT,
    RecordingStatus: 'completed',
    RecordingDuration: '36',
    RecordingChannels: '2',
    RecordingSource: 'DialVerb',
    RecordingStartTime: 'Wed, 08 Oct 2025 13:54:12 +0000',
    ErrorCode: '0',
    ...fields,
  }
}
const STARTED = aRecording({ RecordingStatus: 'in-progress', RecordingDuration: '' })
const VOICEMAIL: Form = { ...aRecording({ RecordingSid: 'RE9', RecordingSource: 'RecordVerb' }), kind: 'voicemail' }

/** Records a form as its route does: a leg, a recording or a voicemail. */
function record(form: Form): Promise<void> {
  return asWebhook(app, async (env) => {
    if (form.kind === 'voicemail') return recordVoicemails(env, [aTelcoRequest(form)])
    if (form.RecordingSid !== undefined) return recordRecordings(env, [aTelcoRequest(form)])
    const event = parseCallEvent(form)
    if (event === undefined) return
    await recordLegs(env, [event])
    await linkRecordings(env, [event.sid])
  })
}

/** Everything of recordings and voicemail but ids and times of writing. */
async function state(): Promise<unknown> {
  const recordings = await app.db.query(
    sql`select r.sid, r.call_sid, c.call_sid as call, l.sid as channel, p.name as partner, cu.login as caller_user,
          du.login as called_user, r.caller_number, r.called_number, r.status, r.duration, r.media_url, r.source,
          r.start_time, r.transcription_pending
        from connect_recording r left join connect_call c on c.id = r.call left join connect_channel l on l.id = r.channel
        left join res_partner p on p.id = r.partner left join res_users cu on cu.id = r.caller_user
        left join res_users du on du.id = r.called_user order by r.sid`,
  )
  const calls = await app.db.query(
    sql`select call_sid, voicemail_url, voicemail_duration from connect_call order by call_sid`,
  )
  return { recordings, calls }
}

async function jobs(name: string): Promise<number> {
  const [row] = await app.db.query<{ count: number }>(
    sql`select count(*)::int as count from jobs.job where name = ${name} and state = 'created'`,
  )
  return row?.count ?? 0
}

describe('a recording', () => {
  it('knows its leg, call, contact and people', async () => {
    for (const form of [ROOT, ANSWERED, aRecording()]) await record(form)
    expect(await state()).toMatchObject({
      recordings: [
        {
          sid: RECORDING,
          call_sid: CALL,
          call: CALL,
          channel: CALL,
          partner: 'Zoe',
          called_user: 'anna',
          caller_number: '+14155550100',
          called_number: '+14155550199',
          status: 'completed',
          duration: 36,
          media_url: URL_OF_IT,
          source: 'DialVerb',
          start_time: '2025-10-08 13:54:12',
        },
      ],
    })
    expect(anna.loginId).toBeGreaterThan(0)
  })

  it('a recording of a leg nobody knows is kept, without links', async () => {
    await record(aRecording())
    expect(await state()).toMatchObject({ recordings: [{ sid: RECORDING, call: null, channel: null }], calls: [] })
  })

  it('leaves the same rows for every order and any repeats of all callbacks', async () => {
    const forms = [ROOT, ANSWERED, ENDED, HUNG_UP, STARTED, aRecording(), VOICEMAIL]
    for (const form of forms) await record(form)
    const expected = await state()
    await fc.assert(
      fc.asyncProperty(shuffledWithRepeats(forms), async (order) => {
        await clear()
        for (const form of order) await record(form)
        expect(await state()).toEqual(expected)
      }),
      { numRuns: RUNS },
    )
  })

  it('a recording is one row when its callbacks arrive at the same time', async () => {
    await record(ROOT)
    await Promise.all([aRecording(), STARTED, aRecording(), ANSWERED, aRecording()].map(record))
    expect(await state()).toMatchObject({ recordings: [{ status: 'completed', channel: CALL, called_user: 'anna' }] })
    expect(await app.count('connect_recording')).toBe(1)
  })

  it('a recording has its details fetched once, when it is done', async () => {
    await record(STARTED)
    expect(await jobs('recording-details')).toBe(0)
    await record(aRecording())
    await record(aRecording())
    await record(STARTED)
    expect(await jobs('recording-details')).toBe(1)
  })

  it('a recording that was not made says so, and has no audio', async () => {
    await record(aRecording({ RecordingStatus: 'absent', RecordingDuration: '' }))
    expect(await state()).toMatchObject({ recordings: [{ status: 'absent', media_url: null, duration: 0 }] })
    expect(await jobs('recording-details')).toBe(0)
  })

  it('waits for its transcription when settings say so, and not when it was not made', async () => {
    await app.admin.ask('connect.settings', 'write', { ids: [1], vals: { transcript_calls: true } })
    await record(aRecording())
    await record(aRecording({ RecordingSid: 'RE2', RecordingStatus: 'failed' }))
    await app.admin.ask('connect.settings', 'write', { ids: [1], vals: { transcript_calls: false } })
    expect(await state()).toMatchObject({
      recordings: [{ transcription_pending: true }, { transcription_pending: false }],
    })
  })

  it('a recording that began at the press of a button ends the recording state of its leg', async () => {
    await record(ROOT)
    await app.db.query(sql`update connect_channel set recording_state = 'on', recording_control_ref = ${RECORDING}`)
    await record(aRecording())
    const [leg] = await app.db.query(sql`select recording_state from connect_channel where sid = ${CALL}`)
    expect(leg).toEqual({ recording_state: 'off' })
  })

  it.each([
    ['without an id', { RecordingSid: '' }],
    ['in a state nobody knows', { RecordingStatus: 'nonsense' }],
    ['with an id of a megabyte', { RecordingSid: 'R'.repeat(1_000_000) }],
  ])('%s is ignored', async (_what, fields) => {
    await record(aRecording(fields))
    expect(await app.count('connect_recording')).toBe(0)
  })

  it.each([
    ['with wrong numbers and dates', { RecordingDuration: '-3.5e9', RecordingStartTime: 'now', CallSid: '' }],
    ['with an address that is none', { RecordingUrl: 'javascript:alert(1)' }],
    ['with characters no database takes', { RecordingSource: 'a\u0000\ud800b' }],
  ])('%s is kept without them', async (_what, fields) => {
    await record(aRecording(fields))
    expect(await app.count('connect_recording')).toBe(1)
  })

  it('a recording of a conversation with an agent keeps the links it came with', async () => {
    await app.db.query(
      sql`insert into connect_recording (sid, call_sid, source, caller_number) values ('conv_1', ${CALL}, 'voiceai', 'as told')`,
    )
    await record(ROOT)
    expect(await state()).toMatchObject({ recordings: [{ sid: 'conv_1', channel: null, caller_number: 'as told' }] })
  })
})

describe('a voicemail', () => {
  it('a voicemail is shown on its call, whose status stays', async () => {
    await record(ROOT)
    await record(VOICEMAIL)
    await record(VOICEMAIL)
    expect(await state()).toMatchObject({
      recordings: [],
      calls: [{ voicemail_url: URL_OF_IT, voicemail_duration: 36 }],
    })
    const [call] = await app.db.query(sql`select status from connect_call`)
    expect(call).toEqual({ status: 'ringing' })
  })

  it.each([
    ['without a length', { RecordingDuration: '' }, 0],
    ['without an id of its own', { RecordingSid: '' }, 36],
    ['without a status', { RecordingStatus: '' }, 36],
  ])('%s is shown too', async (_what, fields, seconds) => {
    await record(ROOT)
    await record({ ...VOICEMAIL, ...fields })
    expect(await state()).toMatchObject({ calls: [{ voicemail_url: URL_OF_IT, voicemail_duration: seconds }] })
  })

  it('a voicemail of an unknown leg touches no call, and is shown once the leg is known', async () => {
    await record(VOICEMAIL)
    expect(await state()).toEqual({ recordings: [], calls: [] })
    await record(ROOT)
    expect(await state()).toMatchObject({ calls: [{ voicemail_url: URL_OF_IT }] })
    const [call] = await app.db.query<{ id: number }>(sql`select id from connect_call`)
    const read = await app.admin.ask('connect.voicemail', 'search_read', { fields: ['call', 'url', 'duration'] })
    expect(read).toMatchObject([{ call: [call?.id, expect.any(String)], url: URL_OF_IT, duration: 36 }])
  })

  it('a voicemail of which the newest counts, in whichever order they are told', async () => {
    const later = {
      ...VOICEMAIL,
      RecordingSid: 'RE10',
      RecordingDuration: '9',
      RecordingStartTime: 'Wed, 08 Oct 2025 14:00:00 +0000',
    }
    for (const forms of [
      [VOICEMAIL, later],
      [later, VOICEMAIL],
    ]) {
      await clear()
      await record(ROOT)
      for (const form of forms) await record(form)
      expect(await state()).toMatchObject({ calls: [{ voicemail_duration: 9 }] })
    }
  })

  it('a voicemail in which nobody spoke is none', async () => {
    await record(ROOT)
    await record({ ...VOICEMAIL, RecordingStatus: 'absent' })
    expect(await state()).toMatchObject({ calls: [{ voicemail_url: null }] })
  })

  it('a voicemail is copied when settings say so, once', async () => {
    await app.admin.ask('connect.settings', 'write', { ids: [1], vals: { store_recordings: true } })
    await record(VOICEMAIL)
    await record(VOICEMAIL)
    await app.admin.ask('connect.settings', 'write', { ids: [1], vals: { store_recordings: false } })
    expect(await jobs('voicemail-download')).toBe(1)
  })
})

describe('the outcome of validating a caller id', () => {
  const NUMBER = '+14155550123'
  const SUCCESS = { Called: NUMBER, VerificationStatus: 'success', OutgoingCallerIdSid: 'PN1', CallSid: 'CA9' }
  const FAILURE = { To: NUMBER, VerificationStatus: 'failed', CallSid: 'CA8' }

  beforeEach(async () => {
    await app.db.query(sql`delete from connect_telco_outgoing_callerid`)
    await app.db.query(
      sql`insert into connect_telco_outgoing_callerid (number, friendly_name, callerid_type, status) values
        (${NUMBER}, 'Mobile', 'outgoing_callerid', 'not validated'), ('+14155550199', 'Own', 'number', 'validated')`,
    )
  })

  const report = (form: Form): Promise<boolean> =>
    asWebhook(app, async (env) => (await recordCallerIdResults(env, [aTelcoRequest(form)]))[0]?.isKnown === true)

  async function callerId(): Promise<unknown> {
    const [row] = await app.db.query(
      sql`select status, sid from connect_telco_outgoing_callerid where number = ${NUMBER}`,
    )
    return row
  }

  it('makes it usable, with the id of the provider', async () => {
    expect(await report(SUCCESS)).toBe(true)
    expect(await report(SUCCESS)).toBe(true)
    expect(await callerId()).toEqual({ status: 'validated', sid: 'PN1' })
  })

  it('says that it failed', async () => {
    expect(await report(FAILURE)).toBe(true)
    expect(await callerId()).toEqual({ status: 'validation failed', sid: null })
  })

  it('the outcome of validating a caller id is the same in any order: what was validated stays so', async () => {
    for (const order of [
      [SUCCESS, FAILURE],
      [FAILURE, SUCCESS],
      [FAILURE, SUCCESS, FAILURE],
    ]) {
      await app.db.query(
        sql`update connect_telco_outgoing_callerid set status = 'not validated', sid = null where number = ${NUMBER}`,
      )
      for (const form of order) await report(form)
      expect(await callerId()).toEqual({ status: 'validated', sid: 'PN1' })
    }
  })

  it.each([['+14155550000'], ['+14155550199'], [''], ['\u0000'], ['x'.repeat(100_000)]])(
    'of %j is none of ours',
    async (number) => {
      expect(await report({ ...SUCCESS, Called: number })).toBe(false)
      expect(await app.count('connect_telco_outgoing_callerid')).toBe(2)
    },
  )
})

/** Any order of all of them, each once or twice. */
function shuffledWithRepeats(forms: readonly Form[]): fc.Arbitrary<Form[]> {
  const twice = [...forms, ...forms]
  return fc
    .shuffledSubarray(twice, { minLength: twice.length - 4 })
    .filter((some) => forms.every((form) => some.includes(form)))
}
