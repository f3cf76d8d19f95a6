import { expect, test } from 'vitest'
import { type Connection, ServiceRefusal } from '../../../src/app/own-api/connection.ts'
import { type Run, waitForRun } from '../../../src/app/own-api/sync-runs.ts'

const AWAY = new ServiceRefusal(503, 'The database is unavailable at the moment; try again.')

/** A service that gives one answer after the other, and the last one from then on. */
function serviceWith(...answers: (Partial<Run> | Error)[]): Connection {
  return {
    address: undefined,
    async call<Result>() {
      const answer = answers.length > 1 ? answers.shift() : answers[0]
      if (answer instanceof Error) throw answer
      return [{ step: null, ...answer }] as Result
    },
    async close() {},
  }
}

test.each([
  ['says that it is unavailable', AWAY],
  ['does not listen', new TypeError('fetch failed')],
])('waiting for a run goes on while the service %s', async (_what, failure) => {
  const steps: string[] = []
  const service = serviceWith({ state: 'running', step: 'tools' }, failure, { state: 'done', step: 'agents' })
  expect(await waitForRun(service, 7, { tell: (step) => steps.push(step) })).toMatchObject({ state: 'done' })
  expect(steps).toEqual(['running: tools', 'done: agents'])
})

test('waiting for a run ends with its deadline when the service stays away', async () => {
  await expect(waitForRun(serviceWith(AWAY), 7, { timeoutMs: -1 })).rejects.toBe(AWAY)
})

test('waiting for a run ends at a refusal', async () => {
  const refused = new ServiceRefusal(403, 'No.')
  await expect(waitForRun(serviceWith({ state: 'running' }, refused), 7, {})).rejects.toBe(refused)
})
