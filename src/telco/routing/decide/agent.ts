import { bareAddress } from '../../../phone.ts'
import type { AgentCall } from '../../../ports/agent-connector.ts'
import { AGENT_SIP_HOST } from '../../client/hosts.ts'
import { dial, sip } from '../../markup/dial.ts'
import type { Verb } from '../../markup/verb.ts'
import type { Agent } from '../dial-plan.ts'
import { ANONYMOUS } from './caller-id.ts'
import { actionUrl, legReports, type RouteContext } from './context.ts'
import { type CallPlan, type Effect, UnroutableError, verbsPlan, withEffects } from './plan.ts'
import { AGENT_NOT_CONFIGURED } from './spoken-endings.ts'

/** Seconds before a silent agent counts as not reached; it answers at once or never. */
const RING_SECONDS = 20

/** Hands the call to the agent; undefined when there is none with that id. */
export function routeToAgent(context: RouteContext, agentId: number): CallPlan | undefined {
  const agent = context.plan.agents.get(agentId)
  if (agent === undefined) return undefined
  const { callId } = context.call
  const connects = agent.isRegistered && agent.agentUid !== undefined
  const effects: Effect[] = callId === undefined ? [] : [{ does: 'tag-agent', call: callId, agent: agent.id, connects }]
  return withEffects(effects, () => agentPlan(context, agent))
}

function agentPlan(context: RouteContext, agent: Agent): CallPlan {
  const { agentUid } = agent
  if (agentUid === undefined) {
    throw new UnroutableError(`agent ${agent.id} has no id at its platform`, {
      verbs: AGENT_NOT_CONFIGURED,
      fallback: agent.fallback,
    })
  }
  const otherwise = sipVerbs(context, agent, agentUid)
  if (!agent.isRegistered) return verbsPlan(otherwise)
  const { barredPrefixes } = context.settings
  return { kind: 'register', call: agentCall(context, agentUid), otherwise, barredPrefixes, effects: [] }
}

/** Over SIP (docs/reference/domain.md#calls-to-a-number). SYNC imports the agent's id as its only number there. */
function sipVerbs(context: RouteContext, agent: Agent, agentUid: string): Verb[] {
  const { sid, callId, caller } = context.call
  const headers = [
    ...(callId === undefined ? [] : [`X-Connect-Call-Ref=${callId}`]),
    // The platform has an id of its own for the call unless this says another (its page "SIP trunking").
    ...(sid === '' ? [] : [`X-CALL-ID=${encodeURIComponent(sid)}`]),
  ]
  const query = headers.length === 0 ? '' : `?${headers.join('&')}`
  const options = {
    callerId: [caller, agent.defaultCallerId].find(isNumber) ?? ANONYMOUS,
    timeoutSeconds: RING_SECONDS,
    action: actionUrl(context, `/telco/webhook/connect.voiceai_agent/call_action/${agent.id}`),
  }
  const uri = `sip:${encodeURIComponent(agentUid)}@${AGENT_SIP_HOST}${query}`
  return [dial(options, [sip({ uri, status: legReports(context) })])]
}

/** Nothing else is a caller id on an agent's leg: the provider refuses it (its error 13247). */
function isNumber(caller: string | undefined): boolean {
  return /^\+[1-9]\d{1,14}$/.test(caller ?? '')
}

function agentCall({ call }: RouteContext, agentUid: string): AgentCall {
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
