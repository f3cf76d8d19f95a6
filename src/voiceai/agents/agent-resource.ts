import { sql } from '../../database/drizzle.ts'
import { idList } from '../../database/ids.ts'
import type { Env } from '../../platform/access/env.ts'
import type { StepContext } from '../../sync/provider.ts'
import { ifPresent, unlessMissing } from '../../sync/push.ts'
import { Resource } from '../../sync/resource.ts'
import { parsePublishedTime, publishedTime } from '../../time.ts'
import type { AgentConfig } from '../client/sdk-agents.ts'
import { knowledgeModel } from '../knowledge/knowledge.ts'
import { agentsOfKnowledge, listAgentsKnowing } from '../knowledge/knowledge-changes.ts'
import { toolModel, toolParameterModel } from '../tools/tool.ts'
import { agentsOfTool, toolsOfParameters } from '../tools/tool-changes.ts'
import { toolResource } from '../tools/tool-resource.ts'
import { VOICEAI, type VoiceaiParts } from '../workspace/voiceai.ts'
import { agentModel } from './agent.ts'
import {
  type AgentPartOptions,
  agentsOfTransfers,
  announceAgents,
  listAgentsTransferringTo,
  listAgentsWithTools,
  PUSHED_FIELDS,
  pushChangedAgents,
  pushNamers,
} from './agent-changes.ts'
import { agentConfig, pushedAgent } from './agent-payload.ts'
import { agentAbsence, agentProblem, type HeldAgent } from './agent-problems.ts'
import { type AgentRow, findAgent, listAgentNames, listAgents } from './agent-rows.ts'
import { pushNumber } from './push-number.ts'
import { transferModel } from './transfer.ts'

const MS_PER_SECOND = 1_000
/** How far the platform's clock may be behind ours. */
const CLOCK_SECONDS = 60

interface AgentPushOptions extends AgentPartOptions {
  /** Also when the agent has a virtual number already. */
  pushesNumber?: boolean
  /** The agent had a limit of tokens, and the platform keeps what it is not told of. */
  endsTokenLimit?: boolean
}

interface Agent {
  stored: AgentRow
  wanted: AgentConfig
  there: HeldAgent
  gone: { agentUid: string | null; numberUid: string | null }
  options?: AgentPushOptions
}

/**
 * Every agent of ours: first the tools it needs and the platform does not know, then the agent, then the number by which
 * calls over SIP reach it.
 */
export const agentResource = new Resource<VoiceaiParts, 'agent', Agent>(VOICEAI, {
  kind: 'agent',
  model: agentModel,
  step: 'agents',
  pushedOn: PUSHED_FIELDS,
  pushedWith: [
    { model: toolModel, saved: agentsOfTool, removing: listAgentsWithTools },
    // The placeholders of an agent are those of its tools.
    { model: toolParameterModel, saved: (env, { id }) => agentsOfParameters(env, [id]), removing: agentsOfParameters },
    { model: knowledgeModel, saved: agentsOfKnowledge, removing: listAgentsKnowing },
    { model: transferModel, saved: (env, { id }) => agentsOfTransfers(env, [id]), removing: agentsOfTransfers },
    { model: agentModel, removing: othersTransferringTo },
  ],
  queue: pushChangedAgents,
  async list({ db }, id) {
    if (id === undefined) return listAgents(db)
    const agent = await findAgent(db, id)
    return agent === undefined ? [] : [agent]
  },
  nameOf: ({ name }) => name,
  uidOf: ({ agent_uid: uid }) => uid,
  wanted: (_parts, stored, { options }) => agentConfig(stored, { endsTokenLimit: options?.endsTokenLimit === true }),
  actual: readAgents,
  match: ({ agent_uid: agentUid }, actual) => actual.find(({ uid }) => uid === agentUid),
  isUpdatedUnseen: true,
  idThere: ({ uid }) => uid,
  problem: (_wanted, there, stored) => agentProblem(stored, there),
  drift: { what: 'agent', absent: agentAbsence },
  prepare: withItsTools,
  forces: (options) => options?.endsTokenLimit === true,
  create: async ({ client }, wanted) => ({ uid: await client.createAgent(wanted) }),
  ask: noteAsked,
  findLeft: findAsked,
  findMade: findAsked,
  update: ({ client }, { uid }, wanted) => client.updateAgent(uid, wanted),
  saved: (stored, { uid }, { wanted, options }) => ({
    // What was changed while it was being pushed is pushed again by the job of that change.
    set: sql`agent_uid = ${uid}, create_asked_at = null,
      voiceai_virtual_number_uid = ${uid === stored.agent_uid ? stored.voiceai_virtual_number_uid : null},
      pushed = ${JSON.stringify(pushedAgent(stored, wanted))}::jsonb,
      synced = (write_date = ${stored.write_date}::timestamp)`,
    isNotified: true,
    async andThen(env: Env) {
      await announceAgents(env)
      const namers = uid === stored.agent_uid ? [] : await listAgentsTransferringTo(env, [stored.id])
      await pushNamers(env, namers, options)
    },
  }),
  provide: provideNumber,
  removal: {
    of: (_stored, { uid: agentUid }) => ({ agentUid, numberUid: null }),
    read: ({ db }, ids) =>
      db.query(
        sql`select agent_uid as "agentUid", voiceai_virtual_number_uid as "numberUid" from connect_voiceai_agent
            where id in (${idList(ids)}) and (agent_uid is not null or voiceai_virtual_number_uid is not null)
            order by id`,
      ),
    async remove({ client }, { agentUid, numberUid }) {
      if (numberUid !== null) await unlessMissing(VOICEAI, () => client.deleteNumber(numberUid))
      if (agentUid !== null) await unlessMissing(VOICEAI, () => client.deleteAgent(agentUid))
    },
  },
})

