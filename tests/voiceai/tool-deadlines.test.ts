import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql } from '../../src/database/drizzle.ts'
import { MISSED } from '../../src/database/listener.ts'
import { createLog } from '../../src/log.ts'
import { ToolDeadlines } from '../../src/voiceai/tools/tool-deadlines.ts'
import { TestApp } from '../support/test-app.ts'

const MS_PER_SECOND = 1_000
let app: TestApp
beforeAll(async () => {
  app = await TestApp.start()
})
afterAll(() => app.stop())

it('time-outs are read again when a notification may have been missed', async () => {
  const deadlines = new ToolDeadlines(app.db, createLog('silent'))
  const path = '/connect_voiceai/get_meetings'
  await deadlines.changed(MISSED)
  const usual = deadlines.ofPath(path)
  await app.db.query(
    sql`update connect_voiceai_agent_tool set tool_id = 'tool_pushed', response_timeout_secs = 5
        where '/' || ltrim(path, '/') = ${path}`,
  )
  await deadlines.changed('{"model":"res.partner","ids":[1]}')
  expect(deadlines.ofPath(path)).toBe(usual)
  await deadlines.changed(MISSED)
  expect(deadlines.ofPath(path)).toBe(4 * MS_PER_SECOND)
})

it('a reading of the time-outs that began before a change does not take the place of a later one', async () => {
  const readings: PromiseWithResolvers<{ path: string; seconds: number }[]>[] = []
  const slow = {
    query: async () => {
      const reading = Promise.withResolvers<{ path: string; seconds: number }[]>()
      readings.push(reading)
      return reading.promise as Promise<never[]>
    },
  }
  const deadlines = new ToolDeadlines(slow, createLog('silent'))
  const first = deadlines.changed(MISSED)
  await expect.poll(() => readings.length).toBe(1)
  const second = deadlines.changed(MISSED)
  readings[1]?.resolve([{ path: 'now', seconds: 5 }])
  await expect.poll(() => deadlines.budgetOfPath('/now')).toBe(5 * MS_PER_SECOND)
  readings[0]?.resolve([{ path: 'before', seconds: 9 }])
  await Promise.all([first, second])
  expect([deadlines.budgetOfPath('/now'), deadlines.budgetOfPath('/before')]).toEqual([5 * MS_PER_SECOND, undefined])
})
