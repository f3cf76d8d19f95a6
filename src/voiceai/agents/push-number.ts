import { sql } from '../../database/drizzle.ts'
import { withLease } from '../../jobs/lease.ts'
import type { Difference } from '../../sync/provider.ts'
import { createOrFind, saveSyncError, unlessMissing } from '../../sync/push.ts'
import { freshSettings, inServiceEnv } from '../../sync/service-env.ts'
import type { NumberConfig } from '../client/sdk-agents.ts'
import type { VoiceaiClient } from '../client/sdk-client.ts'
import { requireReady } from '../workspace/readiness.ts'
import { VOICEAI, type VoiceaiParts } from '../workspace/voiceai.ts'
import { pushAgents } from './agent-changes.ts'
import { numberDifferences } from './agent-problems.ts'
import { type AgentRow, findAgent, listAgentNames } from './agent-rows.ts'
import { listAddresses } from './allowed-addresses.ts'

const MODEL = 'connect.voiceai_agent'

/** Brings the entity under which calls over SIP reach the agent into sync with ours. Throws a VoiceaiError. */
export async function pushNumber(parts: VoiceaiParts, agentId: number): Promise<void> {
  await withLease(parts.db, `voiceai number ${agentId}`, async () => {
    const agent = await findAgent(parts.db, agentId)
    if (agent === undefined || agent.agent_uid === null) return
    requireReady(await freshSettings(parts.platform))
    const config = numberConfig(agent, agent.agent_uid)
    const known = agent.voiceai_virtual_number_uid
    if (known !== null && (await unlessMissing(VOICEAI, () => parts.client.updateNumber(known, config)))) return
    const numberId = await createOrAdopt(parts.client, config)
    await parts.db.query(
      sql`update connect_voiceai_agent set voiceai_virtual_number_uid = ${numberId}
          where id = ${agentId}::bigint and agent_uid = ${agent.agent_uid}`,
    )
  })
}

/** The same by itself, after a change of the addresses that may reach the agent: what the platform refuses stands with the agent. */
export async function pushChangedNumber(parts: VoiceaiParts, agentId: number): Promise<void> {
  try {
    await pushNumber(parts, agentId)
  } catch (error) {
    await saveSyncError(parts, { model: MODEL, id: agentId }, VOICEAI.errors.sentenceOf(error))
    throw error
  }
  const [failed] = await parts.db.query(
    sql`select 1 from connect_voiceai_agent where id = ${agentId}::bigint and synced is false and sync_error is not null`,
  )
  // What the agent is behind with, if anything, only a push of it tells.
  if (failed !== undefined) await inServiceEnv(parts, (env) => pushAgents(env, [agentId]))
}

/** Compares the numbers of all agents. A number has its errors with its agent, so it is a part of it and no resource. */
export async function compareNumbers({ client, db }: VoiceaiParts): Promise<Difference[]> {
  const agents = await listAgentNames(db)
  const hasNumbers = agents.some((agent) => agent.voiceai_virtual_number_uid !== null)
  const numbers = hasNumbers ? await client.listNumbers() : []
  return numberDifferences(agents, numbers)
}

function numberConfig(agent: AgentRow, agentUid: string): NumberConfig {
  const allowedAddresses = listAddresses(agent.voiceai_inbound_allowed_ips ?? '')
  return { number: agentUid, label: agent.name, agentUid, allowedAddresses }
}

/** A number is unique at the platform: one that is there already, or was made by an unclear attempt, is taken over. */
async function createOrAdopt(client: VoiceaiClient, config: NumberConfig): Promise<string> {
  const findMade = async () => (await client.listNumbers()).find((each) => each.number === config.number)?.id
  const numberId = await createOrFind(VOICEAI, () => client.createNumber(config), findMade)
  // Not every kind of number takes its agent when it is made.
  await client.updateNumber(numberId, config)
  return numberId
}
