// The copy of the agents in memory: what was read last is what a call goes on with while the database does not answer.
import { expect, it } from 'vitest'
import type { Queryable } from '../../../src/database/database.ts'
import { PlatformAgents } from '../../../src/voiceai/agents/platform-agents.ts'

const agent = (uid: string) => ({
  agent_uid: uid,
  ...{ language: 'en', languages: [], synced: true, pushed: null, texts: [], pushed_variables: [], transfers: [] },
})

/** A database whose answers are given by the test, one for each question. */
function answering(): { db: Queryable; answer: (nth: number, ...uids: string[]) => void } {
  const asked: PromiseWithResolvers<unknown>[] = []
  const at = (nth: number): PromiseWithResolvers<unknown> => (asked[nth] ??= Promise.withResolvers())
  let next = 0
  const query = () => at(next++).promise
  return { db: { query } as unknown as Queryable, answer: (nth, ...uids) => at(nth).resolve(uids.map(agent)) }
}

it('agents that were read while a change was announced are known until the next reading, which is made at once', async () => {
  const { db, answer } = answering()
  const agents = new PlatformAgents(db)
  const first = agents.get()
  agents.changed()
  answer(0, 'agent_new')
  expect([...(await first).keys()]).toEqual(['agent_new'])
  expect([...agents.last.keys()]).toEqual(['agent_new'])
  answer(1, 'agent_new', 'agent_newer')
  expect([...(await agents.get()).keys()]).toEqual(['agent_new', 'agent_newer'])
  expect(agents.last.size).toBe(2)
})

it('an older reading that ends later does not take the place of a newer one', async () => {
  const { db, answer } = answering()
  const agents = new PlatformAgents(db)
  const older = agents.get()
  agents.changed()
  const newer = agents.get()
  answer(1, 'agent_now')
  await newer
  answer(0, 'agent_before')
  await older
  expect([...agents.last.keys()]).toEqual(['agent_now'])
})
