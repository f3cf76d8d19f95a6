// A person with many rows is erased some rows at a time, goes on by itself, and who asks again finds the erasure under way.
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ErasurePlan } from '../../../src/app/person/forget-in-pieces.ts'
import { nextPiece } from '../../../src/app/person/forget-person.ts'
import { endErasure, saveErasureProgress } from '../../../src/contacts/erasures.ts'
import { sql } from '../../../src/database/drizzle.ts'
import { eventually, TestApp } from '../../support/test-app.ts'

const NUMBER = '+14155550210'
const MESSAGES = 230
const NAME = 'Zoe Miller'

let app: TestApp

beforeAll(async () => {
  app = await TestApp.start()
})
afterAll(() => app.stop())

interface Receipt {
  id: number
  state: string
  counts: Record<string, number>
}

const create = (model: string, values: object) => app.admin.ask<number>(model, 'create', { vals_list: values })
const erase = (contact: number) =>
  app.admin.ask<{ erasure: number; counts: Record<string, number>; is_gone: boolean }>('res.partner', 'erase', {
    ids: [contact],
    confirm: NAME,
  })

/** The receipt, once the erasure has ended. */
const ended = (erasure: number) =>
  eventually(async () => {
    const [row] = await app.admin.ask<Receipt[]>('connect.erasure', 'read', { ids: [erasure] })
    return row?.state === 'done' ? row : undefined
  })

/** Messages with a person, by their ids. */
async function write(contact: number, count: number): Promise<number[]> {
  const rows = await app.db.query<{ id: number }>(sql`insert into connect_message
      (from_number, to_number, body, direction, status, partner)
    select ${NUMBER}, '+14155550110', 'Hello ' || n, 'incoming', 'received', ${contact}::bigint
    from generate_series(1, ${count}::int) n returning id`)
  return rows.map(({ id }) => id)
}

const messagesLeft = async (): Promise<number[]> => {
  const rows = await app.db.query<{ id: number }>(sql`select id from connect_message order by id`)
  return rows.map(({ id }) => id)
}

/** An erasure whose process ended when so many rows were gone; no job works on it. */
async function interrupted(contact: number, plan: Omit<ErasurePlan, 'sought'>, gone: number): Promise<number> {
  const pattern = JSON.stringify({ sought: { names: [NAME], numbers: [NUMBER], emails: [] }, ...plan })
  const [row] = await app.db.query<{
    id: number
  }>(sql`insert into connect_erasure (contact, state, counts, pattern, marks)
    values (${contact}::bigint, 'running', '{}', ${pattern}, ${JSON.stringify({ texts: [], gone })}::jsonb) returning id`)
  return row?.id ?? 0
}

it('a person with more rows than one call removes is erased afterwards, with the counts of the preview', async () => {
  const contact = await create('res.partner', { name: NAME, phone: NUMBER })
  await write(contact, MESSAGES)
  const call = await create('connect.call', { caller: NUMBER, called: '+14155550110', direction: 'incoming' })
  const preview = await app.admin.ask<{ counts: object }>('res.partner', 'erase_preview', { ids: [contact] })
  expect(preview.counts).toEqual({ 'connect.message': MESSAGES, 'connect.call': 1, 'res.partner': 1 })
  const begun = await erase(contact)
  expect(begun).toMatchObject({ is_gone: false, counts: preview.counts })
  expect((await ended(begun.erasure)).counts).toEqual(preview.counts)
  expect(await messagesLeft()).toEqual([])
  expect((await app.admin.call('res.partner', 'read', { ids: [contact] })).status).toBe(404)
  const [kept] = await app.admin.ask<object[]>('connect.call', 'read', { ids: [call], fields: ['caller', 'called'] })
  expect(kept).toMatchObject({ caller: null, called: '+14155550110' })
})

