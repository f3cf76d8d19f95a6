// What came of the calls of a time, by zone, and who waits to be called back: each person counts the calls they may read.
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { sql } from '../../../src/database/drizzle.ts'
import { formsOfSubscriberSql, oneFormSql } from '../../../src/database/number-plans-sql.ts'
import { conversationNumber, formsOfSubscriber } from '../../../src/number-plans.ts'
import { domainOf } from '../../../web/calls/calls-search.ts'
import { type Caller, TestApp } from '../../support/test-app.ts'

const NOON = new Date('2026-11-22T12:00:00Z')
const CALLER = '+14155550100'
const MINUTE_MS = 60_000

interface Figures {
  total: number
  person: number
  missed: number
  voicemail: number
  wait_p50: number | null
  wait_p90: number | null
  talk_seconds: number
  parts: { at: string; total: number }[]
}
interface Waiting {
  ids: number[]
  number: string
  outcome: string
}

let app: TestApp
let anna: Caller

beforeAll(async () => {
  app = await TestApp.start({ clock: () => NOON })
  anna = await app.person(['base.group_user', 'connect.group_user'], { name: 'Anna' })
})
afterAll(() => app.stop())
beforeEach(async () => {
  await app.db.query(sql`delete from connect_call`)
})

interface Made {
  at?: Date | string
  outcome?: string
  caller?: string
  called?: string
  direction?: string
  wait?: number
  answeredBy?: number
}

async function make({
  at = NOON,
  outcome = 'missed',
  caller = CALLER,
  called = '+14155550199',
  direction = 'incoming',
  wait = 0,
  answeredBy,
}: Made = {}): Promise<number> {
  const began = typeof at === 'string' ? new Date(at) : at
  const ended = new Date(began.getTime() + wait * 1_000)
  const voicemail = outcome === 'voicemail' ? 'https://example.com/1' : null
  const [row] = await app.db.query<{ id: number }>(
    sql`insert into connect_call (caller, called, direction, status, legs_outcome, voicemail_url, started_at, ended_at,
          answered_user, duration, create_date)
        values (${caller}, ${called}, ${direction}, 'completed', ${outcome === 'voicemail' ? 'ours' : outcome}, ${voicemail},
          ${began.toISOString()}::timestamp, ${ended.toISOString()}::timestamp, ${answeredBy ?? null}::bigint, 60,
          ${began.toISOString()}::timestamp) returning id`,
  )
  return row?.id ?? 0
}

function stats(who: Caller, args: object): Promise<Figures> {
  return who.ask('connect.call', 'stats', { from: '2026-11-22 00:00:00', to: '2026-11-23 00:00:00', ...args })
}

it('figures count what came of the calls of a time, how long they waited, and how long was talked', async () => {
  await make({ outcome: 'person', wait: 2 })
  await make({ outcome: 'missed', wait: 10 })
  await make({ outcome: 'voicemail', wait: 4 })
  await make({ outcome: 'person', at: '2026-11-21T23:59:59Z' })
  // A call is of the time at which it began, whenever it was reported; one of which that is not known, of when it was written.
  await app.db.query(
    sql`update connect_call set create_date = '2026-11-23 00:10:00' where id = ${await make({ outcome: 'busy' })}`,
  )
  await app.db.query(
    sql`update connect_call set started_at = null, ended_at = null where id = ${await make({ outcome: 'failed' })}`,
  )
  const figures = await stats(app.admin, { by: 'hour' })
  expect(figures).toMatchObject({
    total: 5,
    person: 1,
    missed: 1,
    voicemail: 1,
    busy: 1,
    failed: 1,
    talk_seconds: 60,
    wait_p50: 3,
    wait_p90: 8,
  })
  expect(figures.parts).toMatchObject([{ at: '2026-11-22 12:00:00', total: 5 }])
})

