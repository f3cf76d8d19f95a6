// Drafts of before stood in their conversations; after the upgrade nobody reads more for one, and no list stops at one.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { sql } from '../../src/database/drizzle.ts'
import { receiveMessages } from '../../src/telco/messages/receive-message.ts'
import { aSid } from '../fixtures/records.ts'
import { asWebhook, aTelcoRequest } from '../support/effects.ts'
import { statementsOf } from '../support/migration-parts.ts'
import { ACCOUNT_SID, setUpTelco } from '../support/telco.ts'
import { type Caller, TestApp } from '../support/test-app.ts'

const OURS = '+14155550199'
const THEIRS = '+14155550100'
const OTHER = '+14155550101'

interface Listed {
  id: number
  theirs: string
  unread: number
  last: { body: string }
}

let app: TestApp
let anna: Caller
let bert: Caller

beforeAll(async () => {
  app = await TestApp.start()
  await setUpTelco(app)
  await app.db.query(sql`insert into connect_telco_number (phone_number) values (${OURS})`)
  anna = await app.person(['base.group_user', 'connect.group_user'], { name: 'Anna' })
  bert = await app.person(['base.group_user', 'connect.group_user'], { name: 'Bert', login: 'bert' })
})
afterAll(() => app.stop())
beforeEach(async () => {
  for (const table of ['connect_message', 'connect_conversation', 'connect_notice']) {
    await app.db.query(sql`delete from ${sql.identifier(table)}`)
  }
})

/** What the upgrade does with the rows. */
async function upgrade(): Promise<void> {
  const takeOut = statementsOf('Conversations read whole').filter((each) => each.includes('UPDATE'))
  await app.db.transaction(async (tx) => {
    for (const each of [...takeOut, ...statementsOf('Conversations without drafts')]) await tx.query(sql.raw(each))
  })
}

function send(who: Caller, body: string, to = THEIRS): Promise<number> {
  return who.ask('connect.message', 'send', { to, body, from: OURS })
}

function receive(fields: Record<string, string>): Promise<void> {
  const form = { SmsStatus: 'received', From: THEIRS, To: OURS, Body: 'Hello', NumMedia: '0', ...fields }
  return asWebhook(app, (env) =>
    receiveMessages(env, [aTelcoRequest({ MessageSid: aSid('SM'), AccountSid: ACCOUNT_SID, ...form })]),
  )
}

/** A draft that is in its conversation, as each one was. */
async function draft(writer: Caller | undefined, to = THEIRS): Promise<number> {
  const user = writer?.userId ?? null
  const [row] = await app.db.query<{ id: number }>(
    sql`with draft as (
          insert into connect_message (from_number, to_number, body, message_type, direction, status, attempt, sender_user)
          values (${OURS}, ${to}, 'Not yet', 'sms', 'outgoing', 'draft', 0, ${user}::bigint) returning id, sender_user)
        insert into connect_conversation as stored (channel, ours, theirs, last_message, last_open)
        select 'sms', ${OURS}, ${to}, id, case when sender_user is null then id end from draft
        on conflict (channel, ours, theirs) do update set last_message = excluded.last_message,
          last_open = greatest(stored.last_open, excluded.last_open)
        returning id`,
  )
  const conversation = row?.id
  await app.db.query(sql`update connect_message set conversation = ${conversation}::bigint where body = 'Not yet'
    and to_number = ${to}`)
  await app.db.query(
    sql`insert into connect_conversation_reader (conversation, "user", own_last, read_up_to)
        select conversation, sender_user, max(id), max(id) from connect_message
        where conversation = ${conversation}::bigint and sender_user = ${user}::bigint and body = 'Not yet' group by 1, 2
        on conflict (conversation, "user") do update set own_last = excluded.own_last, read_up_to = excluded.read_up_to`,
  )
  return Number(conversation)
}

function list(who: Caller, args: object = {}): Promise<Listed[]> {
  return who.ask('connect.message', 'conversations', args)
}

async function bodies(who: Caller, conversation: number): Promise<string[]> {
  const rows = await who.ask<{ body: string }[]>('connect.message', 'search_read', {
    domain: [['conversation', '=', conversation]],
    fields: ['body'],
    order: 'id',
  })
  return rows.map(({ body }) => body)
}

