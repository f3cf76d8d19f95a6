// Conversations of messages: what each person sees of them, and what reading, assigning and closing does.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { sql } from '../../../src/database/drizzle.ts'
import { receiveMessages } from '../../../src/telco/messages/receive-message.ts'
import { aPartner, aSid, setCountry } from '../../fixtures/records.ts'
import { asWebhook, aTelcoRequest } from '../../support/effects.ts'
import { ACCOUNT_SID, setUpTelco } from '../../support/telco.ts'
import { type Caller, TestApp } from '../../support/test-app.ts'

const OURS = '+14155550199'
const THEIRS = '+14155550100'
const OTHER = '+14155550101'
const HOUR_MS = 3_600_000

interface Listed {
  id: number
  channel: string
  ours: string
  theirs: string
  partner: [number, string] | null
  last: { body: string; direction: string }
  unread: number
  failed: number
  window_until: string | null
  assigned: [number, string] | null
  closed_at: string | null
  position: number
}

let app: TestApp
const now = new Date(Date.now() + HOUR_MS)
let anna: Caller
let bert: Caller

beforeAll(async () => {
  app = await TestApp.start({ clock: () => now })
  await setUpTelco(app)
  await app.db.query(sql`insert into connect_telco_number (phone_number) values (${OURS})`)
  anna = await app.person(['base.group_user', 'connect.group_user'], { name: 'Anna' })
  bert = await app.person(['base.group_user', 'connect.group_user'], { name: 'Bert', login: 'bert' })
})
afterAll(() => app.stop())
beforeEach(async () => {
  await app.db.query(sql`delete from connect_message`)
  await app.db.query(sql`delete from connect_conversation`)
  await app.db.query(sql`delete from connect_notice`)
})

function receive(fields: Record<string, string> = {}, sid = aSid('SM')): Promise<void> {
  const form = { SmsStatus: 'received', From: THEIRS, To: OURS, Body: 'Hello', NumMedia: '0', ...fields }
  return asWebhook(app, (env) =>
    receiveMessages(env, [aTelcoRequest({ MessageSid: sid, AccountSid: ACCOUNT_SID, ...form })]),
  )
}

function send(who: Caller, body: string, to = THEIRS): Promise<number> {
  return who.ask('connect.message', 'send', { to, body, from: OURS })
}

function list(who: Caller, args: object = {}): Promise<Listed[]> {
  return who.ask('connect.message', 'conversations', args)
}

function counts(who: Caller): Promise<object> {
  return who.ask('connect.message', 'conversation_counts')
}

/** What one reads in a conversation, with who wrote it. */
async function thread(who: Caller, conversation: number): Promise<[string, string | null][]> {
  const rows = await who.ask<{ body: string; sender_user: [number, string] | null }[]>(
    'connect.message',
    'search_read',
    { domain: [['conversation', '=', conversation]], fields: ['body', 'sender_user'], order: 'id' },
  )
  return rows.map(({ body, sender_user: sender }) => [body, sender?.[1] ?? null])
}

async function only(who: Caller, args: object = {}): Promise<Listed> {
  const [found, ...others] = await list(who, args)
  if (found === undefined || others.length > 0) throw new Error('there is not exactly one conversation')
  return found
}

it('what two numbers write each other is one conversation, and a delivery that is repeated is one message of it', async () => {
  const partner = await aPartner(app, { phone: THEIRS, name: 'Xenia' })
  const sid = aSid('SM')
  await receive({ Body: 'First' }, sid)
  await receive({ Body: 'First' }, sid)
  await receive({ Body: 'Second' })
  await send(anna, 'Answer')
  expect(await only(anna)).toMatchObject({
    channel: 'sms',
    ours: OURS,
    theirs: THEIRS,
    partner: [partner, 'Xenia'],
    last: { body: 'Answer', direction: 'outgoing' },
    unread: 0,
    assigned: null,
    window_until: null,
  })
  expect(await only(bert)).toMatchObject({ last: { body: 'Answer' }, unread: 2 })
  await app.db.query(sql`delete from res_partner where id = ${partner}::bigint`)
})

