// What one caller of the API may cost everybody else.
import Fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../../src/database/drizzle.ts'
import { NoTurnError, Share } from '../../../src/database/server/api-share.ts'
import { answerJsonErrors } from '../../../src/platform/api/rpc-routes.ts'
import type { RefusalCode } from '../../../src/refusals.ts'
import { expectRefused } from '../../support/refusals.ts'
import { insertRow } from '../../support/rows.ts'
import { type Answer, type Caller, eventually, TestApp } from '../../support/test-app.ts'

const CONTACTS = 20_000
const MEGABYTE = 1_000_000

let app: TestApp
let anna: Caller

beforeAll(async () => {
  app = await TestApp.start()
  anna = await app.person(['connect.group_user'])
  await app.db.query(sql`insert into res_partner (name, active)
    select 'Contact ' || i, true from generate_series(1, ${CONTACTS}::int) i`)
  await app.db.script('analyze res_partner')
})
afterAll(() => app.stop())

function times(count: number, condition: readonly unknown[]): unknown[] {
  return [...Array.from({ length: count - 1 }, () => '|'), ...Array.from({ length: count }, () => condition)]
}

function refused(answer: Answer, sentence: string): void {
  expect(answer).toMatchObject({ status: 422, text: expect.stringContaining(sentence) })
}

describe('a description of fields', () => {
  it('fields and attributes that are named many thousand times are described once, and nobody waits for it', async () => {
    const began = performance.now()
    const asked = { allfields: Array(5_000).fill('name'), attributes: Array(90_000).fill('type') }
    expect(await anna.ask('res.partner', 'fields_get', asked)).toEqual({ name: { type: 'char' } })
    expect(performance.now() - began).toBeLessThan(3_000)
  })
})

describe('a domain', () => {
  it.each([
    [240, ['partner.name', '=', 'x'], 'follow more than 12 links'],
    [13, ['partner', 'ilike', 'x'], 'follow more than 12 links'],
    [7, ['recordings.partner.name', '=', 'x'], 'follow more than 12 links'],
    [21, ['caller', 'ilike', 'x'], 'look for more than 20 texts'],
    [1, ['caller', '=like', `%${'a%'.repeat(500)}`], 'a text of more than 1000 characters'],
    [2, ['duration', 'in', Array.from({ length: 6_000 }, (_, at) => at)], 'list more than 10000 values'],
  ])('a domain of %d conditions %j is refused, and says what is too much', async (count, condition, sentence) => {
    for (const method of ['search', 'search_count', 'search_read', 'name_search']) {
      refused(await anna.call('connect.call', method, { domain: times(count, condition) }), sentence)
    }
  })

  it('a domain that stays within the limits is searched', async () => {
    const domain = [...times(12, ['partner.name', '=', 'x']), ...times(20, ['caller', 'ilike', 'x'])]
    expect(await anna.ask('connect.call', 'search', { domain })).toEqual([])
  })
})

describe('a search', () => {
  it('a search that was stopped says so', async () => {
    const http = Fastify()
    answerJsonErrors(http, app.app.platform)
    http.get('/', () => Promise.reject(Object.assign(new Error('canceling statement'), { code: '57014' })))
    const answer = await http.inject('/')
    expect([answer.statusCode, answer.json().message]).toEqual([422, expect.stringContaining('Narrow the search')])
    expect(answer.json().context.code).toBe('took-too-long')
  })
})

describe('a request', () => {
  it.each([
    ['value-has-characters-size-cannot-stored', 422, { code: '22001' }],
    ['api-request-malformed', 400, { statusCode: 400 }],
  ] as const)('a request that the database or the framework refuses is %s', async (code, status, thrown) => {
    const http = Fastify()
    answerJsonErrors(http, app.app.platform)
    http.get('/', () => Promise.reject(Object.assign(new Error('refused'), thrown)))
    const answer = await http.inject('/')
    expect([answer.statusCode, answer.json().context.code]).toEqual([status, code satisfies RefusalCode])
  })
})

