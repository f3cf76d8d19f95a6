// Work on a stored delivery that ends the database with it.
import { expect, it } from 'vitest'
import { StoredWork } from '../../../src/deliveries/inbox/stored-work.ts'
import type { WorkParts } from '../../../src/deliveries/inbox/work-parts.ts'

it('a statement that takes too long counts as an attempt, also where the database has to start again first', async () => {
  const saved: object[] = []
  let refusals = 2
  const db = {
    kind: 'embedded',
    transaction: () => Promise.reject(Object.assign(new Error('stopped'), { code: '57014' })),
    run: (_statement: unknown, params: object) => {
      refusals -= 1
      if (refusals >= 0) return Promise.reject(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }))
      saved.push(params)
      return Promise.resolve([])
    },
  }
  const log = { warn: () => undefined, error: () => undefined }
  const platform = { log, clock: () => new Date('2026-11-02T09:00:00Z'), settings: { get: async () => ({}) } }
  const identities = { webhook: async () => ({}) }
  const work = new StoredWork({ db, platform, identities, consumers: {} } as unknown as WorkParts)
  expect(await work.workOn(7)).toEqual({ kind: 'failed' })
  expect(saved).toMatchObject([{ id: 7 }, { id: 7, state: 'failed', next: '2026-11-02 09:00:05.000' }])
})