it('WhatsApp with the same number is a conversation of its own, open for 24 hours after they wrote', async () => {
  await receive()
  await receive({ From: `whatsapp:${THEIRS}`, To: `whatsapp:${OURS}` })
  const [whatsApp, sms] = await list(anna)
  const until = new Date(now.getTime() + 24 * HOUR_MS).toISOString().slice(0, 19).replace('T', ' ')
  expect([whatsApp?.channel, whatsApp?.window_until]).toEqual(['WhatsApp', until])
  expect([sms?.channel, sms?.window_until]).toEqual(['sms', null])
})

it('a user learns of what a colleague wrote once somebody has answered, and administrators see all', async () => {
  await send(bert, 'From Bert')
  expect(await list(anna)).toEqual([])
  expect(await counts(anna)).toEqual({ open: 0, unread: 0, failed: 0, mine: 0 })
  const { id } = await only(bert)
  expect((await only(app.admin)).last.body).toBe('From Bert')
  for (const method of ['mark_read', 'close']) {
    expect((await anna.call('connect.conversation', method, { ids: [id] })).status).toBe(404)
  }
  expect((await anna.call('connect.conversation', 'assign', { ids: [id], user: anna.userId })).status).toBe(404)
  expect(await anna.ask('connect.conversation', 'search', {})).toEqual([])
  // Once somebody answers, it is everybody's, with all that was sent in it.
  await receive({ Body: 'An answer' })
  expect((await only(anna)).last.body).toBe('An answer')
  await send(bert, 'Again from Bert')
  expect((await only(anna)).last.body).toBe('Again from Bert')
  expect(await thread(anna, id)).toEqual([
    ['From Bert', 'Bert'],
    ['An answer', null],
    ['Again from Bert', 'Bert'],
  ])
})

it('a conversation in which only a colleague wrote is read whole by whom it was assigned to', async () => {
  await send(bert, 'From Bert')
  const { id } = await only(bert)
  await bert.ask('connect.conversation', 'assign', { ids: [id], user: anna.userId })
  expect((await only(anna)).last.body).toBe('From Bert')
  expect(await thread(anna, id)).toEqual([['From Bert', 'Bert']])
})

it('a draft that nobody has asked to be sent is in no conversation, and its writer reads it alone', async () => {
  await receive()
  const { id } = await only(anna)
  const draft = { from_number: OURS, to_number: THEIRS, body: 'Not yet' }
  const written = await bert.ask<number>('connect.message', 'create', { vals_list: draft })
  expect((await only(bert)).last.body).toBe('Hello')
  expect(await thread(bert, id)).toEqual([['Hello', null]])
  expect(await bert.ask('connect.message', 'search', { domain: [['id', '=', written]] })).toEqual([written])
  expect(await anna.ask('connect.message', 'search', { domain: [['id', '=', written]] })).toEqual([])
})

it('a draft shows its writer nothing of a conversation in which only a colleague wrote', async () => {
  await send(anna, 'From Anna')
  const { id } = await only(anna)
  const draft = { from_number: OURS, to_number: THEIRS, body: 'Not yet' }
  const written = await bert.ask<number>('connect.message', 'create', { vals_list: draft })
  const sees = async () => [
    await list(bert),
    await thread(bert, id),
    await bert.ask('connect.conversation', 'search', {}),
  ]
  expect(await sees()).toEqual([[], [], []])
  for (const vals of [{ body: 'Still not' }, { to_number: OTHER }, { to_number: THEIRS }, { partner: null }]) {
    await bert.ask('connect.message', 'write', { ids: [written], vals })
    expect(await sees(), JSON.stringify(vals)).toEqual([[], [], []])
  }
  expect(await thread(anna, id)).toEqual([['From Anna', 'Anna']])
})

it('what a colleague sent is read and not changed or sent again', async () => {
  await receive()
  const message = await send(bert, 'From Bert')
  expect((await anna.call('connect.message', 'read', { ids: [message] })).status).toBe(200)
  await app.db.query(sql`update connect_message set status = 'failed' where id = ${message}::bigint`)
  for (const [method, args] of [
    ['retry', {}],
    ['write', { vals: { res_model: null, res_id: null } }],
    ['unlink', {}],
  ] as const) {
    const { status } = await anna.call('connect.message', method, { ids: [message], ...args })
    expect([403, 404], method).toContain(status)
  }
})

