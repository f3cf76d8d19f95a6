import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sql } from '../../src/database/drizzle.ts'
import { recordRecordings } from '../../src/ledger/recordings/record-recording.ts'
import { recordVoicemails } from '../../src/ledger/voicemails/record-voicemail.ts'
import { createLog } from '../../src/log.ts'
import { callPricesJob } from '../../src/telco/account/fetch-prices.ts'
import { openLater } from '../../src/telco/calls/open-later.ts'
import { createTelcoClient } from '../../src/telco/client/telco-client.ts'
import { recordingDetailsJob } from '../../src/telco/recordings/fetch-recording.ts'
import { asWebhook, aTelcoRequest } from '../support/effects.ts'
import { AUDIO, aCall, aRecording, FakeTelco, refusal } from '../support/fake-telco.ts'
import { setUpTelco } from '../support/telco.ts'
import { eventually, TestApp } from '../support/test-app.ts'

const CALL = 'CA00000000000000000000000000000001'

let fake: FakeTelco
let app: TestApp
let count = 0

beforeAll(async () => {
  fake = await FakeTelco.start()
  app = await TestApp.start({ env: { TELCO_BASE_URL: fake.url } })
  await setUpTelco(app)
})
afterAll(async () => {
  await app.stop()
  await fake.stop()
})
beforeEach(() => fake.reset())

function setSettings(vals: object): Promise<unknown> {
  return app.admin.ask('connect.settings', 'write', { ids: [1], vals })
}

async function aRecordingReport(fields: Record<string, string> = {}): Promise<string> {
  count += 1
  const sid = `RE${String(count).padStart(32, '0')}`
  const form = {
    RecordingSid: sid,
    CallSid: CALL,
    RecordingUrl: fake.recordingUrl(sid),
    RecordingStatus: 'completed',
    ...fields,
  }
  await asWebhook(app, (env) => recordRecordings(env, [aTelcoRequest(form)]))
  return sid
}

async function recording(sid: string): Promise<Record<string, unknown>> {
  const [row] = await app.db.query(sql`select * from connect_recording where sid = ${sid}`)
  return row ?? {}
}

describe('a finished recording', () => {
  it('a finished recording gets its price, source, length and start from the provider', async () => {
    const sid = await aRecordingReport()
    const row = await eventually(async () => {
      const found = await recording(sid)
      return found.price !== null && found
    })
    expect(row).toMatchObject({
      price: -0.0025,
      price_unit: 'USD',
      source: 'DialVerb',
      duration: 36,
      start_time: '2025-10-08 13:54:12',
      media_ref: null,
    })
  })

  it('keeps what its callback said when the provider has dropped it', async () => {
    fake.on('GET', /Recordings/, refusal(404, 20404, 'gone'))
    const sid = await aRecordingReport({ RecordingDuration: '7' })
    await eventually(async () => fake.asked('GET', /Recordings/).length > 0)
    expect(await recording(sid)).toMatchObject({ duration: 7, media_url: fake.recordingUrl(sid), price: null })
  })

  it('a recording that is reported a moment before it can be asked for is asked for again', async () => {
    fake.on('GET', /Recordings/, refusal(404, 20404, 'not yet'), Number.POSITIVE_INFINITY)
    const sid = await aRecordingReport()
    const { platform, identities } = app.app
    const parts = { settings: platform.settings, baseUrl: fake.url, log: createLog('silent') }
    const job = recordingDetailsJob(openLater({ db: app.db, platform, identities }), createTelcoClient(parts))
    const asked = { recordingId: Number((await recording(sid)).id) }
    await expect(job.work(asked, { isLast: false })).rejects.toThrow()
    fake.reset()
    await job.work(asked, { isLast: false })
    expect(await recording(sid)).toMatchObject({ price: -0.0025, source: 'DialVerb' })
  })

  it('keeps no start that the provider does not have', async () => {
    fake.on('GET', /Recordings/, ({ path }) => ({
      body: aRecording(/RE\d+/.exec(path)?.[0] ?? '', { start_time: null, duration: '5' }),
    }))
    const sid = await aRecordingReport()
    await eventually(async () => (await recording(sid)).duration === 5)
    expect((await recording(sid)).start_time).toBeNull()
  })

  it('a finished recording is copied when settings say so, and can then be heard without the provider', async () => {
    await setSettings({ store_recordings: true })
    const sid = await aRecordingReport()
    const row = await eventually(async () => {
      const found = await recording(sid)
      return found.media_ref !== null && found
    })
    await setSettings({ store_recordings: false })
    expect(row).toMatchObject({ media_type: 'audio/mpeg', recording_filename: `recording-${row.id}.mp3` })
    fake.reset()
    const heard = await fetch(`${app.url}/connect/recording/${row.id}`, {
      headers: { authorization: `bearer ${app.admin.key}` },
    })
    expect(Buffer.from(await heard.arrayBuffer())).toEqual(AUDIO)
    expect(fake.requests).toEqual([])
  })

  it('a finished recording is not copied from where it is no audio, and another try gets it', async () => {
    await setSettings({ store_recordings: true })
    fake.on('GET', /\.mp3$/, { status: 500, body: 'busy' })
    const sid = await aRecordingReport()
    await eventually(async () => fake.asked('GET', /\.mp3$/).length > 0)
    await setSettings({ store_recordings: false })
    expect((await recording(sid)).media_ref).toBeNull()
  })
})

