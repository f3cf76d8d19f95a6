import { type Static, Type } from 'typebox'
import { sql } from '../../database/drizzle.ts'
import { idList } from '../../database/ids.ts'
import { Refusal } from '../../errors.ts'
import { type Env, elevated } from '../access/env.ts'
import { GROUP } from '../access/identity.ts'
import { method } from '../model/model.ts'
import { records } from '../records/records.ts'

const Args = Type.Object({ given: Type.Boolean({ description: 'Can its people read and hear these calls?' }) })

/** Groups in which nobody works here, and the right itself. */
const NEVER: readonly string[] = [GROUP.public, GROUP.webhook, GROUP.agentCalls]

/**
 * `res.groups/agent_calls {ids, given}`: lets the people of a group read and hear the calls that only a voice agent answered, or
 * takes that right away again. Administrators may, though they keep no groups: they read every call themselves.
 */
export const agentCalls = method({
  label: 'Calls of agents',
  operation: 'read',
  groups: [GROUP.connectAdmin, GROUP.manager],
  args: Args,
  reply: Type.Literal(true),
  isAudited: true,
  run: giveAgentCalls,
})

async function giveAgentCalls(env: Env, ids: readonly number[], { given }: Static<typeof Args>): Promise<true> {
  if (ids.length === 0) throw new Refusal('refused', 'api-argument-ids-names-no-record')
  const groups = await env.db.query<{ id: number; external_id: string }>(
    sql`select id, external_id from res_groups where id in (${idList(ids)}) or external_id = ${GROUP.agentCalls}`,
  )
  const right = groups.find(({ external_id: name }) => name === GROUP.agentCalls)
  if (right === undefined) throw new Error(`the group ${GROUP.agentCalls} is missing`)
  const never = groups.find(({ id, external_id: name }) => ids.includes(id) && NEVER.includes(name))
  if (never !== undefined) {
    throw new Refusal('refused', 'group-never-calls-of-agents', { external_id: never.external_id })
  }
  // Elevated: only managers keep groups, and this is one link of them that administrators may set.
  await records(elevated(env), 'res.groups').write(ids, { implied_ids: [[given ? 4 : 3, right.id]] })
  return true
}
