// What docs/ledger-in-months.md says is done, word for word, to a ledger that is in use.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sql } from '../../src/database/drizzle.ts'
import { aConversationId, anAudio, aTranscript, deliver, useSecret } from '../fixtures/post-call.ts'
import { IN_MONTHS } from '../support/database.ts'
import { beginMonth, cutLedger, letMonthsGo } from '../support/ledger-in-months.ts'
import { ACCOUNT_SID, aVoiceRequest, sendTelco, setUpTelco } from '../support/telco.ts'
import { TestApp } from '../support/test-app.ts'

const IDS_A_MONTH = 100_000_000
const LEDGER = ['connect_call', 'connect_channel', 'connect_recording', 'connect_message']

let app: TestApp

beforeAll(async () => {
  app = await TestApp.start()
  await setUpTelco(app)
  await useSecret(app)
})
afterAll(() => app.stop())

/** The first moment of a month, so many from now on. */
function monthAt(ahead: number): Temporal.PlainDate {
  return Temporal.Now.zonedDateTimeISO('UTC').toPlainDate().with({ day: 1 }).add({ months: ahead })
}

function begin(ahead: number): Promise<void> {
  return beginMonth(app.db, `${monthAt(ahead).toString()} 00:00:00`)
}

function firstIdOf(ahead: number): number {
  const { year, month } = monthAt(ahead)
  return ((year - 2_000) * 12 + month - 1) * IDS_A_MONTH
}

function monthNamed(table: string, ahead: number): string {
  const { year, month } = monthAt(ahead)
  return `${table}_${year}_${String(month).padStart(2, '0')}`
}

/** A finished call with its recording, its conversation with an agent and a text of the caller. */
interface Story {
  leg: string
  recording: string
  conversation: string
  text: string
  from: string
}

let stories = 0

async function tell(): Promise<Story> {
  stories += 1
  const from = `+1415556${String(stories).padStart(4, '0')}`
  const story = {
    leg: `CA${randomUUID().replaceAll('-', '')}`,
    recording: `RE${randomUUID().replaceAll('-', '')}`,
    conversation: aConversationId(),
    text: `SM${randomUUID().replaceAll('-', '')}`,
    from,
  }
  await sendTelco(app, '/telco/webhook/number', aVoiceRequest({ CallSid: story.leg, From: from }))
  await report(story, 'in-progress')
  await reportRecording(story)
  await report(story, 'completed')
  await deliver(app, aTranscript({ conversationId: story.conversation, callSid: story.leg, external: from }))
  await deliver(app, anAudio(story.conversation, Buffer.from('ID3')))
  await sendTelco(app, '/telco/webhook/message', {
    ...{ MessageSid: story.text, SmsStatus: 'received', AccountSid: ACCOUNT_SID, NumMedia: '0' },
    ...{ From: from, To: '+14155550199', Body: 'Hello' },
  })
  return story
}

function report({ leg, from }: Story, status: string) {
  return sendTelco(
    app,
    '/telco/webhook/callstatus',
    aVoiceRequest({ CallSid: leg, From: from, CallStatus: status, CallDuration: '37' }),
  )
}

function reportRecording({ leg, recording, from }: Story) {
  return sendTelco(app, '/telco/webhook/recordingstatus', {
    ...aVoiceRequest({ CallSid: leg, From: from }),
    ...{ RecordingSid: recording, RecordingStatus: 'completed', RecordingDuration: '30' },
  })
}

interface Place {
  place: string
  id: number
}

/** Everything the ledger has of a story, and in which month. */
async function placesOf({ leg, recording, conversation, text }: Story): Promise<Place[]> {
  const where = sql`select tableoid::regclass::text as place, id`
  return await app.db.query<Place>(sql`
    ${where} from connect_call where call_sid = ${leg} union all ${where} from connect_channel where sid = ${leg}
    union all ${where} from connect_recording where sid in (${recording}, ${conversation})
    union all ${where} from connect_message where message_sid = ${text} order by place, id`)
}

function namesOf(places: readonly Place[]): string[] {
  return places.map(({ place }) => place)
}

/** One call, its leg, two recordings and a text, all in this month. */
function wholeStoryIn(name: (table: string) => string): string[] {
  return [...LEDGER, 'connect_recording'].map(name).toSorted()
}

