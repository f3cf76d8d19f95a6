import { afterAll, beforeAll, expect, test } from 'vitest'
import { SyncApp } from './sync-app.ts'

let at: SyncApp

beforeAll(async () => {
  at = await SyncApp.start()
  await at.setUp()
})
afterAll(() => at.stop())

test('SYNC works through its steps in the fixed order and says what it did', async () => {
  const run = await at.run()
  expect(run).toMatchObject({ state: 'done', step: 'agents', errors: [], summary: 'Everything is in step.' })
  expect(Object.keys(run.counts)).toEqual(expect.arrayContaining(['voices', 'token', 'tools', 'agents']))
  expect(run.counts.tools).toMatchObject({ total: 12, created: 12 })
  expect(at.fake.requests()).toEqual([
    'PATCH /v1/convai/settings',
    'POST /v1/workspace/webhooks',
    'PATCH /v1/workspace/webhooks/webhook_1',
    'PATCH /v1/convai/settings',
    ...Array.from({ length: 12 }, () => 'POST /v1/convai/tools'),
  ])
})
