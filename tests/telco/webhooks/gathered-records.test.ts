import { describe, expect, it } from 'vitest'
import type { Database } from '../../../src/database/database.ts'
import type { Env, OpenEnv } from '../../../src/platform/access/env.ts'
import { GatheredRecords } from '../../../src/telco/webhooks/gathered-records.ts'
import { parseRequest, type TelcoRequest } from '../../../src/telco/webhooks/request.ts'
import { rowAt, type TelcoRow } from '../../../src/telco/webhooks/table.ts'
import { aDialPlan } from '../../support/dial-plan.ts'

const BAD = 'CAbad'

/** A route that remembers which requests each transaction took; its transactions end when they are let go. */
function aRoute() {
  const batches: string[][] = []
  const held: (() => void)[] = []
  const row: TelcoRow = {
    ...rowAt('/callstatus'),
    async record(_env, requests) {
      const sids = requests.map(({ event }) => event?.sid ?? '')
      batches.push(sids)
      await new Promise<void>((resolve) => held.push(resolve))
      if (sids.includes(BAD)) throw new Error('a bad one')
      return sids.map((sid) => ({ callId: Number(sid.slice(2)) }))
    },
  }
  const letGo = async (): Promise<void> => {
    await expect.poll(() => held.length).toBeGreaterThan(0)
    held.shift()?.()
  }
  return { row, batches, letGo }
}

const open: OpenEnv = (work) => work({ settings: { isDebugging: false } } as Env)
const request = (sid: string): TelcoRequest => parseRequest({ form: { CallSid: sid }, query: '', params: {} })
const gathered = (kind: Database['kind'] = 'embedded') => new GatheredRecords(kind, async () => aDialPlan())

describe('requests that arrive while others are recorded', () => {
  it('requests that arrive meanwhile are recorded together, and each is answered with its own', async () => {
    const { row, batches, letGo } = aRoute()
    const records = gathered()
    const first = records.recordRequest(row, { open, request: request('CA1') })
    await expect.poll(() => batches.length).toBe(1)
    const others = ['CA2', 'CA3', 'CA4'].map((sid) => records.recordRequest(row, { open, request: request(sid) }))
    await letGo()
    expect(await first).toMatchObject({ recorded: { callId: 1 } })
    await letGo()
    expect((await Promise.all(others)).map(({ recorded }) => recorded.callId)).toEqual([2, 3, 4])
    expect(batches).toEqual([['CA1'], ['CA2', 'CA3', 'CA4']])
  })

  it('one that fails harms none of those it came with', async () => {
    const { row, batches, letGo } = aRoute()
    const records = gathered()
    const sent = ['CA1', BAD, 'CA3'].map((sid) => records.recordRequest(row, { open, request: request(sid) }))
    const ended = Promise.allSettled(sent)
    for (let batch = 0; batch < 5; batch += 1) await letGo()
    expect((await ended).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(batches).toEqual([['CA1', BAD, 'CA3'], ['CA1', BAD], ['CA1'], [BAD], ['CA3']])
  })

  it('nobody is answered before the transaction that has their request has ended', async () => {
    const { row, letGo } = aRoute()
    const answered: string[] = []
    const records = gathered()
    const one = records.recordRequest(row, { open, request: request('CA1') }).then(() => answered.push('CA1'))
    const two = records.recordRequest(row, { open, request: request('CA2') }).then(() => answered.push('CA2'))
    await new Promise((resolve) => setImmediate(resolve))
    expect(answered).toEqual([])
    await letGo()
    await Promise.all([one, two])
    expect(answered).toEqual(['CA1', 'CA2'])
  })

  it('a route that does not gather records each request in a transaction of its own', async () => {
    const { row, batches, letGo } = aRoute()
    const { gathers: _gathers, ...alone } = row
    const records = gathered()
    const sent = ['CA1', 'CA2'].map((sid) => records.recordRequest(alone, { open, request: request(sid) }))
    await letGo()
    await letGo()
    await Promise.all(sent)
    expect(batches).toEqual([['CA1'], ['CA2']])
  })
})
