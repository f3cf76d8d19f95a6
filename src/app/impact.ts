import { Type } from 'typebox'
import { sql } from '../database/drizzle.ts'
import { countCallsWithAgents } from '../ledger/calls/calls-with-agents.ts'
import type { Env } from '../platform/access/env.ts'
import { GROUP } from '../platform/access/identity.ts'
import { method, type Values } from '../platform/model/model.ts'
import { EVERYWHERE } from '../telco/sync/buttons.ts'
import { telcoCarriers } from '../telco/sync/impact.ts'
import { pushesOnSave } from '../telco/sync/telco.ts'
import { voiceaiCarriers } from '../voiceai/workspace/impact.ts'

const Carriers = Type.Array(
  Type.Object({
    provider: Type.Union([Type.Literal('telco'), Type.Literal('voiceai')]),
    what: Type.String({ description: 'numbers, applications, domains, tools or webhooks.' }),
    count: Type.Integer(),
  }),
)

/** What a change of the settings would have pushed anew, what carries our address, and who would notice at this moment. */
export const impactMethod = method({
  label: 'Effects of a change',
  operation: 'read',
  groups: [GROUP.connectAdmin, GROUP.manager],
  args: Type.Object({ vals: Type.Optional(Type.Record(Type.String(), Type.Unknown())) }),
  reply: Type.Object({ pushes: Carriers, carriers: Carriers, calls_with_agents: Type.Integer() }),
  async run(env, _ids, { vals = {} }) {
    const changed = await changedAmong(env, vals)
    const telco = named('telco', await telcoCarriers(env))
    const voiceai = named('voiceai', await voiceaiCarriers(env))
    const reachesTelco = EVERYWHERE.some((name) => changed.has(name)) && (await pushesOnSave(env))
    const reachesTools = changed.has('api_url') || changed.has('voiceai_agent_token')
    return {
      pushes: [...(reachesTelco ? telco : []), ...(reachesTools ? voiceai : [])],
      carriers: [...telco, ...voiceai],
      calls_with_agents: await countCallsWithAgents(env.db),
    }
  },
})

function named<Provider extends string>(provider: Provider, carriers: readonly { what: string; count: number }[]) {
  return carriers.map((each) => ({ provider, ...each }))
}

/** Which of the values are other ones than those stored; a secret that is given at all is another one. */
async function changedAmong({ db }: Env, given: Values): Promise<Set<string>> {
  const [stored] = await db.query<Record<string, unknown>>(
    sql`select api_url, api_fallback_url, telco_region, telco_edge from connect_settings order by id limit 1`,
  )
  const isNew = (name: string) => stored === undefined || !(name in stored) || (given[name] || null) !== stored[name]
  return new Set(Object.keys(given).filter(isNew))
}