describe('an answer', () => {
  it('an answer of too many bytes is refused before it is in memory; each record of it can be read', async () => {
    const call = await insertRow(app.db, 'connect_call', { caller_user: anna.userId })
    const ids: number[] = []
    for (let at = 0; at < 18; at += 1) {
      const long = { call, caller_user: anna.userId, transcript: 'x'.repeat(MEGABYTE) }
      ids.push(await insertRow(app.db, 'connect_recording', long))
    }
    const read = (some: number[], fields: string[]) =>
      anna.call('connect.recording', 'search_read', { domain: [['id', 'in', some]], fields })
    expectRefused(await read(ids, ['transcript']), [
      'answer-too-large-ask-for-fewer',
      413,
      'The answer is too large. Ask for fewer records of connect.recording, or fewer fields.',
    ])
    expect((await anna.call('connect.recording', 'read', { ids, fields: ['transcript'] })).status).toBe(413)
    expect((await read(ids, ['status'])).status).toBe(200)
    expect((await read(ids.slice(0, 15), ['transcript'])).status).toBe(200)
  })

  it('an answer of thousands of records has them in the order that was asked for', async () => {
    const asked = { domain: [['name', '=like', 'Contact %']], order: 'id desc', limit: 1_234 }
    const ids = await anna.ask<number[]>('res.partner', 'search', asked)
    const rows = await anna.ask<{ id: number; name: string }[]>('res.partner', 'search_read', {
      ...asked,
      fields: ['name'],
    })
    expect(rows.map(({ id }) => id)).toEqual(ids)
    expect(rows.map(({ name }) => name)).toEqual(ids.map((_, at) => `Contact ${CONTACTS - at}`))
  })

  it('an answer whose links to many list too many records is refused, also when each part of it lists fewer', async ({
    skip,
  }) => {
    skip(app.db.kind === 'embedded', 'it takes long to write so many there')
    const calls = await app.db.query<{ id: number }>(sql`insert into connect_call (status)
      select 'completed' from generate_series(1, 1000) returning id`)
    await app.db.query(sql`insert into res_users (login, name, active)
      select 'listed' || i, 'Listed', true from generate_series(1, 101) i`)
    await app.db.query(sql`insert into connect_call_called_users_rel (call_id, user_id)
      select c.id, u.id from connect_call c, res_users u where c.id >= ${calls[0]?.id}::bigint and u.name = 'Listed'`)
    const read = (count: number) =>
      app.admin.call('connect.call', 'read', {
        ids: calls.slice(0, count).map(({ id }) => id),
        fields: ['called_users'],
      })
    expectRefused(await read(1_000), [
      'answer-too-large-ask-for-fewer',
      413,
      'The answer is too large. Ask for fewer records of res.users, or fewer fields.',
    ])
    expect((await read(900)).status).toBe(200)
  })

  it('names fields that are worked out from long texts for a hundred records at a time', async () => {
    await app.db.query(sql`insert into connect_call (caller_user)
      select ${anna.userId}::bigint from generate_series(1, 101)`)
    const read = (limit: number) => anna.call('connect.call', 'search_read', { fields: ['transcript'], limit })
    expectRefused(await read(101), [
      'api-field-read-for-at-most-records',
      413,
      'The field "transcript" is read for at most 100 records of connect.call at a time: set a lower limit.',
    ])
    expect((await read(100)).status).toBe(200)
  })
})

describe('calls of the API', () => {
  it('leave connections for webhooks, however many wait for something', async ({ skip }) => {
    skip(app.db.kind === 'embedded', 'the embedded engine has one connection')
    const [id] = await anna.ask<number[]>('res.partner', 'search', { limit: 1 })
    const places = Math.floor(app.config.databasePool / 2)
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const { promise: locked, resolve: lock } = Promise.withResolvers<void>()
    const holder = app.db.transaction(async (tx) => {
      await tx.query(sql`select 1 from res_partner where id = ${id}::bigint for update`)
      lock()
      await released
    })
    await locked
    const writes = Array.from({ length: 2 * app.config.databasePool }, () =>
      anna.call('res.partner', 'write', { ids: [id], vals: { name: 'Zoe' } }),
    )
    const waiting = () =>
      app.db.query<{ count: number }>(sql`select count(*)::int as count from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`)
    await eventually(async () => (await waiting())[0]?.count === places)
    expect(await app.db.transaction((tx) => tx.query(sql`select 1 as one`))).toEqual([{ one: 1 }])
    release()
    await holder
    expect((await Promise.all(writes)).map(({ status }) => status)).toEqual(writes.map(() => 200))
  })

  it('calls of the API have a shorter time for each statement than webhooks', async ({ skip }) => {
    skip(app.db.kind === 'embedded', 'the embedded engine cannot stop a statement')
    const timeout = async (isForApi: boolean) => {
      const ask = sql`select current_setting('statement_timeout') as timeout`
      const [row] = await app.db.transaction((tx) => tx.query<{ timeout: string }>(ask), { isForApi })
      return row?.timeout
    }
    expect([await timeout(true), await timeout(false)]).toEqual(['5s', '30s'])
  })

  it('let a webhook that comes later go before those that wait, on the one connection there is', async ({ skip }) => {
    skip(app.db.kind !== 'embedded', 'a server has several')
    const order: string[] = []
    const enter = (name: string, isForApi: boolean) =>
      app.db.transaction(
        async (tx) => {
          await tx.query(sql`select 1`)
          order.push(name)
        },
        { isForApi },
      )
    const calls = ['first', 'second', 'third'].map((name) => enter(name, true))
    await Promise.all([...calls, enter('webhook', false)])
    // It waits for one of them at most.
    expect(order.indexOf('webhook')).toBeLessThan(2)
  })
})

describe('a share', () => {
  it('lets so many through, the others in their order', async () => {
    const share = new Share(2)
    const events: string[] = []
    const { promise, resolve } = Promise.withResolvers<void>()
    const work = (name: string) =>
      share.use(async () => {
        events.push(name)
        await promise
      })
    const all = ['a', 'b', 'c', 'd'].map(work)
    await Promise.resolve()
    expect(events).toEqual(['a', 'b'])
    resolve()
    await Promise.all(all)
    expect(events).toEqual(['a', 'b', 'c', 'd'])
  })

  it('gives up after a while, and its place is then nobody’s', async () => {
    const share = new Share(1, 1)
    const { promise, resolve } = Promise.withResolvers<void>()
    const first = share.use(() => promise)
    await expect(share.use(async () => 'late')).rejects.toThrow(NoTurnError)
    resolve()
    await first
    expect(await share.use(async () => 'next')).toBe('next')
  })

  it('a share is free again after work that failed', async () => {
    const share = new Share(1, 1)
    await expect(share.use(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(await share.use(async () => 'next')).toBe('next')
  })
})