it('a person with few rows is gone when the call is answered', async () => {
  const contact = await create('res.partner', { name: NAME, phone: NUMBER })
  await write(contact, 3)
  const begun = await erase(contact)
  expect(begun).toMatchObject({ is_gone: true, counts: { 'connect.message': 3, 'res.partner': 1 } })
  expect(await messagesLeft()).toEqual([])
  expect((await ended(begun.erasure)).counts).toEqual(begun.counts)
})

it('an erasure that was interrupted is found by the next request, goes on where it was, and takes what came since', async () => {
  const contact = await create('res.partner', { name: NAME, phone: NUMBER })
  const known = await write(contact, 6)
  await app.db.query(sql`delete from connect_message where id in (${known[0]}::bigint, ${known[1]}::bigint)`)
  await write(contact, 2)
  const erasure = await interrupted(contact, { parts: [{ 'connect.message': known, 'res.partner': [contact] }] }, 2)
  expect(await erase(contact)).toEqual({
    erasure,
    counts: { 'connect.message': 6, 'res.partner': 1 },
    is_gone: false,
  })
  expect((await ended(erasure)).counts).toEqual({ 'connect.message': 6, 'res.partner': 1 })
  expect(await messagesLeft()).toEqual([])
  expect(await app.admin.ask('connect.erasure', 'search_count', { domain: [['contact', '=', contact]] })).toBe(1)
})

it('an erasure that failed goes on when somebody asks for it again', async () => {
  const contact = await create('res.partner', { name: NAME, phone: NUMBER })
  const erasure = await interrupted(contact, { parts: [{ 'connect.message': await write(contact, 2) }] }, 0)
  await app.db.query(sql`update connect_erasure set state = 'failed', error = 'Error' where id = ${erasure}::bigint`)
  expect((await erase(contact)).erasure).toBe(erasure)
  expect((await ended(erasure)).counts).toEqual({ 'connect.message': 2, 'res.partner': 1 })
  expect(await messagesLeft()).toEqual([])
})

it('an erasure that no job works on any more is taken up by itself', async () => {
  const contact = await create('res.partner', { name: NAME, phone: NUMBER })
  const erasure = await interrupted(contact, { parts: [{ 'connect.message': await write(contact, 2) }] }, 0)
  await app.db.transaction((tx) => app.app.jobs.enqueueIn(tx, { name: 'erasures-go-on', payload: {} }))
  expect((await ended(erasure)).counts).toEqual({ 'connect.message': 2, 'res.partner': 1 })
})

/** The only value of a row. */
async function idOf(insert: ReturnType<typeof sql>): Promise<number> {
  const [row] = await app.db.query<{ id: number }>(insert)
  return row?.id ?? 0
}

