// How far a run is, step by step from its beginning, and how somebody ends it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../src/database/drizzle.ts'
import { withProgress } from '../../src/sync/sync-progress.ts'
import { type Caller, TestApp } from '../support/test-app.ts'

interface Run {
  state: string
  steps: { name: string; state: string; done: number; total: number | null }[]
  summary: string | null
  can_cancel: boolean
}

let app: TestApp
let admin: Caller

beforeAll(async () => {
  app = await TestApp.start()
  admin = await app.person(['connect.group_admin'])
})
afterAll(() => app.stop())

async function aRun(state = 'queued'): Promise<number> {
  const [run] = await app.db.query<{ id: number }>(
    sql`insert into connect_sync_run (area, kind, state, can_cancel, counts, errors, differences)
        values ('voiceai', 'prompts', ${state}, true, '{}'::jsonb, '[]'::jsonb, '[]'::jsonb) returning id`,
  )
  return run?.id ?? 0
}

async function read(id: number): Promise<Run> {
  const fields = ['state', 'steps', 'summary', 'can_cancel']
  const [run] = await admin.ask<Run[]>('connect.sync_run', 'read', { ids: [id], fields })
  if (run === undefined) throw new Error('there is no such run')
  return run
}

const cancel = (id: number) => admin.call('connect.sync_run', 'cancel', { ids: [id] })

describe('a run', () => {
  it('a run says its steps from the beginning, and counts what it has done of each', async () => {
    const id = await aRun()
    await withProgress(app.db, id, async (progress) => {
      progress.plan(['voices', 'tools'])
      await progress.step('voices')
      expect((await read(id)).steps).toEqual([
        { name: 'voices', state: 'running', done: 0, total: null },
        { name: 'tools', state: 'waiting', done: 0, total: null },
      ])
      progress.endStep(true)
      await progress.step('tools')
      await progress.expect(2)
      progress.countOne()
      await progress.count('updated')
      expect((await read(id)).steps).toEqual([
        { name: 'voices', state: 'done', done: 0, total: null },
        { name: 'tools', state: 'running', done: 1, total: 2 },
      ])
      progress.countOne()
      await progress.problem({ name: 'get_meetings', message: 'The platform refused it.' })
      progress.endStep(true)
      await progress.end('Not in sync: get_meetings.')
    })
    const { state, steps } = await read(id)
    expect([state, steps.map((step) => [step.state, step.done])]).toEqual([
      'failed',
      [
        ['done', 0],
        ['failed', 2],
      ],
    ])
  })

  it('a run that waits is cancelled at once, and nobody begins it', async () => {
    const id = await aRun()
    expect((await cancel(id)).status).toBe(200)
    expect(await read(id)).toMatchObject({ state: 'failed', summary: expect.stringContaining('It was cancelled.') })
    let isBegun = false
    await withProgress(app.db, id, async () => {
      isBegun = true
    })
    expect(isBegun).toBe(false)
    expect((await cancel(id)).status).toBe(409)
  })

  it('a run that is cancelled learns it with what it saves next', async () => {
    const id = await aRun()
    await withProgress(app.db, id, async (progress) => {
      progress.plan(['tools', 'agents'])
      await progress.step('tools')
      expect((await cancel(id)).status).toBe(200)
      await progress.count('updated')
      expect(progress.isCancelled).toBe(true)
      await progress.cancel()
    })
    expect(await read(id)).toMatchObject({
      state: 'failed',
      steps: [{ name: 'tools', state: 'failed' }, { state: 'waiting' }],
      summary: expect.stringContaining('It was cancelled.'),
    })
  })

  it('a run is not cancelled any more once the token changes, and a token does not change once it is cancelled', async () => {
    const [changed, cancelled] = [await aRun(), await aRun('failed')]
    await withProgress(app.db, changed, async (progress) => {
      progress.plan(['token'])
      await progress.step('token', { isPointOfNoReturn: true })
      expect((await cancel(changed)).status).toBe(409)
      expect((await read(changed)).can_cancel).toBe(false)
      await progress.end('Everything is in sync.')
    })
    await app.db.query(sql`update connect_sync_run set state = 'queued' where id = ${cancelled}::bigint`)
    await withProgress(app.db, cancelled, async (progress) => {
      progress.plan(['token'])
      expect((await cancel(cancelled)).status).toBe(200)
      await progress.step('token', { isPointOfNoReturn: true })
      expect([progress.isCancelled, (await read(cancelled)).steps[0]?.state]).not.toEqual([true, 'running'])
      await progress.cancel()
    })
  })

  it('a run is cancelled by administrators only', async () => {
    const id = await aRun('running')
    const other = await app.person(['connect.group_user'])
    expect((await other.call('connect.sync_run', 'cancel', { ids: [id] })).status).toBe(403)
    await app.db.query(sql`update connect_sync_run set state = 'failed' where id = ${id}::bigint`)
  })
})
