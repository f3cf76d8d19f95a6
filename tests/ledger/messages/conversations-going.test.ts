// A text that comes while another one of its conversation, or the person it is with, is being removed.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Queryable } from '../../../src/database/database.ts'
import { sql } from '../../../src/database/drizzle.ts'
import { receiveMessages } from '../../../src/telco/messages/receive-message.ts'
import { aSid } from '../../fixtures/records.ts'
import { asWebhook, aTelcoRequest } from '../../support/effects.ts'
import { ACCOUNT_SID, setUpTelco } from '../../support/telco.ts'
import { TestApp } from '../../support/test-app.ts'

const NO_MEANWHILE = 'the embedded database lets nobody in before a transaction has ended'
const OURS = '+14155550199'
const THEIRS = '+14155550100'
const ZOES = '+14155550101'

interface Listed {
  theirs: string
  partner: [number, string] | null
  last: { body: string }
}

let app: TestApp

beforeAll(async () => {
  app = await TestApp.start()
  await setUpTelco(app)
  await app.db.query(sql`insert into connect_telco_number (phone_number) values (${OURS})`)
})
afterAll(() => app.stop())
beforeEach(async () => {
  await app.db.query(sql`delete from connect_message`)
  await app.db.query(sql`delete from connect_conversation`)
})

it('a conversation that gets a text while its only other text is removed stays', async ({ skip }) => {
  skip(app.db.kind === 'embedded', NO_MEANWHILE)
  const old = await receive('Old')
  await receiveDuring(() => app.admin.ask('connect.message', 'unlink', { ids: [old] }))
  expect(await conversations()).toMatchObject([{ theirs: THEIRS, last: { body: 'New' } }])
})

it('a conversation that gets a text while the person is erased stays, and names them no more', async ({ skip }) => {
  skip(app.db.kind === 'embedded', NO_MEANWHILE)
  const zoe = await app.admin.ask<number>('res.partner', 'create', { vals_list: { name: 'Zoe', phone: ZOES } })
  await receive('Old', ZOES)
  expect(await conversations()).toMatchObject([{ partner: [zoe, 'Zoe'] }])
  await receiveDuring(() => app.admin.ask('res.partner', 'erase', { ids: [zoe], confirm: 'Zoe' }), ZOES)
  expect(await conversations()).toMatchObject([{ theirs: ZOES, partner: null, last: { body: 'New' } }])
  expect(await app.admin.ask('connect.message', 'search_count', { domain: [['body', '=', 'Old']] })).toBe(0)
})

/** Receives a text in a transaction that ends only when what removes waits for it. */
async function receiveDuring(removing: () => Promise<unknown>, from = THEIRS): Promise<void> {
  let removal: Promise<unknown> | undefined
  await asWebhook(app, async (env) => {
    await receiveMessages(env, [aText('New', from)])
    // Its statements are sent without waiting for them; this one is answered after them.
    await waiting(env.db)
    removal = removing()
    await expect.poll(() => waiting(env.db)).toBeGreaterThan(0)
  })
  await removal
}

async function receive(body: string, from = THEIRS): Promise<number> {
  await asWebhook(app, (env) => receiveMessages(env, [aText(body, from)]))
  const [id] = await app.admin.ask<number[]>('connect.message', 'search', { domain: [['body', '=', body]] })
  return id ?? 0
}

function aText(body: string, from: string) {
  const parties = { From: from, To: OURS, NumMedia: '0' }
  return aTelcoRequest({
    MessageSid: aSid('SM'),
    AccountSid: ACCOUNT_SID,
    SmsStatus: 'received',
    Body: body,
    ...parties,
  })
}

/** Sessions that wait for this one: others of the server, of other tests too, may wait for each other. */
async function waiting(db: Queryable): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    sql`select count(*)::int as count from pg_locks l where not l.granted and pg_backend_pid() = any(pg_blocking_pids(l.pid))`,
  )
  return row?.count ?? 0
}

function conversations(): Promise<Listed[]> {
  return app.admin.ask<Listed[]>('connect.message', 'conversations', {})
}