async function agentsOfParameters(env: Env, ids: readonly number[]): Promise<number[]> {
  return listAgentsWithTools(env, await toolsOfParameters(env, ids))
}

/** Those that stay lose their rules to transfer to those that go. */
async function othersTransferringTo(env: Env, ids: readonly number[]): Promise<number[]> {
  return (await listAgentsTransferringTo(env, ids)).filter((id) => !ids.includes(id))
}

/** Pushes every agent; new ones first, so that the rules by which agents hand over can name them. */
export async function syncAgents(parts: VoiceaiParts, context: StepContext): Promise<void> {
  const agents = await listAgents(parts.db)
  await context.progress.count('total', agents.length)
  const failed = await agentResource.pushEach(parts, context, {
    targets: agents.filter((agent) => agent.agent_uid === null),
    actual: [],
    optionsOf: () => ({ leavesAgents: true }),
  })
  await agentResource.pushEach(parts, context, {
    targets: agents.filter(({ id }) => !failed.has(id)),
    actual: [],
    optionsOf: ({ agent_uid: uid }) => ({ pushesNumber: uid !== null }),
  })
}

/** What the platform holds of ours, read one by one: its list does not say what an agent is made of. */
async function readAgents({ client, db }: VoiceaiParts): Promise<HeldAgent[]> {
  const held: HeldAgent[] = []
  for (const { agent_uid: uid } of await listAgentNames(db)) {
    const there = uid === null ? undefined : await ifPresent(VOICEAI, () => client.getAgent(uid))
    if (uid !== null && there !== undefined) held.push({ uid, ...there })
  }
  return held
}

async function withItsTools(parts: VoiceaiParts, agent: AgentRow): Promise<AgentRow> {
  const unknown = agent.tools.filter((tool) => tool.tool_type !== 'system' && tool.tool_id === null)
  if (unknown.length === 0) return agent
  for (const { id } of unknown) await toolResource.push(parts, id)
  return (await findAgent(parts.db, agent.id)) ?? agent
}

async function noteAsked({ db }: VoiceaiParts, { name }: AgentConfig, agent: AgentRow): Promise<AgentRow> {
  // The first moment stays: whatever was made since then may be ours.
  await db.query(
    sql`update connect_voiceai_agent set create_asked_at = coalesce(create_asked_at, now() at time zone 'utc'),
          create_asked_name = ${name} where id = ${agent.id}::bigint`,
  )
  const asked = agent.create_asked_at ?? publishedTime(new Date())
  return { ...agent, create_asked_at: asked, create_asked_name: name }
}

/**
 * The platform's agent of the name that was asked for, made since then, which no record of ours is. It may have been
 * renamed here since.
 */
async function findAsked(
  { client, db }: VoiceaiParts,
  wanted: AgentConfig,
  { create_asked_at: askedAt, create_asked_name: asked }: AgentRow,
): Promise<{ uid: string } | undefined> {
  const since = askedAt === null ? undefined : parsePublishedTime(askedAt)
  if (since === undefined) return undefined
  const sinceSeconds = since.getTime() / MS_PER_SECOND - CLOCK_SECONDS
  const known = await db.query<{ agent_uid: string | null }>(sql`select agent_uid from connect_voiceai_agent`)
  const made = (await client.listAgents()).find(
    ({ id, name, createdSeconds }) =>
      name === (asked ?? wanted.name) && createdSeconds >= sinceSeconds && !known.some((each) => each.agent_uid === id),
  )
  return made === undefined ? undefined : { uid: made.id }
}

async function provideNumber(
  parts: VoiceaiParts,
  { id, agent_uid: known, voiceai_virtual_number_uid: numberUid }: AgentRow,
  { uid }: { uid: string },
  options: AgentPushOptions | undefined,
): Promise<boolean> {
  const isNew = uid !== known
  // The number of an agent that was gone leads nowhere.
  if (isNew && numberUid !== null) {
    await parts.client.deleteNumber(numberUid).catch((error: unknown) => {
      parts.platform.log.warn({ err: error, agent: id }, 'the number of a lost agent could not be removed')
    })
  }
  if (options?.pushesNumber === true || isNew || numberUid === null) await pushNumber(parts, id)
  return false
}
