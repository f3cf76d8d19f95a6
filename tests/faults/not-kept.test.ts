// Neither the database nor the disk can keep a delivery: it is not acknowledged, and callers are connected by the dial plan.
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sql } from '../../src/database/drizzle.ts'
import { sentence } from '../../src/telco/sentences/sentence.ts'
import { withoutTable } from '../fixtures/database-trouble.ts'
import {
  aConversationId,
  anAudio,
  aTranscript,
  callsOf,
  deliver,
  recordingsOf,
  useSecret,
} from '../fixtures/post-call.ts'
import { sendTelco } from '../support/telco.ts'
import { callback, newSid, Office, OUR_NUMBER, requestOf } from '../support/telco-office.ts'
import { eventually } from '../support/test-app.ts'

const NOT_SAVED = { error: 'The delivery could not be saved. Send it again later.' }

let office: Office
let now = new Date()

beforeAll(async () => {
  office = await Office.start({ clock: () => now })
  await useSecret(office.app)
})
beforeEach(() => {
  now = new Date()
})
afterAll(() => office.stop())

const spoolDir = () => path.join(office.app.config.dataDir, 'spool')
const waiting = () => (existsSync(spoolDir()) ? readdirSync(spoolDir()).filter((name) => name.endsWith('.json')) : [])