it('a call of our own is no caller’s wait, and nobody whom we left unanswered', async () => {
  await make({ outcome: 'missed', wait: 5 })
  await make({ outcome: 'failed', wait: 8 })
  await make({ outcome: 'failed', wait: 1, direction: 'outgoing' })
  await make({ outcome: 'given_up', wait: 1, direction: 'internal' })
  const { parts, ...figures } = await stats(app.admin, { by: 'hour' })
  expect(figures).toMatchObject({
    total: 4,
    failed: 2,
    failed_incoming: 1,
    failed_outgoing: 1,
    incoming: 2,
    unanswered: 2,
  })
  expect(figures.wait_p50).toBe(6)
  expect(parts).toMatchObject([{ total: 4, unanswered: 2 }])
})

it('a call of which nobody took over is among those of the agent no more, and one of which no end is known stays there', async () => {
  const [solved, unknown, inVain, missed] = [
    await make({ outcome: 'agent' }),
    await make({ outcome: 'agent' }),
    await make({ outcome: 'agent' }),
    await make({ outcome: 'missed' }),
  ]
  await app.db.query(sql`update connect_call set end_reason = 'ended' where id = ${solved}`)
  await app.db.query(sql`update connect_call set end_reason = 'nobody_answered' where id in (${inVain}, ${missed})`)
  const found = (outcome: string) =>
    app.admin.ask<number[]>('connect.call', 'search', { domain: domainOf({ outcome }, NOON, 'UTC'), order: 'id' })
  expect(await found('agent')).toEqual([solved, unknown])
  expect(await found('not_taken_over')).toEqual([inVain])
  expect(await found('not_taken_over,missed')).toEqual([inVain, missed])
  expect(await found('agent,not_taken_over')).toEqual([solved, unknown, inVain])
})

it('a person counts the calls they may read, and no others', async () => {
  await make({ outcome: 'person', answeredBy: anna.userId })
  await make({ outcome: 'person' })
  expect((await stats(anna, {})).total).toBe(1)
  expect((await stats(app.admin, {})).total).toBe(2)
  expect(await stats(anna, { from: '2026-11-20 00:00:00', to: '2026-11-21 00:00:00' })).toMatchObject({
    total: 0,
    wait_p50: null,
    parts: [],
  })
})

it.each([
  [{ from: 'yesterday' }, 'is no moment'],
  [{ tz: 'Nowhere/None' }, 'is no time zone'],
  [{ to: '2020-01-01 00:00:00' }, 'is after "from"'],
  [{ from: '2024-01-01 00:00:00' }, 'at most 367 days'],
  [{ from: '2026-09-01 00:00:00', by: 'hour' }, 'at most 32 days'],
])('a question that cannot be answered says why: %j', async (args, says) => {
  const answer = await app.admin.call('connect.call', 'stats', {
    from: '2026-11-22 00:00:00',
    to: '2026-11-23 00:00:00',
    ...args,
  })
  expect(answer.status).toBe(422)
  expect(answer.text).toContain(says.replaceAll('"', '\\"'))
})

