import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sql } from '../../src/database/drizzle.ts'
import { whileStuck, withoutTable } from '../fixtures/database-trouble.ts'
import {
  aConversationId,
  anAudio,
  aTranscript,
  callOf,
  callsOf,
  deliver,
  recordingsOf,
  sign,
  useSecret,
} from '../fixtures/post-call.ts'
import { POST_CALL } from '../fixtures/routes.ts'
import { type Answer, eventually, TestApp } from '../support/test-app.ts'

const ATTEMPTS_MAX = 8

const HOUR_MS = 3_600_000

let app: TestApp
let now = new Date()

beforeAll(async () => {
  app = await TestApp.start({ clock: () => now })
  await useSecret(app)
})
beforeEach(() => {
  now = new Date(Math.floor(Date.now() / 1_000) * 1_000)
})
afterAll(() => app.stop())

interface InboxRow {
  id: number
  kind: string
  state: string
  attempts: number
  error: string | null
  next_attempt_at: string | null
}

async function inboxOf(conversation: string): Promise<InboxRow[]> {
  return app.admin.ask<InboxRow[]>('connect.inbox', 'search_read', {
    domain: [['conversation', '=', conversation]],
    order: 'id',
  })
}

async function inboxRow(conversation: string): Promise<InboxRow> {
  const [row, ...others] = await inboxOf(conversation)
  if (row === undefined || others.length > 0) throw new Error(`${conversation}: ${others.length + 1} rows`)
  return row
}

function expectEmpty(answer: Answer): void {
  expect([answer.status, answer.text]).toEqual([200, ''])
}

/** Lets the time of the next attempts come, until the check holds. */
function afterRetries<Result>(check: () => Promise<Result | undefined | false>): Promise<Result> {
  return eventually(async () => {
    now = new Date(now.getTime() + HOUR_MS)
    app.app.inbox.wake()
    return check()
  })
}

describe('7 post_call internal processing error: empty 200', () => {
  it('a delivery is stored, and done when it could be worked on', async () => {
    const conversationId = aConversationId()
    expectEmpty(await deliver(app, aTranscript({ conversationId })))
    expect(await inboxRow(conversationId)).toMatchObject({
      kind: 'voiceai.post_call',
      state: 'done',
      attempts: 1,
      error: null,
      next_attempt_at: null,
    })
    expectEmpty(await deliver(app, aTranscript({ conversationId })))
    expect((await inboxOf(conversationId)).map(({ state }) => state)).toEqual(['done', 'ignored'])
  })

  it('one that fails inside is tried again, and then its call is there once', async () => {
    const conversationId = aConversationId()
    await withoutTable(app, 'connect_call', async () => {
      expectEmpty(await deliver(app, aTranscript({ conversationId })))
      expect(await inboxRow(conversationId)).toMatchObject({
        state: 'failed',
        attempts: 1,
        error: expect.stringContaining('connect_call'),
      })
    })
    expect(await callsOf(app, conversationId)).toEqual([])
    await afterRetries(async () => (await inboxRow(conversationId)).state === 'done')
    expect(await callsOf(app, conversationId)).toHaveLength(1)
    expect(await recordingsOf(app, conversationId)).toHaveLength(1)
    expect(await inboxRow(conversationId)).toMatchObject({ attempts: 2, error: null })
  })

  it('a delivery that could not be worked on is not tried before its time, and the waits grow', async () => {
    const conversationId = aConversationId()
    await withoutTable(app, 'connect_call', async () => {
      const waits: number[] = []
      expectEmpty(await deliver(app, aTranscript({ conversationId })))
      for (let attempt = 1; attempt < ATTEMPTS_MAX; attempt += 1) {
        const row = await inboxRow(conversationId)
        expect(row).toMatchObject({ state: 'failed', attempts: attempt })
        const due = Date.parse(`${row.next_attempt_at?.replace(' ', 'T')}Z`)
        waits.push(Math.round((due - now.getTime()) / 1_000))
        now = new Date(due - 1_500)
        app.app.inbox.wake()
        await new Promise((resolve) => setTimeout(resolve, 30))
        expect(await inboxRow(conversationId)).toMatchObject({ attempts: attempt })
        now = new Date(due + 1_000)
        await eventually(async () => {
          app.app.inbox.wake()
          return (await inboxRow(conversationId)).attempts > attempt
        })
      }
      expect(waits).toEqual([5, 10, 20, 40, 80, 160, 320])
      expect(await inboxRow(conversationId)).toMatchObject({
        state: 'dead',
        attempts: ATTEMPTS_MAX,
        next_attempt_at: null,
      })
    })
    now = new Date(now.getTime() + HOUR_MS)
    app.app.inbox.wake()
    await new Promise((resolve) => setTimeout(resolve, 50))
    const dead = await inboxRow(conversationId)
    expect(dead.state).toBe('dead')
    expect(await callsOf(app, conversationId)).toEqual([])

    // Only administrators bring the dead back.
    const user = await app.person(['base.group_user', 'connect.group_user'])
    expect((await user.call('connect.inbox', 'replay', { ids: [dead.id] })).status).toBe(403)
    expect((await inboxRow(conversationId)).state).toBe('dead')
    expect(await app.admin.ask('connect.inbox', 'replay', { ids: [dead.id] })).toEqual({ replayed: 1 })
    await afterRetries(async () => (await inboxRow(conversationId)).state === 'done')
    expect(await callsOf(app, conversationId)).toHaveLength(1)
  })

  it('one that is done may be replayed and changes nothing', async () => {
    const conversationId = aConversationId()
    expectEmpty(await deliver(app, aTranscript({ conversationId })))
    const [call, { id }] = [await callOf(app, conversationId), await inboxRow(conversationId)]
    await app.admin.ask('connect.inbox', 'replay', { ids: [id] })
    await afterRetries(async () => (await inboxRow(conversationId)).state === 'ignored')
    expect(await callOf(app, conversationId)).toEqual(call)
  })

  it('what a process left behind when it died is taken up by the next look', async () => {
    const conversationId = aConversationId()
    const payload = JSON.stringify(aTranscript({ conversationId }))
    const at = new Date(now.getTime() - HOUR_MS).toISOString().slice(0, 19)
    await app.db.query(
      sql`insert into connect_inbox (kind, state, conversation, payload, received_at, attempts, next_attempt_at)
          values ('voiceai.post_call', 'received', ${conversationId}, ${payload}, ${at}::timestamp, 0, ${at}::timestamp)`,
    )
    await afterRetries(async () => (await inboxRow(conversationId)).state === 'done')
    expect(await callsOf(app, conversationId)).toHaveLength(1)
  })

  it('audio of a failed attempt is attached by a later one', async () => {
    const conversationId = aConversationId()
    await withoutTable(app, 'connect_recording', async () => {
      expectEmpty(await deliver(app, anAudio(conversationId, Buffer.from('ID3 later'))))
      expect(await inboxRow(conversationId)).toMatchObject({ kind: 'voiceai.post_call_audio', state: 'failed' })
    })
    await afterRetries(async () => (await inboxRow(conversationId)).state === 'done')
    expect(await recordingsOf(app, conversationId)).toMatchObject([{ media_type: 'audio/mpeg' }])
  })

  it('rows of the inbox are for administrators only', async () => {
    const user = await app.person(['base.group_user', 'connect.group_user'])
    expect((await user.call('connect.inbox', 'search_read')).status).toBe(403)
    expect((await user.call('connect.delivery', 'search_read')).status).toBe(403)
  })
})