it('what is given back to a person after it was forgotten is forgotten again before the contact goes', async () => {
  const contact = await create('res.partner', { name: NAME, phone: NUMBER })
  const call =
    await idOf(sql`insert into connect_call (called, direction, partner, caller_name, forwarded_from, summary)
    values ('+14155550110', 'incoming', ${contact}::bigint, 'Z. Smith', '+14155550888', 'Wants a refund') returning id`)
  const leg = await idOf(sql`insert into connect_channel (sid, call, caller, caller_name)
    values ('CA-given-back', ${call}::bigint, ${NUMBER}, 'Z. Smith') returning id`)
  const ticket = await idOf(sql`insert into helpdesk_ticket (name, description, partner_id, made_in_call)
    values ('Refund', 'Wants a refund', ${contact}::bigint, ${call}::bigint) returning id`)
  const meeting = await idOf(sql`insert into calendar_event (name, description, start, stop, made_in_call)
    values ('Refund', 'Wants a refund', now(), now() + interval '1 hour', ${call}::bigint) returning id`)
  await app.db.query(sql`insert into calendar_event_res_partner_rel (event_id, partner_id)
    values (${meeting}::bigint, ${contact}::bigint)`)
  const conversation = await idOf(sql`insert into connect_conversation (channel, ours, theirs, partner)
    values ('sms', '+14155550110', ${NUMBER}, ${contact}::bigint) returning id`)
  const known = {
    'connect.channel': [leg],
    'connect.conversation': [conversation],
    'connect.call': [call],
    'helpdesk.ticket': [ticket],
    'calendar.event': [meeting],
    'res.partner': [contact],
  }
  const erasure = await interrupted(contact, { parts: [known] }, 5)
  await erase(contact)
  expect((await ended(erasure)).counts).toEqual({ 'res.partner': 1 })
  expect(
    await app.db.query(sql`select partner, caller_name, forwarded_from, summary from connect_call
    where id = ${call}::bigint`),
  ).toEqual([{ partner: null, caller_name: null, forwarded_from: null, summary: null }])
  expect(await app.db.query(sql`select caller, caller_name from connect_channel where id = ${leg}::bigint`)).toEqual([
    { caller: null, caller_name: null },
  ])
  expect(
    await app.db.query(sql`select name, description, partner_id from helpdesk_ticket where id = ${ticket}::bigint`),
  ).toEqual([{ name: 'Erased', description: null, partner_id: null }])
  expect(await app.db.query(sql`select name, description from calendar_event where id = ${meeting}::bigint`)).toEqual([
    { name: 'Erased', description: null },
  ])
  expect(await app.db.query(sql`select 1 from connect_conversation where id = ${conversation}::bigint`)).toEqual([])
})

it('what is stored late on calls, tickets and meetings that name nobody any more goes before the contact does', async () => {
  const contact = await create('res.partner', { name: NAME, phone: NUMBER })
  const call = await idOf(
    sql`insert into connect_call (called, direction) values ('+14155550110', 'incoming') returning id`,
  )
  const ticket = await idOf(sql`insert into helpdesk_ticket (name) values ('Erased') returning id`)
  const meeting = await idOf(sql`insert into calendar_event (name, start, stop)
    values ('Erased', now(), now() + interval '1 hour') returning id`)
  await app.db.query(sql`insert into connect_voicemail (sid, call_sid, url, duration, call)
    values ('RE-late-voicemail', 'CA-late', '', 4, ${call}::bigint)`)
  await app.db.query(sql`insert into connect_recording (sid, call, transcript)
    values ('RE-late-recording', ${call}::bigint, 'I want a refund')`)
  const leg = await idOf(sql`insert into connect_channel (sid, call, caller_name)
    values ('CA-late', ${call}::bigint, 'Z. Smith') returning id`)
  const late = await idOf(sql`insert into helpdesk_ticket (name, description, made_in_call)
    values ('Refund', 'Wants a refund', ${call}::bigint) returning id`)
  const delivery = await idOf(sql`insert into connect_delivery (area, route, verdict, received_at, conversation, body)
    values ('voiceai', 'post_call', 'done', now(), 'conv_late', '{"summary": "Wants a refund"}') returning id`)
  const on = [
    ['connect.call', call],
    ['helpdesk.ticket', ticket],
    ['helpdesk.ticket', late],
    ['calendar.event', meeting],
  ] as const
  for (const [model, id] of on) {
    await app.db.query(sql`insert into mail_message (model, res_id, message_type, date, body)
      values (${model}, ${id}::bigint, 'comment', now(), 'Wants a refund')`)
    await app.db.query(sql`insert into connect_notice ("user", kind, res_model, res_id, noticed_at)
      values (2, 'mention', ${model}, ${id}::bigint, now())`)
  }
  const known = {
    'connect.call': [call],
    'helpdesk.ticket': [ticket],
    'calendar.event': [meeting],
    'res.partner': [contact],
  }
  const erasure = await interrupted(contact, { parts: [known] }, 3)
  await app.db.query(
    sql`update connect_erasure set marks = jsonb_set(marks, '{texts}', '["conv_late"]') where id = ${erasure}::bigint`,
  )
  await erase(contact)
  expect((await ended(erasure)).counts).toEqual({
    'mail.message': 4,
    'connect.notice': 4,
    'connect.recording': 1,
    'connect.voicemail': 1,
    'connect.channel': 1,
    'connect.delivery': 1,
    'helpdesk.ticket': 1,
    'res.partner': 1,
  })
  expect(
    await app.db.query(sql`select 1 from connect_voicemail where call = ${call}::bigint
    union all select 1 from connect_recording where call = ${call}::bigint
    union all select 1 from mail_message where body = 'Wants a refund'
    union all select 1 from connect_notice where kind = 'mention'`),
  ).toEqual([])
  expect(
    await app.db.query(sql`select caller_name as text from connect_channel where id = ${leg}::bigint
    union all select body from connect_delivery where id = ${delivery}::bigint
    union all select description from helpdesk_ticket where id = ${late}::bigint`),
  ).toEqual([{ text: null }, { text: null }, { text: null }])
})