it.each([
  ['Europe/Zurich', '2026-10-24T20:00:00Z'],
  ['Europe/Zurich', '2026-03-28T20:00:00Z'],
  ['America/New_York', '2026-10-31T20:00:00Z'],
  ['Australia/Lord_Howe', '2026-04-04T08:00:00Z'],
  ['Asia/Kathmandu', '2026-11-22T00:00:00Z'],
])('each call is in the hour and the day that it fell in, over a clock change in %s', async (tz, around) => {
  const began = new Date(around).getTime()
  const moments = fc.array(fc.integer({ min: 0, max: 24 * 60 - 1 }), { minLength: 1, maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(moments, async (minutes) => {
      await app.db.query(sql`delete from connect_call`)
      const calls = minutes.map((minute) => new Date(began + minute * MINUTE_MS))
      for (const at of calls) await make({ at })
      for (const by of ['hour', 'day'] as const) {
        const to = new Date(began + 24 * 60 * MINUTE_MS).toISOString()
        const { parts } = await stats(app.admin, { from: around, to, tz, by })
        expect(Object.fromEntries(parts.map(({ at, total }) => [at, total]))).toEqual(counted(calls, tz, by))
      }
    }),
    { numRuns: 6 },
  )
})

/** The same by another way: the language's own knowledge of zones. */
function counted(calls: readonly Date[], tz: string, by: 'hour' | 'day'): Record<string, number> {
  const starts = calls.map((at) => {
    const local = Temporal.Instant.from(at.toISOString()).toZonedDateTimeISO(tz)
    const start =
      by === 'day'
        ? local.startOfDay()
        : local.subtract({ minutes: local.minute, seconds: local.second, milliseconds: local.millisecond })
    return start.toInstant().toString().slice(0, 19).replace('T', ' ')
  })
  return Object.fromEntries([...Map.groupBy(starts, (start) => start)].map(([start, all]) => [start, all.length]))
}

function waiting(who: Caller = app.admin): Promise<Waiting[]> {
  return who.ask('connect.call', 'to_call_back', {})
}

it.each(['anonymous', '', '+266696687', '+86282452253', 'Restricted', 'sip:anonymous@anonymous.invalid', 'Anna'])(
  'each call of %j waits for itself, no matter who else is answered',
  async (caller) => {
    const first = await make({ caller, outcome: 'voicemail', at: '2026-11-22T09:00:00Z' })
    const second = await make({ caller, outcome: 'missed', at: '2026-11-22T10:00:00Z' })
    await make({ caller, outcome: 'person', at: '2026-11-22T11:00:00Z' })
    await make({ caller: '+14155550111', called: caller, direction: 'outgoing', outcome: 'person' })
    expect(await waiting()).toMatchObject([
      { ids: [first], number: '', outcome: 'voicemail' },
      { ids: [second], number: '', outcome: 'missed' },
    ])
    const rows = await app.admin.ask('connect.call', 'read', { ids: [first], fields: ['needs_callback'] })
    expect(rows).toMatchObject([{ needs_callback: true }])
    await app.admin.ask('connect.call', 'callback_done', { ids: [first] })
    expect(await waiting()).toMatchObject([{ ids: [second] }])
  },
)

it('a caller whose contact was saved after they had called waits under their name', async () => {
  const caller = '+14155550177'
  await make({ caller, at: '2026-11-22T09:00:00Z' })
  expect(await waiting()).toMatchObject([{ number: caller, partner: null }])
  const contact = await app.admin.ask<number>('res.partner', 'create', { vals_list: { name: 'Mia', mobile: caller } })
  expect(await waiting()).toMatchObject([{ number: caller, partner: [contact, 'Mia'] }])
  await app.admin.ask('res.partner', 'unlink', { ids: [contact] })
})

it('anyone who was missed, left a message or was not reached by an agent waits to be called back, the longest first, and once for each number', async () => {
  const first = await make({ at: '2026-11-22T09:00:00Z' })
  const other = await make({ caller: '+14155550101', outcome: 'voicemail', at: '2026-11-22T10:00:00Z' })
  const again = await make({ at: '2026-11-22T11:00:00Z' })
  await make({ caller: '+14155550102', at: '2026-10-01T11:00:00Z' })
  await make({ caller: '+14155550103', outcome: 'person' })
  const failed = await make({ caller: '+14155550104', outcome: 'failed', at: '2026-11-22T12:00:00Z' })
  expect(await waiting()).toMatchObject([
    { ids: [again, first], number: CALLER, outcome: 'missed' },
    { ids: [other], number: '+14155550101', outcome: 'voicemail' },
    { ids: [failed], number: '+14155550104', outcome: 'failed', agent_not_reached: false },
  ])
  const voice = await app.admin.ask<number>('connect.voiceai_voice', 'create', {
    vals_list: { name: 'Rachel', voice_id: 'voice_1' },
  })
  const agent = await app.admin.ask<number>('connect.voiceai_agent', 'create', {
    vals_list: { name: 'Night desk', prompt: 'You answer by night.', voice },
  })
  await app.db.query(sql`update connect_call set voiceai_agent = ${agent}::bigint where id in (${failed}, ${other})`)
  expect(await waiting()).toMatchObject([
    { outcome: 'missed', agent_not_reached: false },
    { outcome: 'voicemail', agent_not_reached: false },
    { outcome: 'failed', agent_not_reached: true },
  ])
  expect(await waiting(anna)).toEqual([])
})

it.each([
  ['they called again and were answered', { caller: CALLER }],
  ['somebody called them', { caller: '+14155550199', called: CALLER, direction: 'outgoing' }],
])('nobody waits once they have talked: %s', async (_what, talk) => {
  const missed = await make()
  const needs = async () =>
    (await app.admin.ask<object[]>('connect.call', 'read', { ids: [missed], fields: ['needs_callback'] }))[0]
  expect(await needs()).toEqual({ id: missed, needs_callback: true })
  await make({ outcome: 'person', ...talk })
  expect(await waiting()).toEqual([])
  expect(await needs()).toEqual({ id: missed, needs_callback: false })
})

it.each([
  ['Argentina', '+5491123456789', '+541123456789'],
  ['Brazil', '+555187654321', '+5551987654321'],
  ['Ivory Coast', '+22507123456', '+2250707123456'],
  ['Benin', '+22997123456', '+2290197123456'],
])('a number of %s is one subscriber in both of its forms', async (_country, one, other) => {
  for (const [missed, talked] of [
    [one, other],
    [other, one],
  ] as const) {
    await app.db.query(sql`delete from connect_call`)
    const first = await make({ caller: missed })
    const second = await make({ caller: talked, outcome: 'voicemail' })
    expect(await waiting()).toMatchObject([{ ids: [second, first] }])
    const needs = () => app.admin.ask('connect.call', 'read', { ids: [first], fields: ['needs_callback'] })
    expect(await needs()).toMatchObject([{ needs_callback: true }])
    await make({ caller: '+14155550199', called: talked, direction: 'outgoing', outcome: 'person' })
    expect(await waiting()).toEqual([])
    expect(await needs()).toMatchObject([{ needs_callback: false }])
  }
})

it('a statement reads the forms of a number as the program does', async () => {
  const written = [
    '+5491123456789',
    '+541123456789',
    '+555187654321',
    '+5551987654321',
    '+555132654321',
    '+22507123456',
  ]
  const others = ['+2250707123456', '+22521281234', '+22997123456', '+2290197123456', '+5215512345678', '+525512345678']
  for (const number of [...written, ...others, '+41791234567', 'anonymous', '']) {
    const given = sql`${number}::text`
    const [row] = await app.db.query(sql`select ${formsOfSubscriberSql(given)} as forms, ${oneFormSql(given)} as one`)
    expect([...new Set(row?.forms as string[])].toSorted()).toEqual(formsOfSubscriber(number).toSorted())
    expect(row?.one).toBe(conversationNumber(number))
  }
})

it('somebody says that it is done, once, and it is known who', async () => {
  const missed = await make()
  await app.db.query(sql`update connect_call set answered_user = ${anna.userId} where id = ${missed}`)
  expect(await anna.ask('connect.call', 'callback_done', { ids: [missed] })).toBe(1)
  expect(await anna.ask('connect.call', 'callback_done', { ids: [missed] })).toBe(0)
  expect(await waiting()).toEqual([])
  const [row] = await app.admin.ask<{ callback_done_by: [number, string] }[]>('connect.call', 'read', {
    ids: [missed],
    fields: ['callback_done_by'],
  })
  expect(row?.callback_done_by[1]).toBe('Anna')
  expect(await app.admin.ask('connect.call', 'callback_undone', { ids: [missed] })).toBe(0)
  expect(await anna.ask('connect.call', 'callback_undone', { ids: [missed] })).toBe(1)
  expect(await waiting()).toMatchObject([{ ids: [missed] }])
  expect(await anna.ask('connect.call', 'callback_done', { ids: [missed] })).toBe(1)
  expect(await app.admin.ask('connect.call', 'callback_undone', { ids: [missed], by_anyone: true })).toBe(1)
  expect(await waiting()).toMatchObject([{ ids: [missed] }])
  const hidden = await make()
  expect((await anna.call('connect.call', 'callback_done', { ids: [hidden] })).status).not.toBe(200)
})
