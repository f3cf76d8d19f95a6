import type { Logger } from '../../log.ts'
import type { AgentConnector } from '../../ports/agent-connector.ts'
import type { RenderedPlan } from '../routing/render/render-plan.ts'
import type { TelcoRequest } from './request.ts'

/** What the ledger made of a request. */
export interface Recorded {
  /** The call of the leg that the request names, when it is known. */
  readonly callId?: number | undefined
  /** Of a caller id: whether it is one of those that are validated here. */
  readonly isKnown?: boolean
}

/** What routing needs besides the environment of its transaction. */
export interface RoutingContext {
  readonly log: Logger
  /** How the voice-agent platform takes calls over by its own markup; without one, agents are called over SIP. */
  readonly connector?: AgentConnector | undefined
}

/** What an answer is made from. */
export interface AnswerParts {
  readonly context: RoutingContext
  readonly request: TelcoRequest
  readonly recorded: Recorded
  /** What the call gets, on a route that answers calls. */
  readonly plan?: RenderedPlan | undefined
}
