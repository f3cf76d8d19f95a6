import { sql } from '../../database/drizzle.ts'
import { withLease } from '../../jobs/lease.ts'
import { notifyChanged } from '../../platform/records/notify-changed.ts'
import { savingFailure } from '../../sync/push-failure.ts'
import { freshSettings, inServiceEnv } from '../../sync/service-env.ts'
import { parseWire } from '../../time.ts'
import { VoiceaiError } from '../client/provider-error.ts'
import type { AgentConfig } from '../client/voiceai-client.ts'
import { type PushOptions, type PushOutcome, pushTool } from '../tools/push-tool.ts'
import { ignoreMissing, unlessMissing } from '../workspace/errors.ts'
import { VOICEAI } from '../workspace/push-request.ts'
import { requireReady } from '../workspace/readiness.ts'
import type { VoiceaiParts } from '../workspace/voiceai-parts.ts'
import { announceAgents, listAgentsTransferringTo, markAgentsOutdated, pushAgents } from './agent-changes.ts'
import { agentConfig, pushedAgent } from './agent-payload.ts'
import { type AgentRow, findAgent } from './agent-rows.ts'
import { pushNumber } from './push-number.ts'

const MODEL = 'connect.voiceai_agent'
const MS_PER_SECOND = 1_000
/** How far the platform's clock may be behind ours. */
const CLOCK_SECONDS = 60

interface AgentPushOptions extends PushOptions {
  /** Also when the agent has a virtual number already. */
  pushesNumber?: boolean
  /** The agent had a limit of tokens, and the platform keeps what it is not told of. */
  endsTokenLimit?: boolean
}

/**
 * Brings the platform's agent in sync with ours: first the tools it needs and the platform does not know, then the agent,
 * then the number by which calls over SIP reach it. Throws a VoiceaiError, and saves it.
 */
export async function pushAgent(
  parts: VoiceaiParts,
  id: number,
  { isForced = false, pushesNumber = false, leavesAgents = false, endsTokenLimit = false }: AgentPushOptions = {},
): Promise<PushOutcome> {
  return withLease(parts.db, `voiceai agent ${id}`, async () => {
    const agent = await findAgent(parts.db, id)
    if (agent === undefined || (agent.synced === true && !isForced && !endsTokenLimit)) return 'unchanged'
    return savingFailure(parts, VOICEAI, { model: MODEL, id }, async () => {
      const { outcome, isSaved } = await push(parts, await withItsTools(parts, agent), { leavesAgents, endsTokenLimit })
      if (isSaved && (pushesNumber || outcome === 'created' || agent.voiceai_virtual_number_uid === null)) {
        await pushNumber(parts, id)
      }
      return outcome
    })
  })
}

/** Removes an agent and its number at the platform, where they may be gone already. */
export async function removeAgent(
  { client }: VoiceaiParts,
  { agentUid, numberUid }: { agentUid: string | null; numberUid: string | null },
): Promise<void> {
  if (numberUid !== null) await client.deleteNumber(numberUid).catch(ignoreMissing)
  if (agentUid !== null) await client.deleteAgent(agentUid).catch(ignoreMissing)
}

async function withItsTools(parts: VoiceaiParts, agent: AgentRow): Promise<AgentRow> {
  const unknown = agent.tools.filter((tool) => tool.tool_type !== 'system' && tool.tool_id === null)
  if (unknown.length === 0) return agent
  for (const { id } of unknown) await pushTool(parts, id)
  return (await findAgent(parts.db, agent.id)) ?? agent
}

async function push(
  parts: VoiceaiParts,
  agent: AgentRow,
  { leavesAgents, endsTokenLimit }: { leavesAgents: boolean; endsTokenLimit: boolean },
): Promise<{ outcome: PushOutcome; isSaved: boolean }> {
  requireReady(await freshSettings(parts.platform))
  const config = agentConfig(agent, { endsTokenLimit })
  const pushed = JSON.stringify(pushedAgent(agent, config))
  const { agent_uid: known } = agent
  if (known !== null && (await unlessMissing(() => parts.client.updateAgent(known, config)))) {
    return { outcome: 'updated', isSaved: await savePushed(parts, agent, { agentUid: known, leavesAgents, pushed }) }
  }
  const agentUid = await create(parts, agent, config)
  return { outcome: 'created', isSaved: await savePushed(parts, agent, { agentUid, leavesAgents, pushed }) }
}

