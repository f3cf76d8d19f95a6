import { withinDeadline } from '../../deliveries/webhooks/deadline.ts'
import type { Reply } from '../../deliveries/webhooks/webhook-table.ts'
import { asError } from '../../errors.ts'
import { answerProblem } from '../markup/document.ts'
import { outsideNumbers } from '../markup/outside-numbers.ts'
import { isBarred } from '../outgoing/outgoing-limits.ts'
import type { AnswerParts, RoutingContext } from '../webhooks/answering.ts'
import { HANGUP_REPLY, markupReply } from '../webhooks/replies.ts'
import type { Barred } from './decide/plan.ts'
import type { RenderedPlan } from './render/render-plan.ts'

/** Half of our own deadline for a voice request, which the transaction before it has begun to use up. */
const REGISTER_TIMEOUT_MS = 4_000

/**
 * Answers a call with the markup of its plan, which was decided in the transaction that recorded the call. What has to be asked of
 * others for it is asked now, so that a slow platform holds no connection to the database.
 */
export async function answerCall({ context, plan }: AnswerParts): Promise<Reply> {
  return plan === undefined ? HANGUP_REPLY : markupReply(await finish(plan, context))
}

/** The markup of the plan. An agent's platform that refuses, is silent or answers nonsense is replaced by its SIP way. */
async function finish(plan: RenderedPlan, { connector, log }: RoutingContext): Promise<string> {
  if (plan.kind === 'markup') return plan.markup
  if (connector === undefined) return plan.otherwise
  try {
    const registered = connector.registerCall(plan.call, REGISTER_TIMEOUT_MS)
    const markup = await withinDeadline(registered, REGISTER_TIMEOUT_MS)
    if (markup === undefined) return plan.otherwise
    const problem = answerProblem(markup) ?? barredProblem(plan, markup)
    if (problem === undefined) return markup
    log.warn({ callSid: plan.call.callSid, problem }, 'the agent platform answered markup that cannot be used')
  } catch (error) {
    log.warn({ err: asError(error), callSid: plan.call.callSid }, 'the agent platform did not take the call')
  }
  return plan.otherwise
}

/** An agent's platform has no number called that is barred here. */
function barredProblem(barred: Barred, markup: string): string | undefined {
  const { called, writtenTo } = outsideNumbers(markup)
  const isCalled = [...called, ...writtenTo].some((number) => isBarred(barred, number))
  return isCalled ? 'It calls or writes to a number that is barred.' : undefined
}
