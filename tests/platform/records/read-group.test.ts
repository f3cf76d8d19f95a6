// read_group counts and reckons what the same person reads row by row, in whichever way the database gets there.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../../src/database/drizzle.ts'
import { expectRefused } from '../../support/refusals.ts'
import { type Caller, TestApp } from '../../support/test-app.ts'

const CONTACTS = 20_000
const RUNS = 25
/** Looks into every row, and is true for everybody. */
const DEAR = Array.from({ length: 6 }, (_, at) => ['name', 'not ilike', `nobody ${at}`])

interface Call {
  status: string | null
  direction: string | null
  duration: number | null
  answered_user: [number, string] | null
  create_date: string
}
type Group = Record<string, unknown> & { __count: number }

let app: TestApp
let anna: Caller
let other: Caller

beforeAll(async () => {
  app = await TestApp.start()
  anna = await app.person(['connect.group_user'])
  other = await app.person(['connect.group_user'])
  // Every third is Anna's; some on either side of the hour that came twice in Zurich on 25 October 2026.
  await app.db.query(sql`insert into connect_call (status, direction, duration, answered_user, create_date)
    select (array['completed', 'busy', 'failed', null])[1 + i % 4], (array['incoming', 'outgoing'])[1 + i % 2],
      case when i % 7 = 0 then null else i % 90 end,
      case i % 3 when 0 then ${anna.userId}::bigint when 1 then ${other.userId}::bigint end,
      timestamp '2026-10-24 20:00:00' + i * interval '7 minutes'
    from generate_series(1, 400) i`)
  await app.db.query(sql`insert into res_partner (name, active, email)
    select 'Contact ' || i, true, 'city' || i % 5 || '@example.com' from generate_series(1, ${CONTACTS}::int) i`)
  await app.db.script('analyze res_partner; analyze connect_call')
})
afterAll(() => app.stop())

const FIELDS = ['status', 'direction', 'duration', 'answered_user', 'create_date']
const readAll = (caller: Caller, domain: unknown) =>
  caller.ask<Call[]>('connect.call', 'search_read', { domain, fields: FIELDS, limit: 1_000 })

function dayIn(zone: string, utc: string): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short' }).format(
    new Date(`${utc.replace(' ', 'T')}Z`),
  )
}

/** What the test itself makes of the rows. */
function reckon(rows: readonly Call[]) {
  const known = rows.map(({ duration }) => duration).filter((each) => each !== null)
  const sum = known.reduce((total, each) => total + each, 0)
  if (known.length === 0) return { count: rows.length, sum, avg: null, min: null, max: null }
  const avg = Math.round((sum / known.length) * 1000)
  return { count: rows.length, sum, avg, min: Math.min(...known), max: Math.max(...known) }
}

function reckonedOf({ __count: count, ...values }: Group) {
  const avg = values['duration:avg']
  return {
    count,
    sum: values['duration:sum'],
    avg: avg === null ? null : Math.round(Number(avg) * 1000),
    min: values['duration:min'],
    max: values['duration:max'],
  }
}

