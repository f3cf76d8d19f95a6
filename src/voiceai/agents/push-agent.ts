import { sql } from '../../database/drizzle.ts'
import type { StepContext } from '../../sync/provider.ts'
import { createOrFind, pushRecord, savePushed, unlessMissing } from '../../sync/push.ts'
import { workOnEach } from '../../sync/work-on-each.ts'
import { parsePublishedTime } from '../../time.ts'
import type { AgentConfig } from '../client/sdk-agents.ts'
import { toolResource } from '../tools/tool-resource.ts'
import { type Push, type PushOutcome, VOICEAI, type VoiceaiParts } from '../workspace/voiceai.ts'
import { agentModel } from './agent.ts'
import { type AgentPartOptions, announceAgents, listAgentsTransferringTo, pushNamers } from './agent-changes.ts'
import { agentConfig, pushedAgent } from './agent-payload.ts'
import { type AgentRow, findAgent, listAgentNames } from './agent-rows.ts'
import { pushNumber } from './push-number.ts'

const MODEL = agentModel.name
const MS_PER_SECOND = 1_000
/** How far the platform's clock may be behind ours. */
const CLOCK_SECONDS = 60

interface AgentPushOptions extends AgentPartOptions {
  /** Also what we believe to be in sync. */
  isForced?: boolean
  /** Also when the agent has a virtual number already. */
  pushesNumber?: boolean
  /** The agent had a limit of tokens, and the platform keeps what it is not told of. */
  endsTokenLimit?: boolean | undefined
}

/** Pushes every agent; new ones first, so that the rules by which agents hand over can name them. */
export async function syncAgents(parts: VoiceaiParts, context: StepContext): Promise<void> {
  const agents = await listAgentNames(parts.db)
  await context.progress.count('total', agents.length)
  const each = { model: MODEL, retry: ({ id }: { id: number }): Push => ({ kind: 'agent', id }) }
  const failed = await workOnEach(context, {
    ...each,
    targets: agents.filter((agent) => agent.agent_uid === null),
    work: ({ id }) => pushAgent(parts, id, { isForced: true, leavesAgents: true }),
  })
  await workOnEach(context, {
    ...each,
    targets: agents.filter((agent) => !failed.has(agent)),
    work: ({ id, agent_uid: uid }) => pushAgent(parts, id, { isForced: true, pushesNumber: uid !== null }),
  })
}

/**
 * Brings the platform's agent in sync with ours: first the tools it needs and the platform does not know, then the agent,
 * then the number by which calls over SIP reach it. Throws a VoiceaiError, and saves it.
 */
export function pushAgent(
  parts: VoiceaiParts,
  id: number,
  { isForced = false, pushesNumber = false, leavesAgents = false, endsTokenLimit = false }: AgentPushOptions = {},
): Promise<PushOutcome> {
  return pushRecord(parts, VOICEAI, {
    model: MODEL,
    what: 'agent',
    id,
    async find() {
      const agent = await findAgent(parts.db, id)
      return agent?.synced === true && !isForced && !endsTokenLimit ? undefined : agent
    },
    async push(agent) {
      const { outcome, isSaved } = await push(parts, await withItsTools(parts, agent), { leavesAgents, endsTokenLimit })
      if (isSaved && (pushesNumber || outcome === 'created' || agent.voiceai_virtual_number_uid === null)) {
        await pushNumber(parts, id)
      }
      return outcome
    },
  })
}

/** Removes an agent and its number at the platform, where they may be gone already. */
export async function removeAgent(
  { client }: VoiceaiParts,
  { agentUid, numberUid }: { agentUid: string | null; numberUid: string | null },
): Promise<void> {
  if (numberUid !== null) await unlessMissing(VOICEAI, () => client.deleteNumber(numberUid))
  if (agentUid !== null) await unlessMissing(VOICEAI, () => client.deleteAgent(agentUid))
}

async function withItsTools(parts: VoiceaiParts, agent: AgentRow): Promise<AgentRow> {
  const unknown = agent.tools.filter((tool) => tool.tool_type !== 'system' && tool.tool_id === null)
  if (unknown.length === 0) return agent
  for (const { id } of unknown) await toolResource.push(parts, id)
  return (await findAgent(parts.db, agent.id)) ?? agent
}

async function push(
  parts: VoiceaiParts,
  agent: AgentRow,
  { leavesAgents, endsTokenLimit }: { leavesAgents: boolean; endsTokenLimit: boolean },
): Promise<{ outcome: PushOutcome; isSaved: boolean }> {
  const config = agentConfig(agent, { endsTokenLimit })
  const pushed = JSON.stringify(pushedAgent(agent, config))
  const { agent_uid: known } = agent
  if (known !== null && (await unlessMissing(VOICEAI, () => parts.client.updateAgent(known, config)))) {
    return { outcome: 'updated', isSaved: await save(parts, agent, { agentUid: known, leavesAgents, pushed }) }
  }
  const agentUid = await create(parts, agent, config)
  return { outcome: 'created', isSaved: await save(parts, agent, { agentUid, leavesAgents, pushed }) }
}

/**
 * Creating is never repeated blindly: after an unclear answer, or an attempt whose process was killed, a new agent that
 * nobody knows, of the name that was asked for then, is the one. It may have been renamed here since.
 */
async function create(parts: VoiceaiParts, agent: AgentRow, config: AgentConfig): Promise<string> {
  const before = agent.create_asked_at === null ? undefined : parsePublishedTime(agent.create_asked_at)
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
  return createOrFind(
    VOICEAI,
    () => parts.client.createAgent(config),
    () => adopt(parts, config, { name: config.name, since: asked }),
  )
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
async function save(
  parts: VoiceaiParts,
  agent: AgentRow,
  { agentUid, leavesAgents, pushed }: { agentUid: string; leavesAgents: boolean; pushed: string },
): Promise<boolean> {
  const { id, voiceai_virtual_number_uid: numberUid } = agent
  const isNew = agentUid !== agent.agent_uid
  const isSaved = await savePushed(parts, {
    model: MODEL,
    id,
    // What was changed while it was being pushed is pushed again by the job of that change.
    set: sql`agent_uid = ${agentUid}, create_asked_at = null,
      voiceai_virtual_number_uid = ${isNew ? null : numberUid}, pushed = ${pushed}::jsonb,
      synced = (write_date = ${agent.write_date}::timestamp)`,
    isNotified: true,
    async andThen(env) {
      await announceAgents(env)
      const namers = isNew ? await listAgentsTransferringTo(env, [id]) : []
      await pushNamers(env, namers, { leavesAgents })
    },
    remove: () => removeAgent(parts, { agentUid, numberUid: null }),
  })
  // The number of an agent that was gone leads nowhere.
  if (isSaved && isNew && numberUid !== null) {
    await parts.client.deleteNumber(numberUid).catch((error: unknown) => {
      parts.platform.log.warn({ err: error, agent: id }, 'the number of a lost agent could not be removed')
    })
  }
  return isSaved
}
