// A person with many rows is erased some rows at a time, goes on by itself, and who asks again finds the erasure under way.
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ErasurePlan } from '../../../src/app/person/forget-in-pieces.ts'
import { nextPiece } from '../../../src/app/person/forget-person.ts'
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
  const passed = known.slice(0, 2)
  await write(contact, 2)
  const erasure = await interrupted(contact, { parts: [{ 'connect.message': known, 'res.partner': [contact] }] }, 2)
  expect(await erase(contact)).toEqual({
    erasure,
    counts: { 'connect.message': 6, 'res.partner': 1 },
    is_gone: false,
  })
  expect((await ended(erasure)).counts).toEqual({ 'connect.message': 6, 'res.partner': 1 })
  expect(await messagesLeft()).toEqual(passed)
  expect(await app.admin.ask('connect.erasure', 'search_count', { domain: [['contact', '=', contact]] })).toBe(1)
  await app.db.query(sql`delete from connect_message`)
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
  expect(nextPiece(parts, 0, 2)).toEqual({ model: 'connect.message', ids: [9, 8] })
  expect(nextPiece(parts, 2, 2)).toEqual({ model: 'connect.message', ids: [7] })
  expect(nextPiece(parts, 3, 2)).toEqual({ model: 'connect.call', ids: [5] })
  expect(nextPiece(parts, 4, 2)).toBeUndefined()
})