/**
 * Creating is never repeated blindly: after an unclear answer, or an attempt whose process was killed, a new agent that
 * nobody knows, of the name that was asked for then, is the one. It may have been renamed here since.
 */
async function create(parts: VoiceaiParts, agent: AgentRow, config: AgentConfig): Promise<string> {
  const before = agent.create_asked_at === null ? undefined : parseWire(agent.create_asked_at)
  if (before !== undefined) {
    const made = await adopt(parts, config, { name: agent.create_asked_name ?? config.name, since: before })
    if (made !== undefined) return made
  }
  const asked = before ?? new Date()
  // The first moment stays: whatever was made since then may be ours.
  await parts.db.query(
    sql`update connect_voiceai_agent set create_asked_at = coalesce(create_asked_at, now() at time zone 'utc'),
          create_asked_name = ${config.name} where id = ${agent.id}::bigint`,
  )
  try {
    return await parts.client.createAgent(config)
  } catch (error) {
    const isUnclear = error instanceof VoiceaiError && error.kind === 'unavailable'
    const made = isUnclear ? await adopt(parts, config, { name: config.name, since: asked }) : undefined
    if (made === undefined) throw error
    return made
  }
}

/** The platform's agent of that name, made since then, which no record of ours is; brought in sync. */
async function adopt(
  { client, db }: VoiceaiParts,
  config: AgentConfig,
  asked: { name: string | undefined; since: Date },
): Promise<string | undefined> {
  const sinceSeconds = asked.since.getTime() / MS_PER_SECOND - CLOCK_SECONDS
  const known = await db.query<{ agent_uid: string | null }>(sql`select agent_uid from connect_voiceai_agent`)
  const made = (await client.listAgents()).find(
    ({ id, name, createdSeconds }) =>
      name === asked.name && createdSeconds >= sinceSeconds && !known.some((each) => each.agent_uid === id),
  )
  if (made === undefined) return undefined
  await client.updateAgent(made.id, config)
  return made.id
}

/** False when the agent was removed here meanwhile; then it is removed there as well. */
async function savePushed(
  parts: VoiceaiParts,
  agent: AgentRow,
  { agentUid, leavesAgents, pushed }: { agentUid: string; leavesAgents: boolean; pushed: string },
): Promise<boolean> {
  const isNew = agentUid !== agent.agent_uid
  const isSaved = await inServiceEnv(parts, async (env) => {
    // What was changed while it was being pushed is pushed again by the job of that change.
    const rows = await env.db.query(
      sql`update connect_voiceai_agent set agent_uid = ${agentUid}, sync_error = null, create_asked_at = null,
            voiceai_virtual_number_uid = ${isNew ? null : agent.voiceai_virtual_number_uid},
            pushed = ${pushed}::jsonb, synced = (write_date = ${agent.write_date}::timestamp)
          where id = ${agent.id}::bigint returning id`,
    )
    await announceAgents(env)
    const namers = isNew ? await listAgentsTransferringTo(env, [agent.id]) : []
    await (leavesAgents ? markAgentsOutdated(env, namers) : pushAgents(env, namers))
    await notifyChanged(env, MODEL, [agent.id])
    return rows.length > 0
  })
  if (!isSaved) await removeAgent(parts, { agentUid, numberUid: null })
  // The number of an agent that was gone leads nowhere.
  else if (isNew && agent.voiceai_virtual_number_uid !== null) {
    await parts.client.deleteNumber(agent.voiceai_virtual_number_uid).catch((error: unknown) => {
      parts.platform.log.warn({ err: error, agent: agent.id }, 'the number of a lost agent could not be removed')
    })
  }
  return isSaved
}