it('anyone who only had a draft in a conversation does not read the texts of a colleague there', async () => {
  await send(anna, 'From Anna')
  const conversation = await draft(bert)
  await upgrade()
  expect(await list(bert)).toEqual([])
  expect(await bodies(bert, conversation)).toEqual([])
  expect(await bert.ask('connect.conversation', 'search', {})).toEqual([])
  expect(await list(anna)).toMatchObject([{ id: conversation, last: { body: 'From Anna' } }])
  expect(await bodies(anna, conversation)).toEqual(['From Anna'])
})

it('anyone who had a draft that is deleted since reads no texts of a colleague either', async () => {
  await send(anna, 'From Anna')
  const conversation = await draft(bert)
  await app.db.query(sql`delete from connect_message where body = 'Not yet'`)
  await upgrade()
  expect(await bodies(bert, conversation)).toEqual([])
  expect(await bodies(anna, conversation)).toEqual(['From Anna'])
})

it('a draft of nobody opens no conversation to everybody', async () => {
  await send(anna, 'From Anna')
  const conversation = await draft(undefined)
  await upgrade()
  expect(await bodies(bert, conversation)).toEqual([])
  expect(await bodies(anna, conversation)).toEqual(['From Anna'])
})

it('anyone who wrote, or was given the conversation, still reads it whole', async () => {
  await send(anna, 'From Anna')
  await send(bert, 'From Bert')
  await send(anna, 'To another', OTHER)
  const written = await draft(bert)
  const [given] = (await list(anna)).filter(({ theirs }) => theirs === OTHER)
  await anna.ask('connect.conversation', 'assign', { ids: [given?.id], user: bert.userId })
  await draft(bert, OTHER)
  await anna.ask('connect.conversation', 'assign', { ids: [given?.id], user: null })
  await upgrade()
  expect(await bodies(bert, written)).toEqual(['From Anna', 'From Bert'])
  expect(await bodies(bert, Number(given?.id))).toEqual(['To another'])
  const rows = await app.db.query(
    sql`select r.own_last = (select id from connect_message where body = 'From Bert') as is_own
        from connect_conversation_reader r where "user" = ${bert.userId}::bigint order by conversation`,
  )
  expect(rows).toEqual([{ is_own: true }, { is_own: null }])
})

it('what somebody has read where the customer wrote stays read, also after their text is deleted', async () => {
  await receive({ Body: 'First' })
  await draft(bert)
  await upgrade()
  expect(await list(bert)).toMatchObject([{ unread: 0, last: { body: 'First' } }])
  await receive({ Body: 'Second' })
  expect(await list(bert)).toMatchObject([{ unread: 1, last: { body: 'Second' } }])
  await send(anna, 'From Anna')
  const conversation = await draft(bert)
  await app.db.query(sql`delete from connect_message where direction = 'incoming'`)
  await upgrade()
  expect(await bodies(bert, conversation)).toEqual(['From Anna'])
})

it('conversations of drafts alone are gone, and the page goes on to those that were before', async () => {
  await send(anna, 'From Anna')
  await draft(anna, OTHER)
  await draft(bert, '+14155550102')
  await upgrade()
  for (const who of [anna, app.admin]) {
    expect(await list(who, { limit: 1 })).toMatchObject([{ theirs: THEIRS, last: { body: 'From Anna' } }])
    expect(await who.ask('connect.message', 'conversation_counts')).toMatchObject({ open: 1 })
  }
  expect(await app.db.query(sql`select theirs from connect_conversation`)).toEqual([{ theirs: THEIRS }])
  expect(await app.db.query(sql`select count(*)::int as drafts from connect_message where body = 'Not yet'`)).toEqual([
    { drafts: 2 },
  ])
})

it('a conversation in which they opted out stays without a message, and is in no list', async () => {
  const conversation = await draft(anna, OTHER)
  await app.db.query(
    sql`update connect_conversation set opted_out_at = '2026-01-01' where id = ${conversation}::bigint`,
  )
  await upgrade()
  expect(await list(app.admin)).toEqual([])
  expect(await app.admin.ask('connect.message', 'conversation_counts')).toMatchObject({ open: 0 })
  const refused = await anna.call('connect.message', 'send', { to: OTHER, body: 'Hello', from: OURS })
  expect(refused.status).not.toBe(200)
})

it('an upgrade that finds no conversation, or no draft in any, changes nothing', async () => {
  await upgrade()
  await send(anna, 'From Anna')
  await receive({ From: OTHER })
  const rows = sql`select to_jsonb(c) as conversation, to_jsonb(r) as reader from connect_conversation c
    left join connect_conversation_reader r on r.conversation = c.id order by c.id`
  const before = await app.db.query(rows)
  await upgrade()
  expect(await app.db.query(rows)).toEqual(before)
})