describe('a voicemail', () => {
  it('a voicemail is copied when settings say so', async () => {
    await setSettings({ store_recordings: true })
    const form = {
      RecordingSid: 'REV1',
      CallSid: CALL,
      RecordingUrl: fake.recordingUrl('REV1'),
      RecordingDuration: '9',
    }
    await asWebhook(app, (env) => recordVoicemails(env, [aTelcoRequest(form)]))
    await setSettings({ store_recordings: false })
    await eventually(async () => {
      const [row] = await app.db.query(
        sql`select media_ref from connect_voicemail where sid = 'REV1' and media_ref is not null`,
      )
      return row !== undefined
    })
  })
})

describe('prices of calls', () => {
  const LEGS = ['CAP1', 'CAP2']

  beforeEach(async () => {
    await app.db.query(sql`delete from connect_call`)
    await setSettings({ fetch_call_prices: true })
  })

  async function aFinishedCall(values: { status?: string; age?: string } = {}): Promise<number> {
    const { status = 'completed', age = '1 minute' } = values
    const [call] = await app.db.query<{ id: number }>(
      sql`insert into connect_call (status, call_sid, create_date)
          values (${status}, 'CAP1', (now() at time zone 'utc') - ${age}::interval) returning id`,
    )
    for (const sid of LEGS) {
      await app.db.query(
        sql`insert into connect_channel (sid, call, status) values (${sid}, ${call?.id ?? 0}::bigint, 'completed')`,
      )
    }
    return call?.id ?? 0
  }

  async function fetchPrices(): Promise<void> {
    const { platform, identities } = app.app
    const parts = { settings: platform.settings, baseUrl: fake.url, log: createLog('silent') }
    const job = callPricesJob(openLater({ db: app.db, platform, identities }), createTelcoClient(parts))
    await job.work({}, { isLast: true })
  }

  async function priceOf(id: number): Promise<unknown> {
    const [row] = await app.db.query(
      sql`select price, price_unit, is_price_fetched from connect_call where id = ${id}::bigint`,
    )
    return row
  }

  it('prices of calls are the sum over their legs, asked for once', async () => {
    const id = await aFinishedCall()
    await fetchPrices()
    await fetchPrices()
    expect(await priceOf(id)).toEqual({ price: -0.026, price_unit: 'USD', is_price_fetched: true })
    expect(fake.asked('GET', /Calls/)).toHaveLength(2)
  })

  it('wait until every leg was charged, but not for ever', async () => {
    const pending = { body: aCall('CAP2', 'completed', { price: null }) }
    fake.on('GET', /CAP2/, pending, 2)
    const id = await aFinishedCall()
    await fetchPrices()
    expect(await priceOf(id)).toMatchObject({ price: null, is_price_fetched: null })
    await app.db.query(sql`update connect_call set create_date = create_date - interval '2 days'`)
    await fetchPrices()
    expect(await priceOf(id)).toMatchObject({ price: -0.013, is_price_fetched: true })
  })

  it('prices of calls are not asked for while a call is going on, nor when settings say no', async () => {
    await aFinishedCall({ status: 'in-progress' })
    await fetchPrices()
    await app.db.query(sql`update connect_call set status = 'completed'`)
    await setSettings({ fetch_call_prices: false })
    await fetchPrices()
    expect(fake.requests).toEqual([])
  })
})
