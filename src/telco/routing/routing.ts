import { withinDeadline } from '../../deliveries/webhooks/deadline.ts'
import type { OpenEnv } from '../../deliveries/webhooks/webhook-table.ts'
import { asError } from '../../errors.ts'
import type { Logger } from '../../log.ts'
import type { AgentConnector } from '../../ports/agent-connector.ts'
import { AGENT_SIP_HOST } from '../client/hosts.ts'
import { answerProblem } from '../markup/document.ts'
import type { TelcoRequest } from '../webhooks/request.ts'
import { agentCallAction, callflowCallAction, userCallAction } from './call-actions.ts'
import { gatherResult } from './decide/gather-result.ts'
import { type CallPlan, UnrenderableError } from './decide/plan.ts'
import { APPLICATION_NOT_FOUND } from './decide/sentences.ts'
import { orFallback } from './fallback.ts'
import { renderMarkupApplication } from './render-markup.ts'
import { type Rendering, renderingOf } from './rendering.ts'
import { routeDomain } from './route-domain.ts'
import { routeNumber } from './route-number.ts'

export interface RoutingParts {
  readonly log: Logger
  /** How the voice-agent platform takes calls over by its own markup; without one, agents are called over SIP. */
  readonly connector?: AgentConnector | undefined
  /** Host, port and parameters of the platform's SIP ingress. */
  readonly agentSipHost?: string | undefined
}

/** Where calls go: each way answers finished markup, and throws only what the database threw. */
export interface Routing {
  number(open: OpenEnv, request: TelcoRequest): Promise<string>
  domain(open: OpenEnv, request: TelcoRequest): Promise<string>
  userCallAction(open: OpenEnv, userId: number, request: TelcoRequest): Promise<string>
  callflowCallAction(open: OpenEnv, flowId: number, request: TelcoRequest): Promise<string>
  agentCallAction(open: OpenEnv, agentId: number, request: TelcoRequest): Promise<string>
  gatherResult(open: OpenEnv, flowId: number, request: TelcoRequest): Promise<string>
  markupApplication(open: OpenEnv, markupId: number, request: TelcoRequest): Promise<string>
}

type Plan = (rendering: Rendering) => Promise<CallPlan>

/**
 * Routing in two phases: inside one transaction it is decided what the call gets; what has to be asked of others for it
 * is asked afterwards, so that a slow platform holds no connection to the database.
 */
export function createRouting(parts: RoutingParts): Routing {
  const { agentSipHost = AGENT_SIP_HOST } = parts
  const answer = async (open: OpenEnv, request: TelcoRequest, plan: Plan): Promise<string> => {
    const planned = await open((env) => {
      const rendering = renderingOf(env, request, { agentSipHost, routeDomain })
      return orFallback(rendering, () => plan(rendering))
    })
    return finish(planned, parts)
  }
  return {
    number: (open, request) => answer(open, request, routeNumber),
    domain: (open, request) => answer(open, request, routeDomain),
    userCallAction: (open, id, request) => answer(open, request, (rendering) => userCallAction(rendering, id, request)),
    callflowCallAction: (open, id, request) =>
      answer(open, request, (rendering) => callflowCallAction(rendering, id, request)),
    agentCallAction: (open, id, request) =>
      answer(open, request, (rendering) => agentCallAction(rendering, id, request)),
    gatherResult: (open, id, request) => answer(open, request, (rendering) => gatherResult(rendering, id, request)),
    markupApplication: (open, id, request) => answer(open, request, (rendering) => markupApplication(rendering, id)),
  }
}

async function markupApplication(rendering: Rendering, markupId: number): Promise<CallPlan> {
  const plan = await renderMarkupApplication(rendering, markupId)
  if (plan !== undefined) return plan
  throw new UnrenderableError(`there is no application ${markupId}`, { markup: APPLICATION_NOT_FOUND })
}

/** Half of our own deadline for a voice request, which the transaction before it has begun to use up. */
const REGISTER_TIMEOUT_MS = 4_000

/** The markup of the plan. An agent's platform that refuses, is silent or answers nonsense is replaced by its SIP way. */
async function finish(plan: CallPlan, { connector, log }: RoutingParts): Promise<string> {
  if (plan.kind === 'markup') return plan.markup
  if (connector === undefined) return plan.otherwise
  try {
    const registered = connector.registerCall(plan.call, REGISTER_TIMEOUT_MS)
    const markup = await withinDeadline(registered, REGISTER_TIMEOUT_MS)
    if (markup === undefined) return plan.otherwise
    const problem = answerProblem(markup)
    if (problem === undefined) return markup
    log.warn({ callSid: plan.call.callSid, problem }, 'the agent platform answered markup that cannot be used')
  } catch (error) {
    log.warn({ err: asError(error), callSid: plan.call.callSid }, 'the agent platform did not take the call')
  }
  return plan.otherwise
}