describe('the ledger in months', () => {
  beforeEach(({ skip }) => {
    skip(app.db.kind === 'embedded', 'the embedded engine is for a ledger that one machine holds easily')
    skip(IN_MONTHS, 'it is in months before this begins')
  })

  let before: Story
  let december: Story

  it('the ledger is cut while it is in use, and what is there stays where and as it is', async () => {
    before = await tell()
    const there = await placesOf(before)
    await cutLedger(app.db, `${monthAt(0).toString()} 12:00:00`)
    const after = await placesOf(before)
    expect(after.map(({ id }) => id)).toEqual(there.map(({ id }) => id))
    expect(namesOf(after)).toEqual(wholeStoryIn((table) => `${table}_before`))
    // What is reported on it meets it, and nothing is doubled.
    await report(before, 'completed')
    await reportRecording(before)
    await deliver(app, aTranscript({ conversationId: before.conversation, callSid: before.leg }))
    expect(await placesOf(before)).toEqual(after)
    expect(namesOf(await placesOf(await tell()))).toEqual(wholeStoryIn((table) => `${table}_before`))
  })

  it('what comes in a new month has ids of that month', async () => {
    await begin(1)
    december = await tell()
    const places = await placesOf(december)
    expect(namesOf(places)).toEqual(wholeStoryIn((table) => monthNamed(table, 1)))
    for (const { id } of places) expect(id - firstIdOf(1)).toBeLessThan(100)
    expect(places.every(({ id }) => id > firstIdOf(1))).toBe(true)
    const [call] = await app.admin.ask<{ channels: number[]; recordings: number[] }[]>('connect.call', 'search_read', {
      domain: [['call_sid', '=', december.leg]],
      fields: ['channels', 'recordings', 'outcome'],
    })
    expect(call).toMatchObject({ channels: [expect.any(Number)], recordings: [expect.any(Number), expect.any(Number)] })
  })

  it('what is reported late is found, however many months ago it began', async () => {
    for (const ahead of [2, 3, 4, 5]) await begin(ahead)
    const places = await Promise.all([before, december].map(placesOf))
    const late = (await app.db.query<{ recent: number }>(sql`select connect_recent_id() as recent`))[0]?.recent
    expect(late).toBe(firstIdOf(4))
    for (const story of [before, december]) {
      await sendTelco(app, '/telco/webhook/callstatus', {
        ...aVoiceRequest({ CallSid: story.leg, From: story.from, CallStatus: 'completed' }),
        ...{ CallDuration: '37', ErrorCode: '13227', ErrorMessage: 'said late' },
      })
      await reportRecording(story)
      await deliver(app, aTranscript({ conversationId: story.conversation, callSid: story.leg }))
    }
    expect(await Promise.all([before, december].map(placesOf))).toEqual(places)
    // Who answers a text of long ago goes on where that was.
    const answer = `SM${randomUUID().replaceAll('-', '')}`
    await sendTelco(app, '/telco/webhook/message', {
      ...{ MessageSid: answer, SmsStatus: 'received', AccountSid: ACCOUNT_SID, NumMedia: '0', Body: 'And now?' },
      ...{ From: before.from, To: '+14155550199', OriginalRepliedMessageSid: before.text },
    })
    const answered = await app.db.query(
      sql`select (select message_sid from connect_message p where p.id = m.parent_message) as sid from connect_message m
          where m.message_sid = ${answer}`,
    )
    expect(answered).toEqual([{ sid: before.text }])
    // One that is late among others of now delays none of them.
    const [now] = await Promise.all([tell(), report(before, 'completed'), report(december, 'completed')])
    expect(namesOf(await placesOf(now))).toEqual(wholeStoryIn((table) => monthNamed(table, 5)))
    expect(await app.count('connect_channel')).toBe(stories)
  })

  it('nothing is there twice, whichever months it is in', async () => {
    const again = await app.admin.call('connect.channel', 'create', { vals_list: { sid: before.leg } })
    expect(again.status).toBe(409)
    expect(again.text).toContain('sid')
    expect(again.text).not.toContain('LD001')
    await expect(app.db.query(sql`insert into connect_channel (sid) values (${december.leg})`)).rejects.toMatchObject({
      code: '23505',
      constraint: 'connect_channel_sid_key',
    })
  })

  it('what belongs to a call goes with it, and what only names it forgets it', async () => {
    const story = await tell()
    const [call] = await app.db.query<{ id: number }>(sql`select id from connect_call where call_sid = ${story.leg}`)
    const id = call?.id ?? 0
    const ticket = await app.admin.ask<number>('helpdesk.ticket', 'create', { vals_list: { name: 'Heating' } })
    await app.db.query(sql`update helpdesk_ticket set made_in_call = ${id}::bigint where id = ${ticket}::bigint`)
    await app.admin.ask('connect.call', 'unlink', { ids: [id] })
    expect(namesOf(await placesOf(story))).toEqual(
      ['connect_message', 'connect_recording', 'connect_recording'].map((table) => monthNamed(table, 5)).toSorted(),
    )
    const [left] = await app.db.query(
      sql`select (select count(*) from connect_recording where call = ${id}::bigint)::int as recordings,
            (select made_in_call from helpdesk_ticket where id = ${ticket}::bigint) as made_in_call`,
    )
    expect(left).toEqual({ recordings: 0, made_in_call: null })
  })

  it('a later version of the service finds every index and link by its name', async () => {
    await app.db.script(`begin;
      alter table connect_channel drop constraint connect_channel_call_fkey;
      alter table helpdesk_ticket drop constraint helpdesk_ticket_made_in_call_fkey;
      alter table connect_call drop constraint connect_call_partner_fkey;
      drop index connect_channel_sid_key, connect_call_partner_index, connect_message_message_sid_key;
      alter table connect_recording add column later text;
      create index later_index on connect_recording (later);
      rollback`)
  })

  it('a month goes as a whole, and what names it forgets it', async () => {
    const call = (await placesOf(december)).find(({ place }) => place.startsWith('connect_call'))?.id ?? 0
    const ticket = await app.admin.ask<number>('helpdesk.ticket', 'create', { vals_list: { name: 'Roof' } })
    await app.db.query(sql`update helpdesk_ticket set made_in_call = ${call}::bigint where id = ${ticket}::bigint`)
    await app.db.query(
      sql`insert into mail_message (model, res_id, body, message_type, date)
          values ('connect.call', ${call}::bigint, 'Said', 'comment', now())`,
    )
    await app.db.query(
      sql`insert into connect_voicemail (sid, call_sid, url, duration, call)
          values ('RE-of-a-month', ${december.leg}, 'https://api.example.com/a', 3, ${call}::bigint)`,
    )
    const [audio] = await app.db.query<{ media_ref: string }>(
      sql`select media_ref from connect_recording where sid = ${december.conversation}`,
    )
    const contacts = await app.count('res_partner')
    await app.db.script(letMonthsGo(3).replaceAll("now() at time zone 'utc'", `timestamp '${monthAt(5).toString()}'`))

    expect(await placesOf(december)).toEqual([])
    // What was there before the cut is as old, and goes as well.
    expect(await placesOf(before)).toEqual([])
    const [left] = await app.db.query(
      sql`select (select made_in_call from helpdesk_ticket where id = ${ticket}::bigint) as made_in_call,
        (select count(*)::int from mail_message where model = 'connect.call' and res_id = ${call}::bigint) as posts,
        (select count(*)::int from connect_voicemail) as voicemails,
        (select count(*)::int from connect_conversation where theirs = ${december.from}) as conversations,
        to_regclass(${monthNamed('connect_call', 1)})::text as month, to_regclass(${monthNamed('connect_call', 2)})::text as next`,
    )
    expect(left).toEqual({
      made_in_call: null,
      posts: 0,
      voicemails: 0,
      conversations: 0,
      month: null,
      next: monthNamed('connect_call', 2),
    })
    expect(await app.count('res_partner')).toBe(contacts)
    const noted = await app.db.query(
      sql`select 1 from connect_media_removal where media_ref = ${audio?.media_ref ?? ''}`,
    )
    expect(noted).toHaveLength(1)
    // Somebody who wrote in that month begins a new conversation.
    expect(namesOf(await placesOf(await tell()))).toEqual(wholeStoryIn((table) => monthNamed(table, 5)))
  })

  it('a day that was missed, or many, loses nothing', async () => {
    const recent = async () =>
      (await app.db.query<{ id: number }>(sql`select connect_recent_id() as id`)).map(({ id }) => id)
    // Not run from the sixth month to the eighth.
    await begin(8)
    expect(namesOf(await placesOf(await tell()))).toEqual(wholeStoryIn((table) => monthNamed(table, 5)))
    expect(await recent()).toEqual([firstIdOf(4)])
    await begin(9)
    expect(namesOf(await placesOf(await tell()))).toEqual(wholeStoryIn((table) => monthNamed(table, 9)))
    // There are no parts between, so everything is looked through until there is one more.
    expect(await recent()).toEqual([0])
  })
})
