// What became of the deliveries of a time, and how fast tools answered: counted for administrators, within limits.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { sql } from '../../../src/database/drizzle.ts'
import { type Caller, TestApp } from '../../support/test-app.ts'

interface Figures {
  total: number
  handled: number
  refused: number
  rejected: number
  failed: number
}
interface Stats extends Figures {
  p50_ms: number | null
  p95_ms: number | null
  is_whole: boolean
  parts: ({ at: string } & Figures)[]
}
interface ToolFigures {
  id: number
  name: string
  calls: number
  errors: number
  p50_ms: number | null
  p95_ms: number | null
  budget_ms: number | null
}

const TOOL = 'helpdesk_create_ticket'
const DAY = { from: '2026-11-22 00:00:00', to: '2026-11-23 00:00:00' }

let app: TestApp
let admin: Caller

beforeAll(async () => {
  app = await TestApp.start()
  admin = await app.person(['connect.group_admin'])
})
afterAll(() => app.stop())
beforeEach(async () => {
  await app.app.deliveries.drained()
  await app.db.query(sql`delete from connect_delivery`)
})

/** So many deliveries from the moment on, a second apart; the first took `ms` and each one more than the one before. */
async function log(
  at: string,
  {
    count = 1,
    verdict = 'handled',
    tool = null,
    ms = 1,
  }: { count?: number; verdict?: string; tool?: string | null; ms?: number } = {},
): Promise<void> {
  await app.db.query(
    sql`insert into connect_delivery (area, route, verdict, tool, ms, budget_ms, received_at, create_date, write_date)
        select 'telco', '/x', ${verdict}, ${tool}::text, ${ms}::int + n, 20000,
          ${at}::timestamp + make_interval(secs => n), now(), now()
        from generate_series(0, ${count}::int - 1) n`,
  )
}

const stats = (args: object = {}) => admin.ask<Stats>('connect.delivery', 'stats', { ...DAY, by: 'hour', ...args })
const ofTools = (args: object = {}) =>
  admin.ask<ToolFigures[]>('connect.voiceai_agent_tool', 'stats', { ...DAY, ...args })

it('deliveries are counted by verdict, whole and by the hour', async () => {
  await log('2026-11-22 09:10:00', { count: 3 })
  await log('2026-11-22 10:59:00', { verdict: 'rejected', ms: 10 })
  await log('2026-11-22 10:00:00', { verdict: 'failed', ms: 30 })
  await log('2026-11-22 23:59:59.5', { verdict: 'refused', ms: 3 })
  const none = { handled: 0, refused: 0, rejected: 0, failed: 0 }
  expect(await stats()).toEqual({
    total: 6,
    handled: 3,
    refused: 1,
    rejected: 1,
    failed: 1,
    p50_ms: 3,
    p95_ms: 25,
    is_whole: true,
    parts: [
      { ...none, at: '2026-11-22 09:00:00', total: 3, handled: 3 },
      { ...none, at: '2026-11-22 10:00:00', total: 2, rejected: 1, failed: 1 },
      { ...none, at: '2026-11-22 23:00:00', total: 1, refused: 1 },
    ],
  })
})

it('the first moment counts and the last one does not', async () => {
  await log('2026-11-22 00:00:00')
  await log('2026-11-23 00:00:00')
  await log('2026-11-21 23:59:59')
  expect(await stats({ by: 'minute' })).toMatchObject({ total: 1, parts: [{ at: '2026-11-22 00:00:00', total: 1 }] })
})

it('a time without deliveries has no percentiles', async () => {
  expect(await stats()).toMatchObject({ total: 0, p50_ms: null, p95_ms: null, is_whole: true, parts: [] })
})

it('figures of very many deliveries count the newest, and say so', async () => {
  await log('2026-11-22 08:00:00', { verdict: 'failed' })
  await log('2026-11-22 09:00:00', { count: 20_000 })
  expect(await stats()).toMatchObject({ total: 20_000, handled: 20_000, failed: 0, is_whole: false })
})

it.each([
  [{ from: '2026-11-22 00:00:00', to: '2026-11-22 00:00:00' }],
  [{ from: '2026-01-01 00:00:00', to: '2026-11-22 00:00:00' }],
  [{ from: 'yesterday' }],
  [{ by: 'minute', to: '2026-11-24 00:00:00' }],
  [{ by: 'second' }],
])('the figures of %o are refused', async (args) => {
  const answer = await admin.call('connect.delivery', 'stats', { ...DAY, by: 'hour', ...args })
  expect(answer.status).toBeGreaterThanOrEqual(400)
  expect(answer.status).toBeLessThan(500)
})

it('tools are counted with their percentiles and errors, by name', async () => {
  await log('2026-11-22 09:00:00', { count: 100, tool: TOOL, ms: 1 })
  await log('2026-11-22 10:00:00', { tool: TOOL, verdict: 'refused', ms: 50 })
  await log('2026-11-22 10:00:00', { tool: 'not_one_of_ours' })
  await log('2026-11-22 10:00:00')
  const [tool, ...others] = await ofTools()
  expect(others).toEqual([])
  expect(tool).toMatchObject({ name: TOOL, calls: 101, errors: 1, p50_ms: 50, p95_ms: 95, budget_ms: 20_000 })
  expect(await ofTools({ ids: [tool?.id] })).toEqual([tool])
})

it('a tool that is asked for by id is there without calls', async () => {
  const [id] = await admin.ask<number[]>('connect.voiceai_agent_tool', 'search', { domain: [['name', '=', TOOL]] })
  expect(await ofTools({ ids: [id] })).toEqual([
    { id, name: TOOL, calls: 0, errors: 0, p50_ms: null, p95_ms: null, budget_ms: null },
  ])
})

it('nobody but administrators is told', async () => {
  const user = await app.person(['connect.group_user'])
  expect((await user.call('connect.delivery', 'stats', { ...DAY, by: 'hour' })).status).toBe(403)
  expect((await user.call('connect.voiceai_agent_tool', 'stats', DAY)).status).toBe(403)
})