describe('read_group', () => {
  it('counts and adds up what the same person reads row by row', async () => {
    const domains = fc.constantFrom<unknown[]>(
      [],
      [['direction', '=', 'incoming']],
      [['duration', '>', 40]],
      [['status', '=', null]],
      [['id', '=', 0]],
    )
    const keys = fc.uniqueArray(fc.constantFrom('status', 'direction', 'answered_user'), { maxLength: 3 })
    await fc.assert(
      fc.asyncProperty(domains, keys, fc.boolean(), async (domain, by, isAdmin) => {
        const caller = isAdmin ? app.admin : anna
        const measures = ['duration:sum', 'duration:avg', 'duration:min', 'duration:max']
        const groups = await caller.ask<Group[]>('connect.call', 'read_group', { domain, by, measures })
        const keyOf = (row: object) => JSON.stringify(by.map((name) => (row as Record<string, unknown>)[name]))
        const expected = Map.groupBy(await readAll(caller, domain), keyOf)
        if (by.length === 0 && expected.size === 0) expected.set('[]', [])
        const shown = new Map(groups.map((group) => [keyOf(group), reckonedOf(group)]))
        expect(shown).toEqual(new Map([...expected].map(([key, rows]) => [key, reckon(rows)])))
      }),
      { numRuns: RUNS },
    )
  })

  it('a day begins where the reader is, and an hour that comes twice is two', async () => {
    const args = { tz: 'Europe/Zurich' }
    const days = await app.admin.ask<Group[]>('connect.call', 'read_group', { ...args, by: ['create_date:day'] })
    const rows = await readAll(app.admin, [])
    const expected = Map.groupBy(rows, ({ create_date }) => dayIn('Europe/Zurich', create_date))
    const counted = days.map((day) => [dayIn('Europe/Zurich', String(day['create_date:day'])), day.__count])
    expect(counted).toEqual([...expected].map(([day, each]) => [day, each.length]).toSorted())
    expect(days.map((day) => day['create_date:day'])).toContain('2026-10-24 22:00:00')
    expect(days.map((day) => day['create_date:day'])).toContain('2026-10-25 23:00:00')
    const hours = await app.admin.ask<Group[]>('connect.call', 'read_group', { ...args, by: ['create_date:hour'] })
    const twice = hours.filter((hour) => /25 0[01]:00:00$/.test(String(hour['create_date:hour'])))
    expect(twice).toHaveLength(2)
  })

  it('shows the first and the last moment, and the largest groups first', async () => {
    const groups = await app.admin.ask<Group[]>('connect.call', 'read_group', {
      by: ['answered_user'],
      measures: ['create_date:min', 'create_date:max'],
      order: '__count desc, answered_user',
      limit: 2,
    })
    expect(groups).toHaveLength(2)
    expect(groups[0]?.__count).toBe(134)
    expect(groups[0]).toMatchObject({
      answered_user: [other.userId, expect.any(String)],
      'create_date:min': '2026-10-24 20:07:00',
      'create_date:max': '2026-10-26 18:40:00',
    })
  })

  it('a search of many rows in groups counts all of them', async () => {
    const asked = { by: ['email'], domain: DEAR }
    const groups = await anna.ask<Group[]>('res.partner', 'read_group', asked)
    const expected = await app.db.query(
      sql`select email, count(*)::int as __count from res_partner group by email order by email nulls last`,
    )
    expect(groups).toEqual(expected)
  })

  it('says which name cannot be grouped by or reckoned, and what can', async () => {
    const refusals: [string, object, string][] = [
      ['connect.call', { by: ['create_date'] }, '"create_date:hour"'],
      ['connect.call', { by: ['duration:day'] }, 'cannot be grouped by'],
      ['connect.call', { by: ['called_users'] }, 'cannot be grouped by or reckoned'],
      ['connect.call', { by: ['nothing'] }, 'nothing'],
      ['connect.call', { by: ['direction', 'direction'] }, 'names "direction" twice'],
      ['connect.call', { by: ['direction', 'status', 'answered_user', 'agent'] }, 'names at most 3 fields'],
      ['connect.call', { measures: ['status:sum'] }, 'cannot be reckoned'],
      ['connect.call', { measures: ['duration:median'] }, '"duration:sum"'],
      ['connect.call', { by: ['direction'], order: 'duration' }, '"__count"'],
      ['connect.call', { by: ['create_date:day'], tz: 'Mars/Olympus' }, 'no time zone'],
      ['connect.call', { by: ["x'; drop table connect_call"] }, 'is no field'],
    ]
    for (const [model, args, sentence] of refusals) {
      const answer = await app.admin.call(model, 'read_group', args)
      expect(answer.status, JSON.stringify(args)).toBe(422)
      expect((JSON.parse(answer.text) as { message: string }).message).toContain(sentence)
    }
  })

  it('reckons nothing that one may not read', async () => {
    expect((await anna.call('connect.settings', 'read_group', { by: ['auth_token'] })).status).toBe(403)
    const refused = await anna.call('connect.delivery', 'read_group', { by: ['verdict'] })
    expect(refused.status).toBe(403)
    const groups = await anna.ask<Group[]>('connect.call', 'read_group', { by: ['answered_user'] })
    expect(groups.map(({ answered_user }) => (answered_user as [number])[0])).toEqual([anna.userId])
  })

  it('more groups than one answer has are refused', async () => {
    const answer = await anna.call('res.partner', 'read_group', { by: ['name'] })
    expectRefused(answer, [
      'api-too-many-groups',
      422,
      'These are more than 5000 groups: narrow the domain, or group by less.',
    ])
  })
})