it('a page goes on where the one before ended, for those who see all and those who do not', async () => {
  const numbers = Array.from({ length: 7 }, (_, at) => `+1415555012${at}`)
  for (const From of numbers) await receive({ From })
  // What Bert wrote where somebody has written to us moves the conversation up for everybody; what only he wrote is his.
  await send(bert, 'Hello', numbers[1])
  await send(bert, 'Hello', '+14155550130')
  const all = async (who: Caller) => {
    const found: string[] = []
    for (let before: number | undefined; ; ) {
      const page = await list(who, { limit: 3, ...(before === undefined ? {} : { before }) })
      found.push(...page.map(({ theirs }) => theirs))
      before = page.at(-1)?.position
      if (page.length < 3) return found
    }
  }
  const moved = ['+14155550130', numbers[1], ...numbers.toReversed().filter((each) => each !== numbers[1])]
  expect(await all(anna)).toEqual(moved.slice(1))
  expect(await all(bert)).toEqual(moved)
  expect(await all(app.admin)).toEqual(moved)
})

it('closed and open conversations stand in one order, and pages go on through both', async () => {
  const numbers = Array.from({ length: 6 }, (_, at) => `+1415555014${at}`)
  for (const From of numbers) await receive({ From })
  const newest = await list(app.admin)
  const closed = newest.filter((_, at) => at % 2 === 1)
  await app.admin.ask('connect.conversation', 'close', { ids: closed.map(({ id }) => id) })
  const first = await list(app.admin, { limit: 3 })
  const rest = await list(app.admin, { limit: 3, before: first.at(-1)?.position })
  expect([...first, ...rest].map(({ theirs }) => theirs)).toEqual(numbers.toReversed())
  expect(await list(app.admin, { filter: 'open', limit: 3 })).toMatchObject(newest.filter((_, at) => at % 2 === 0))
  expect(await counts(app.admin)).toMatchObject({ open: 3, unread: 3, failed: 0 })
})

it('messages whose conversation is removed stay, and are in none', async () => {
  await receive()
  await receive({ From: OTHER })
  await app.db.query(sql`delete from connect_conversation where theirs = ${THEIRS}`)
  const rows = await app.db.query<{ from_number: string; is_in: boolean }>(
    sql`select from_number, conversation is not null as is_in from connect_message order by id`,
  )
  expect(rows).toEqual([
    { from_number: THEIRS, is_in: false },
    { from_number: OTHER, is_in: true },
  ])
})

it("reading is everybody's own, and what came before somebody was here is read", async () => {
  await receive()
  const { id } = await only(anna)
  expect([await counts(anna), await counts(bert)]).toMatchObject([{ unread: 1 }, { unread: 1 }])
  await anna.ask('connect.conversation', 'mark_read', { ids: [id] })
  expect(await list(anna, { filter: 'unread' })).toEqual([])
  expect((await only(bert, { filter: 'unread' })).unread).toBe(1)
  await receive()
  expect((await only(anna, { filter: 'unread' })).unread).toBe(1)
  const late = await app.person(['base.group_user', 'connect.group_user'])
  await app.db.query(
    sql`update res_users set create_date = now() at time zone 'utc' + interval '1 day' where id = ${late.userId}::bigint`,
  )
  expect(await list(late, { filter: 'unread' })).toEqual([])
  expect((await only(late)).unread).toBe(0)
})

it('a closed conversation waits for nobody, and an incoming message opens it again', async () => {
  await receive()
  const { id } = await only(anna)
  await anna.ask('connect.conversation', 'close', { ids: [id] })
  expect(await list(bert, { filter: 'open' })).toEqual([])
  expect(await only(bert)).toMatchObject({ unread: 0, closed_at: now.toISOString().slice(0, 19).replace('T', ' ') })
  await send(anna, 'One more thing')
  expect(await list(bert, { filter: 'open' })).toEqual([])
  await receive()
  expect(await only(bert, { filter: 'open' })).toMatchObject({ closed_at: null, unread: 1 })
})