describe('without inbox and spool', () => {
  beforeEach(() => {
    rmSync(spoolDir(), { recursive: true, force: true })
    // What stands in its place cannot be written into, no matter who runs the tests.
    writeFileSync(spoolDir(), '')
  })
  afterEach(() => rmSync(spoolDir(), { recursive: true, force: true }))

  it('post_call is answered 503, and what is sent again is logged once', async () => {
    const conversationId = aConversationId()
    await withoutTable(office.app, 'connect_inbox', async () => {
      const answer = await deliver(office.app, aTranscript({ conversationId }))
      expect([answer.status, answer.body]).toEqual([503, NOT_SAVED])
      const sound = await deliver(office.app, anAudio(conversationId, Buffer.from('ID3')))
      expect(sound.status).toBe(503)
      expect(mediaFiles()).toEqual([])
      const ready = await office.app.request('/readyz')
      expect([ready.status, ready.body]).toMatchObject([
        503,
        { status: 'not ready', disk: false, last_failed_write: { place: expect.any(String), at: expect.any(String) } },
      ])
    })
    rmSync(spoolDir(), { force: true })
    expect((await deliver(office.app, aTranscript({ conversationId }))).status).toBe(200)
    expect(await callsOf(office.app, conversationId)).toHaveLength(1)
    await withoutTable(office.app, 'connect_inbox', async () => {
      expect((await deliver(office.app, aTranscript())).status).toBe(200)
    })
    expect((await office.app.request('/readyz')).status).toBe(200)
  })

  it('reports of calls are answered 503, callers are connected by the dial plan', async () => {
    await withoutTable(office.app, 'connect_channel', () =>
      withoutTable(office.app, 'connect_inbox', async () => {
        const report = await sendTelco(
          office.app,
          '/telco/webhook/callstatus',
          callback({ sid: newSid() }, 'completed'),
        )
        expect([report.status, report.body]).toEqual([503, NOT_SAVED])
        const call = await sendTelco(office.app, '/telco/webhook/number', requestOf({ sid: newSid(), to: OUR_NUMBER }))
        expect([call.status, call.text]).toEqual([200, expect.stringContaining(sentence('numberNotFound'))])
      }),
    )
  })

  function mediaFiles(): string[] {
    const { mediaDir } = office.app.config
    if (!existsSync(mediaDir)) return []
    return readdirSync(mediaDir, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.mp3'))
  }
})

/** Looks again and again, each time a while later. */
const afterLook = <Result>(check: () => Promise<Result | undefined | false>): Promise<Result> =>
  eventually(async () => {
    now = new Date(now.getTime() + 600_000)
    office.app.app.inbox.wake()
    return check()
  })

describe('deliveries on disk', () => {
  it('wait for no delivery that the database refuses', async () => {
    const conversationId = aConversationId()
    mkdirSync(spoolDir(), { recursive: true })
    const put = (name: string, conversation: string): void => {
      const payload = JSON.stringify(aTranscript({ conversationId: conversation }))
      writeFileSync(path.join(spoolDir(), name), JSON.stringify({ kind: 'voiceai.post_call', conversation, payload }))
    }
    put('000000000000001-a.json', 'conv_\0')
    put('000000000000002-b.json', conversationId)
    await afterLook(async () => (await callsOf(office.app, conversationId)).length === 1)
    expect(readdirSync(spoolDir())).toEqual(['000000000000001-a.json.refused'])
    const { text } = await office.app.request('/metrics')
    expect(text).toMatch(/^connect_spool_set_aside 1$/m)
    expect(text).toMatch(/^connect_spool_files 0$/m)
  })

  it('deliveries on disk of a process that does not work on them come into the database at its start', async () => {
    const conversationId = aConversationId()
    const payload = JSON.stringify(aTranscript({ conversationId }))
    mkdirSync(spoolDir(), { recursive: true })
    const kept = { kind: 'voiceai.post_call', conversation: conversationId, payload }
    writeFileSync(path.join(spoolDir(), '000000000000003-c.json'), JSON.stringify(kept))
    office.app.app.inbox.start({ works: false })
    await eventually(async () => waiting().length === 0)
    await afterLook(async () => (await callsOf(office.app, conversationId)).length === 1)
  })
})

describe('stored deliveries', () => {
  const domain = (conversation: string) => [['conversation', '=', conversation]]

  it('keep their attempts while the database is at fault', async () => {
    const conversationId = aConversationId()
    await office.app.db.script(
      `create function held_up() returns trigger language plpgsql as
         $$ begin raise exception 'held up' using errcode = '55P03'; end $$;
       create trigger held_up before insert on connect_call for each row execute function held_up()`,
    )
    expect((await deliver(office.app, aTranscript({ conversationId }))).status).toBe(200)
    const read = () => office.list('connect.inbox', domain(conversationId), ['state', 'attempts', 'error'])
    expect(await read()).toMatchObject([{ state: 'received', attempts: 0, error: expect.stringContaining('held up') }])
    await office.app.db.script('drop trigger held_up on connect_call; drop function held_up()')
    await afterLook(async () => (await callsOf(office.app, conversationId)).length === 1)
    expect(await read()).toMatchObject([{ state: 'done', attempts: 1, error: null }])
  })

  it('count an attempt whose statement took too long, and end when each one does', async () => {
    const conversationId = aConversationId()
    await office.app.db.script(
      `create function too_long() returns trigger language plpgsql as
         $$ begin raise exception 'canceling statement due to statement timeout' using errcode = '57014'; end $$;
       create trigger too_long before insert on connect_call for each row execute function too_long()`,
    )
    expect((await deliver(office.app, aTranscript({ conversationId }))).status).toBe(200)
    const read = () => office.list('connect.inbox', domain(conversationId), ['state', 'attempts', 'error'])
    expect(await read()).toMatchObject([{ state: 'failed', attempts: 1, error: expect.stringContaining('timeout') }])
    await afterLook(async () => (await read())[0]?.state === 'dead')
    expect(await read()).toMatchObject([{ attempts: 8 }])
    await office.app.db.script('drop trigger too_long on connect_call; drop function too_long()')
  })

  it('stored deliveries that are many hold nobody up while they are worked on', async () => {
    await office.app.db.query(
      sql`insert into connect_inbox (key, kind, state, payload, received_at, attempts, next_attempt_at)
          select 'backlog-' || n, 'of no kind', 'received', '', now(), 0, '2020-01-01' from generate_series(1, 300) as n`,
    )
    const left = () =>
      office.app.db.query(sql`select id from connect_inbox where kind = 'of no kind' and state = 'received'`)
    const seen = new Set<number>()
    office.app.app.inbox.wake()
    // Between two turns of the event loop, in which callers are answered, only a few are worked on.
    while (!seen.has(0)) {
      await nextTurn()
      seen.add((await left()).length)
    }
    expect(seen.size).toBeGreaterThan(3)
  })

  it('stored deliveries of audio that the media store had no room for get their sound later', async () => {
    const conversationId = aConversationId()
    const payload = JSON.stringify(anAudio(conversationId, Buffer.from('ID3 as it came')))
    await office.app.db.query(
      sql`insert into connect_inbox (key, kind, state, conversation, payload, received_at, attempts, next_attempt_at)
          values (${conversationId}, 'voiceai.post_call_whole_audio', 'received', ${conversationId}, ${payload}, now(), 0, '2020-01-01')`,
    )
    office.app.app.inbox.wake()
    await eventually(async () => (await recordingsOf(office.app, conversationId)).length === 1)
    expect(await recordingsOf(office.app, conversationId)).toMatchObject([{ media_type: 'audio/mpeg' }])
  })
})
