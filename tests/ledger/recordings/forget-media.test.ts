// Audio and transcripts go when the settings say that they are old; what else is known of a call stays.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql } from '../../../src/database/drizzle.ts'
import { insertRow } from '../../support/rows.ts'
import { eventually, TestApp } from '../../support/test-app.ts'

let app: TestApp
let settings: number

beforeAll(async () => {
  app = await TestApp.start()
  const [id] = await app.admin.ask<number[]>('connect.settings', 'search')
  settings = id ?? 0
})
afterAll(() => app.stop())

async function keep(vals: object): Promise<void> {
  await app.admin.ask('connect.settings', 'write', { ids: [settings], vals })
}

/** A call with a recording and a voicemail of that age. */
async function aged(days: number): Promise<{ call: number; recording: number }> {
  const name = `days-${days}`
  const at = sql`now() at time zone 'utc' - make_interval(days => ${days}::int)`
  const [call] = await app.db.query<{ id: number }>(
    sql`insert into connect_call (caller, called, status, direction, voicemail_url, voicemail_duration)
        values ('+14155550100', '+14155550110', 'completed', 'incoming', ${`https://api.example.com/${name}`}, 8) returning id`,
  )
  const id = call?.id ?? 0
  await app.db.query(
    sql`insert into connect_voicemail (sid, call_sid, call, url, duration, media_ref, create_date)
        values (${`RV${name}`}, ${`CA${name}`}, ${id}::bigint, ${`https://api.example.com/${name}`}, 8, ${`v-${name}.wav`}, ${at})`,
  )
  const [recording] = await app.db.query<{ id: number }>(
    sql`insert into connect_recording (sid, call, media_url, media_ref, transcript, voiceai_summary, create_date)
        values (${`RE${name}`}, ${id}::bigint, 'https://api.example.com/r', ${`r-${name}.wav`}, 'agent: Hello', 'They said hello.', ${at})
        returning id`,
  )
  return { call: id, recording: recording?.id ?? 0 }
}

async function stored({ call, recording }: { call: number; recording: number }): Promise<object> {
  const [row] = await app.db.query<object>(
    sql`select r.media_ref is not null or r.media_url is not null as audio, r.transcript is not null as transcript,
          r.voiceai_summary as summary, v.media_ref is not null or v.url <> '' as voicemail, c.outcome,
          r.audio_removed_at is not null as says
        from connect_recording r join connect_call c on c.id = ${call}::bigint join connect_voicemail v on v.call = c.id
        where r.id = ${recording}::bigint`,
  )
  return row ?? {}
}

async function forget(): Promise<void> {
  await app.db.transaction((tx) => app.app.jobs.enqueueIn(tx, { name: 'forget-media', payload: {} }))
}

const WHOLE = {
  audio: true,
  transcript: true,
  summary: 'They said hello.',
  voicemail: true,
  outcome: 'voicemail',
  says: false,
}

it('audio and transcripts each go after their days, and never while no days are set', async () => {
  const [old, young] = [await aged(40), await aged(20)]
  await keep({ audio_keep_days: 30 })
  await forget()
  await eventually(
    async () => !('audio' in (await stored(old))) || ((await stored(old)) as { audio: boolean }).audio === false,
  )
  await eventually(async () => ((await stored(old)) as { voicemail: boolean }).voicemail === false)
  expect(await stored(old)).toEqual({ ...WHOLE, audio: false, voicemail: false, says: true })
  expect(await stored(young)).toEqual(WHOLE)
  for (const path of [`recording/${old.recording}`, `voicemail/${old.call}`]) {
    const { status } = await app.request(`/connect/${path}`, { headers: { authorization: `bearer ${app.admin.key}` } })
    expect(status).toBe(404)
  }
  const [call] = await app.admin.ask<{ voicemail_widget: unknown }[]>('connect.call', 'read', {
    ids: [old.call],
    fields: ['voicemail_widget'],
  })
  expect(call?.voicemail_widget).toBeNull()
  await keep({ audio_keep_days: null, transcript_keep_days: 10 })
  await forget()
  await eventually(async () => ((await stored(young)) as { transcript: boolean }).transcript === false)
  expect(await stored(young)).toEqual({ ...WHOLE, transcript: false })
})

it('audio goes by its days also where its removal was noted before', async () => {
  const old = await aged(50)
  await insertRow(app.db, 'connect_media_removal', { media_ref: 'r-days-50.wav' })
  await keep({ audio_keep_days: 30 })
  await forget()
  await eventually(async () => ((await stored(old)) as { audio: boolean }).audio === false)
  await keep({ audio_keep_days: null })
})

it.each([{ audio_keep_days: 0 }, { transcript_keep_days: -3 }, { audio_keep_days: 'ten' }])(
  'the days %o are refused',
  async (vals) => {
    expect((await app.admin.call('connect.settings', 'write', { ids: [settings], vals })).status).toBe(422)
  },
)
