import { sql } from '../../database/drizzle.ts'
import { param, statement } from '../../database/statement.ts'
import { tagAgentSql } from '../../ledger/calls/call-updates.ts'
import { bareAddress } from '../../phone.ts'
import type { Env } from '../../platform/access/env.ts'
import type { AgentCall } from '../../ports/agent-connector.ts'
import { agentCallerId, agentDial } from '../markup/dial.ts'
import { renderMarkup } from '../markup/verb.ts'
import { type CallPlan, type Fallback, markupPlan, UnrenderableError } from './decide/plan.ts'
import { AGENT_NOT_CONFIGURED } from './decide/sentences.ts'
import { ANONYMOUS } from './load/parties.ts'
import { speechLanguage } from './load/speech.ts'
import { actionUrl, type Rendering, reportUrl } from './rendering.ts'

/** A voice agent as handing a call over needs it. */
interface Agent {
  readonly id: number
  readonly agentUid: string | undefined
  readonly isRegistered: boolean
  readonly fallback: Fallback
  readonly defaultCallerId: string | undefined
}

interface AgentRow {
  id: number
  agent_uid: string | null
  connect_method: 'register' | 'sip' | null
  language: string | null
  fallback_exten: number | null
  fallback_message: string | null
  default_callerid: string | null
}

const AGENT = sql`select a.id, a.agent_uid, a.connect_method, a.language, a.fallback_exten, a.fallback_message,
  (select number from connect_telco_outgoing_callerid where is_default order by id limit 1) as default_callerid
  from connect_voiceai_agent a where a.id = ${param('agent')}`

const FIND = statement<AgentRow, { agent: number }>('routing_agent', AGENT)

/** The call remembers the first agent that it was handed to. */
const TAG = statement<AgentRow, { agent: number; call: number }>(
  'routing_agent_tag',
  sql`with tagged as (${tagAgentSql({ call: param('call'), agent: sql`select id from connect_voiceai_agent where id = ${param('agent')}` })})
      ${AGENT}`,
)

/** Seconds before a silent agent counts as not reached; it answers at once or never. */
const RING_SECONDS = 20

/** Hands the call to the agent; undefined when there is none with that id. */
export async function renderAgent(rendering: Rendering, agentId: number): Promise<CallPlan | undefined> {
  const agent = await tagAgent(rendering, agentId)
  if (agent === undefined) return undefined
  const { agentUid } = agent
  if (agentUid === undefined) {
    throw new UnrenderableError(`agent ${agent.id} has no id at its platform`, {
      markup: AGENT_NOT_CONFIGURED,
      fallback: agent.fallback,
    })
  }
  const otherwise = sipMarkup(rendering, agent, agentUid)
  return agent.isRegistered
    ? { kind: 'register', call: agentCall(rendering, agentUid), otherwise }
    : markupPlan(otherwise)
}

/** What stands in for the agent when it cannot be reached. */
export async function findAgentFallback({ db }: Pick<Env, 'db'>, agentId: number): Promise<Fallback | undefined> {
  const [row] = await db.run(FIND, { agent: agentId })
  return row === undefined ? undefined : toAgent(row).fallback
}

async function tagAgent({ env: { db }, call }: Rendering, agent: number): Promise<Agent | undefined> {
  const [row] =
    call.callId === undefined ? await db.run(FIND, { agent }) : await db.run(TAG, { agent, call: call.callId })
  return row === undefined ? undefined : toAgent(row)
}

function toAgent(row: AgentRow): Agent {
  return {
    id: row.id,
    agentUid: row.agent_uid ?? undefined,
    isRegistered: row.connect_method !== 'sip',
    fallback: { exten: row.fallback_exten, message: row.fallback_message, language: speechLanguage(row.language) },
    defaultCallerId: row.default_callerid ?? undefined,
  }
}

function sipMarkup(rendering: Rendering, agent: Agent, agentUid: string): string {
  const { call, agentSipHost } = rendering
  const verb = agentDial({
    callerId: agentCallerId(call.caller, agent.defaultCallerId),
    agentUid,
    sipHost: agentSipHost,
    callId: call.callId,
    callSid: call.sid,
    timeoutSeconds: RING_SECONDS,
    action: actionUrl(rendering, `/telco/webhook/connect.voiceai_agent/call_action/${agent.id}`),
    status: { url: reportUrl(rendering, 'callstatus'), events: ['initiated', 'answered', 'completed'] },
  })
  return renderMarkup([verb])
}

function agentCall({ call }: Rendering, agentUid: string): AgentCall {
  const { callId, sid: callSid, caller, called, isOutbound } = call
  return {
    agentUid,
    callId,
    callSid,
    from: bareAddress(caller) || ANONYMOUS,
    to: bareAddress(called),
    direction: isOutbound ? 'outbound' : 'inbound',
  }
}