describe('post_call while the database is away', () => {
  const spoolDir = () => path.join(app.config.dataDir, 'spool')
  const spooled = () => (existsSync(spoolDir()) ? readdirSync(spoolDir()).filter((name) => name.endsWith('.json')) : [])

  it('post_call while the database is away is kept on disk, and worked on when it is back', async () => {
    const ids = [aConversationId(), aConversationId(), aConversationId()]
    await withoutTable(app, 'connect_inbox', async () => {
      for (const id of ids) expectEmpty(await deliver(app, aTranscript({ conversationId: id })))
      expectEmpty(await deliver(app, anAudio(ids[0] ?? '', Buffer.from('ID3 spooled'))))
      expect(spooled()).toHaveLength(4)
    })
    for (const id of ids) expect(await callsOf(app, id)).toEqual([])
    await afterRetries(async () => spooled().length === 0)
    for (const id of ids) await afterRetries(async () => (await callsOf(app, id)).length === 1)
    const recorded = [{ media_type: 'audio/mpeg', voiceai_summary: expect.any(String) }]
    await expect.poll(() => recordingsOf(app, ids[0] ?? '')).toMatchObject(recorded)
  })

  it('post_call while the database is away is acknowledged in time when it does not answer, kept on disk, and logged once', async () => {
    const conversationId = aConversationId()
    await whileStuck(app, ['connect_inbox'], async () => {
      expectEmpty(await deliver(app, aTranscript({ conversationId })))
      expect(spooled()).toHaveLength(1)
    })
    await afterRetries(async () => spooled().length === 0)
    await afterRetries(async () => (await callsOf(app, conversationId)).length === 1)
    await afterRetries(async () => (await inboxOf(conversationId)).every(({ state }) => state === 'done'))
    // The commit that was given up came after all: it is the same delivery, and stored once.
    expect(await inboxOf(conversationId)).toHaveLength(1)
    expect(await callsOf(app, conversationId)).toHaveLength(1)
    expect(await recordingsOf(app, conversationId)).toHaveLength(1)
  })

  it('post_call while the database is away is believed by the secret that was known last, when not even the settings can be read again', async () => {
    const conversationId = aConversationId()
    await whileStuck(app, ['connect_settings', 'connect_inbox'], async () => {
      app.app.platform.settings.forget()
      const forged = JSON.stringify(aTranscript())
      const headers = { 'voiceai-signature': sign(forged, { secret: 'other' }) }
      expect((await app.post(POST_CALL, forged, headers)).status).toBe(401)
      expectEmpty(await deliver(app, aTranscript({ conversationId })))
      expect(spooled()).toHaveLength(1)
    })
    await afterRetries(async () => spooled().length === 0)
    await afterRetries(async () => (await callsOf(app, conversationId)).length === 1)
  })

  it('a file that cannot be read holds nothing up', async () => {
    const conversationId = aConversationId()
    await withoutTable(app, 'connect_inbox', async () => {
      expectEmpty(await deliver(app, aTranscript({ conversationId })))
      writeFileSync(path.join(spoolDir(), '000000000000000-first.json'), '{"half":')
    })
    await afterRetries(async () => spooled().length === 0)
    await afterRetries(async () => (await callsOf(app, conversationId)).length === 1)
    expect(readdirSync(spoolDir())).toEqual(['000000000000000-first.json.unreadable'])
  })
})