it('a conversation is handed to a colleague, who hears of it', async () => {
  await receive()
  const { id } = await only(anna)
  await anna.ask('connect.conversation', 'assign', { ids: [id], user: bert.userId })
  expect((await only(bert, { filter: 'mine' })).assigned).toEqual([bert.userId, 'Bert'])
  expect(await counts(bert)).toMatchObject({ mine: 1 })
  expect(await bert.ask('connect.notice', 'search_read', { fields: ['kind', 'ref', 'title'] })).toMatchObject([
    { kind: 'assigned', ref: `connect.conversation,${id}`, title: `SMS with ${THEIRS}` },
  ])
  await anna.ask('connect.conversation', 'assign', { ids: [id], user: null })
  expect((await only(bert)).assigned).toBe(null)
  const stranger = await app.person([])
  const refused = await anna.call('connect.conversation', 'assign', { ids: [id], user: stranger.userId })
  expect(refused.status).toBe(422)
})

it('failed messages are found until they are closed away', async () => {
  await receive()
  await receive({ From: OTHER })
  const message = await send(anna, 'Lost')
  await app.db.query(sql`update connect_message set status = 'undelivered' where id = ${message}::bigint`)
  const { id, failed } = await only(anna, { filter: 'failed' })
  expect(failed).toBe(1)
  expect(await only(bert, { filter: 'failed' })).toMatchObject({ id, failed: 1 })
  await anna.ask('connect.conversation', 'close', { ids: [id] })
  expect(await list(anna, { filter: 'failed' })).toEqual([])
  await anna.ask('connect.conversation', 'reopen', { ids: [id] })
  expect(await only(anna, { filter: 'failed' })).toMatchObject({ id, failed: 1, closed_at: null })
})

it('conversations are searched by parts of numbers and names, whatever signs are in them', async () => {
  const partner = await aPartner(app, { phone: '+14155550177', name: "Percent 100% O'Hara" })
  await receive()
  await receive({ From: '+14155550177' })
  expect((await list(anna, { search: '415 555 01 77' })).map(({ theirs }) => theirs)).toEqual(['+14155550177'])
  expect((await list(anna, { search: "100% o'h" })).map(({ theirs }) => theirs)).toEqual(['+14155550177'])
  expect(await list(anna, { search: '_%\\' })).toEqual([])
  const user = 'US.13491208655302741918'
  await receive({ From: `whatsapp:${user}`, To: 'whatsapp:+14155550199', ExternalUserId: `whatsapp:${user}` })
  await app.db.query(sql`update res_partner set name = 'Zoe' where phone = ${user}`)
  expect((await list(anna, { search: ` whatsapp:${user}` })).map(({ theirs }) => theirs)).toEqual([user])
  await app.db.query(sql`delete from res_partner where id = ${partner}::bigint`)
})

it('conversations are searched by a number as people write it at home, in a form that its country had before', async () => {
  await receive({ From: '+551187656666' })
  await setCountry(app, 'BR')
  for (const search of ['(11) 8765-6666', '11 98765-6666', '011 8765-6666 (celular)']) {
    expect((await list(anna, { search })).map(({ theirs }) => theirs)).toEqual(['+5511987656666'])
  }
  await setCountry(app, null)
})

it('conversations are searched by a short part of a number, as people write it at home', async () => {
  await receive({ From: '+41795551234' })
  await setCountry(app, 'CH')
  for (const search of ['079 5', '079 55', '(555)', '+41 7', '0795']) {
    expect((await list(anna, { search })).map(({ theirs }) => theirs)).toEqual(['+41795551234'])
  }
  await setCountry(app, null)
})

it('a conversation of which every message is deleted is gone', async () => {
  await receive()
  const ids = await app.admin.ask<number[]>('connect.message', 'search', {})
  await app.admin.ask('connect.message', 'unlink', { ids })
  expect(await app.count('connect_conversation')).toBe(0)
})

it('a conversation from before its contact was saved is listed under their name', async () => {
  const theirs = '+14155550178'
  await send(anna, 'Who are you?', theirs)
  expect(await list(anna)).toMatchObject([{ theirs, partner: null }])
  const contact = await app.admin.ask<number>('res.partner', 'create', { vals_list: { name: 'Mia', phone: theirs } })
  expect(await list(anna)).toMatchObject([{ theirs, partner: [contact, 'Mia'] }])
  await app.admin.ask('res.partner', 'unlink', { ids: [contact] })
})