it('an erasure has one job, however often somebody asks for it', async () => {
  const contact = await create('res.partner', { name: NAME, phone: NUMBER })
  const erasure = await interrupted(contact, { parts: [{ 'connect.message': await write(contact, 2) }] }, 0)
  const payload = { erasureId: erasure }
  await app.db.transaction((tx) => app.app.jobs.enqueueIn(tx, { name: 'erase-person', payload, delaySeconds: 3_600 }))
  await Promise.all([erase(contact), erase(contact)])
  const isItsJob = sql`name = 'erase-person' and data ->> 'erasureId' = ${String(erasure)}`
  expect(await app.db.query(sql`select state from jobs.job where ${isItsJob}`)).toEqual([{ state: 'created' }])
  await app.db.query(sql`delete from jobs.job where ${isItsJob}`)
  await Promise.all([erase(contact), erase(contact)])
  expect((await ended(erasure)).counts).toEqual({ 'connect.message': 2, 'res.partner': 1 })
  expect(await app.db.query(sql`select 1 from jobs.job where ${isItsJob}`)).toHaveLength(1)
})

it('a receipt that has ended is not written again by a job that was still at work', async () => {
  const contact = await create('res.partner', { name: NAME, phone: NUMBER })
  const { erasure } = await erase(contact)
  await ended(erasure)
  const stored = () =>
    app.db.query(sql`select counts, marks, pattern, state, ended_at from connect_erasure
    where id = ${erasure}::bigint`)
  const before = await stored()
  expect(before).toMatchObject([{ counts: { 'res.partner': 1 }, marks: null, pattern: null, state: 'done' }])
  const late = { marks: { texts: ['conv_1'] }, found: { 'connect.message': 3 }, pattern: NUMBER }
  await app.db.transaction((tx) => saveErasureProgress(tx, erasure, late))
  await endErasure(app.db, erasure, { spool: 1 })
  expect(await stored()).toEqual(before)
})

it('two who erase the same person at once begin one erasure', async () => {
  const contact = await create('res.partner', { name: NAME, phone: NUMBER })
  await write(contact, MESSAGES)
  const both = await Promise.all([erase(contact), erase(contact)])
  expect(new Set(both.map(({ erasure }) => erasure)).size).toBe(1)
  await ended(both[0].erasure)
  expect(await messagesLeft()).toEqual([])
})

it('finished jobs that name the person go, however many others there are', async () => {
  const contact = await create('res.partner', { name: NAME, phone: NUMBER })
  await app.db.query(sql`insert into jobs.job (name, state, data, created_on, completed_on)
    select 'clean-up', 'completed', jsonb_build_object('to', case when n % 100 = 0 then ${NUMBER} else 'nobody' end), now(), now()
    from generate_series(1, 700) n`)
  const naming = async () => {
    const rows = await app.db.query(sql`select 1 from jobs.job where data ->> 'to' = ${NUMBER}`)
    return rows.length
  }
  expect(await naming()).toBe(7)
  await ended((await erase(contact)).erasure)
  expect(await naming()).toBe(0)
  expect(await app.db.query(sql`select 1 from jobs.job where data ->> 'to' = 'nobody'`)).toHaveLength(693)
})

