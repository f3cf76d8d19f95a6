import { withinDeadline } from '../../deliveries/webhooks/deadline.ts'
import type { OpenEnv } from '../../deliveries/webhooks/webhook-table.ts'
import { asError } from '../../errors.ts'
import type { Logger } from '../../log.ts'
import type { AgentConnector } from '../../ports/agent-connector.ts'
import { AGENT_SIP_HOST } from '../client/hosts.ts'
import { answerProblem } from '../markup/document.ts'
import { recordIdOf, type TelcoRequest } from '../webhooks/request.ts'
import { callOfRequest, contextOf, type RouteContext } from './decide/context.ts'
import { orFallback, routeToApplication } from './decide/destination.ts'
import { type CallPlan, UnroutableError } from './decide/plan.ts'
import { APPLICATION_NOT_FOUND } from './decide/sentences.ts'
import { decideAndRender } from './load-and-decide.ts'
import type { RenderedPlan } from './render/render-plan.ts'

/** What routing needs besides the environment of its transaction. */
export interface RoutingContext {
  readonly log: Logger
  /** How the voice-agent platform takes calls over by its own markup; without one, agents are called over SIP. */
  readonly connector?: AgentConnector | undefined
  /** Host, port and parameters of the platform's SIP ingress. */
  readonly agentSipHost?: string | undefined
}

/** Decides what a call gets: pure, from the context alone. */
export type Route = (context: RouteContext, request: TelcoRequest) => CallPlan

/**
 * The markup that answers a call. In two phases: inside one transaction it is decided what the call gets; what has to be
 * asked of others for it is asked afterwards, so that a slow platform holds no connection to the database. Throws only what
 * the database threw.
 */
export async function routeCall(
  route: Route,
  {
    context: routing,
    open,
    request,
    recorded: { callId },
  }: {
    context: RoutingContext
    open: OpenEnv
    request: TelcoRequest
    recorded: { readonly callId?: number | undefined }
  },
): Promise<string> {
  const { agentSipHost = AGENT_SIP_HOST } = routing
  const rendered = await open((env) => {
    const { settings, now } = env
    const start = contextOf(callOfRequest(request, callId), { settings, now, agentSipHost }, request.query)
    return decideAndRender(env, start, (context) => orFallback(context, () => route(context, request)))
  })
  return finish(rendered, routing)
}

/** Answers with the application that the address names. */
export function markupApplication(context: RouteContext, request: TelcoRequest): CallPlan {
  const id = recordIdOf(request)
  const plan = routeToApplication(context, id)
  if (plan !== undefined) return plan
  throw new UnroutableError(`there is no application ${id}`, { verbs: APPLICATION_NOT_FOUND })
}

/** Half of our own deadline for a voice request, which the transaction before it has begun to use up. */
const REGISTER_TIMEOUT_MS = 4_000

/** The markup of the plan. An agent's platform that refuses, is silent or answers nonsense is replaced by its SIP way. */
async function finish(plan: RenderedPlan, { connector, log }: RoutingContext): Promise<string> {
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
