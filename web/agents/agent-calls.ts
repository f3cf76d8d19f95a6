import { useQuery } from '@tanstack/react-query'
import { callByName } from '../data/client.ts'
import { asks, keyOf } from '../data/keys.ts'
import type { Link } from '../data/models.gen.ts'
import { readsAll } from '../data/reads-all.ts'
import type { Me } from '../data/session.ts'
import { wireInstant } from '../words/formats.ts'
import type { Keys } from '../words/keys.ts'

const CALL = 'connect.call'
const DAYS = 30
const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
/** What the platform says of a conversation that reached its goal, and of one that did not. */
const SOLVED = 'success'
const NOT_SOLVED = 'failure'

interface AgentCalls {
  calls: number
  /** Conversations that the platform has judged, and those that it calls solved. */
  rated: number
  solved: number
  last: string
}

interface Group {
  voiceai_agent: Link | null
  conversation_result: string | null
  'create_date:max': string
  __count: number
}

/** The calls of the last 30 days by agent, of those that one may read. */
export function useAgentCalls(): ReadonlyMap<number, AgentCalls> {
  // By the hour, so that one answer serves all who look.
  const from = wireInstant(new Date(Math.floor(Date.now() / HOUR_MS) * HOUR_MS - DAYS * DAY_MS))
  const { data } = useQuery(
    asks({
      queryKey: keyOf(CALL, 'of-agents', from),
      queryFn: async () =>
        byAgent(
          (await callByName(CALL, 'read_group', {
            domain: [
              ['voiceai_agent', '!=', null],
              ['create_date', '>=', from],
            ],
            by: ['voiceai_agent', 'conversation_result'],
            measures: ['create_date:max'],
          })) as Group[],
        ),
    }),
  )
  return data ?? new Map()
}

/** An agent may have had calls that are not shown to somebody who sees only their own. */
export function noCallsKey(me: Pick<Me, 'groups'>): Keys['agents'] {
  return readsAll(me, CALL) ? 'noCalls' : 'noCallsOfYours'
}

function byAgent(groups: readonly Group[]): ReadonlyMap<number, AgentCalls> {
  const calls = new Map<number, AgentCalls>()
  for (const { voiceai_agent: agent, conversation_result: result, ...group } of groups) {
    if (agent === null) continue
    const before = calls.get(agent[0]) ?? { calls: 0, rated: 0, solved: 0, last: '' }
    const { __count: count, 'create_date:max': last } = group
    calls.set(agent[0], {
      calls: before.calls + count,
      rated: before.rated + (result === SOLVED || result === NOT_SOLVED ? count : 0),
      solved: before.solved + (result === SOLVED ? count : 0),
      last: last > before.last ? last : before.last,
    })
  }
  return calls
}