it('one step takes rows of one model, and leaves the contact for the end', () => {
  const parts = [{ 'connect.message': [9, 8, 7], 'res.partner': [1] }, { 'connect.call': [5] }]
  expect(nextPiece(parts, 0, 2)).toMatchObject({ model: 'connect.message', ids: [9, 8] })
  expect(nextPiece(parts, 2, 2)).toMatchObject({ model: 'connect.message', ids: [7] })
  expect(nextPiece(parts, 3, 2)).toMatchObject({ model: 'connect.call', ids: [5] })
  expect(nextPiece(parts, 4, 2)).toBeUndefined()
})

it('a row that is forgotten again is counted once', () => {
  const parts = [{ 'connect.call': [5, 6] }, { 'connect.call': [6, 7] }]
  expect(nextPiece(parts, 0, 2)?.firsts).toEqual({ 'connect.call': [5, 6] })
  expect(nextPiece(parts, 2, 2)).toEqual({ model: 'connect.call', ids: [6, 7], firsts: { 'connect.call': [7] } })
  expect(nextPiece(parts, 3, 2)?.firsts).toEqual({ 'connect.call': [7] })
})

it('what a report adds to the calls of a person with few rows, while they are erased, goes too', async () => {
  const contact = await create('res.partner', { name: NAME, phone: NUMBER })
  const call = await idOf(sql`insert into connect_call (caller, called, direction, partner)
    values (${NUMBER}, '+14155550110', 'incoming', ${contact}::bigint) returning id`)
  // Stands for a report that is stored as soon as the call names nobody any more.
  await app.db.query(sql`create function report_late() returns trigger language plpgsql as $$ begin
      insert into connect_voicemail (sid, call_sid, url, duration, call) values ('RE-of-few', 'CA-of-few', '', 4, new.id);
      insert into connect_channel (sid, call, caller, caller_name) values ('CA-of-few', new.id, '+14155550210', 'Z. Smith');
      return new; end $$`)
  await app.db.query(sql`create trigger late after update on connect_call for each row
    when (old.partner is not null and new.partner is null) execute function report_late()`)
  const begun = await erase(contact)
  expect(begun.is_gone).toBe(true)
  await ended(begun.erasure)
  await app.db.query(sql`drop trigger late on connect_call`)
  expect(await app.db.query(sql`select 1 from connect_voicemail where call = ${call}::bigint`)).toEqual([])
  expect(await app.db.query(sql`select caller, caller_name from connect_channel where call = ${call}::bigint`)).toEqual(
    [{ caller: null, caller_name: null }],
  )
})

it('a summary and a name that come onto a call which names nobody any more are forgotten before the erasure ends', async () => {
  const contact = await create('res.partner', { name: NAME, phone: NUMBER })
  const call = await idOf(sql`insert into connect_call (called, direction, voiceai_summary)
    values ('+14155550110', 'incoming', 'Zoe wants a refund') returning id`)
  const leg = await idOf(sql`insert into connect_channel (sid, call, caller_name)
    values ('CA-refilled', ${call}::bigint, 'Z. Smith') returning id`)
  const known = { 'connect.channel': [leg], 'connect.call': [call], 'res.partner': [contact] }
  const erasure = await interrupted(contact, { parts: [known] }, 2)
  await erase(contact)
  expect((await ended(erasure)).counts).toEqual({ 'res.partner': 1 })
  expect(await app.db.query(sql`select voiceai_summary from connect_call where id = ${call}::bigint`)).toEqual([
    { voiceai_summary: null },
  ])
  expect(await app.db.query(sql`select caller_name from connect_channel where id = ${leg}::bigint`)).toEqual([
    { caller_name: null },
  ])
})
