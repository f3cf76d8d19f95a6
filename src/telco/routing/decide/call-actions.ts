import { wasConnected } from '../../../ledger/legs/dial-report.ts'
import { ID_IN_ADDRESS } from '../../../lenient-values.ts'
import { recordIdOf, type TelcoRequest } from '../../webhooks/request.ts'
import type { RingingUser } from '../dial-plan.ts'
import { ringOthers, unansweredVerbs } from './callflow.ts'
import type { RouteContext } from './context.ts'
import { fallbackPlan } from './destination.ts'
import { isCallerGone, isRingingOver } from './dial-outcome.ts'
import { speechInAddress } from './mobile.ts'
import { type CallPlan, type Effect, type Excuse, verbsPlan, withEffects } from './plan.ts'
import { HANG_UP, SORRY, UNANSWERED } from './spoken-endings.ts'
import { routeToNextStep, routeToStepAgain } from './user.ts'

/** Ids that one address can carry; a user has three steps. */
const DONE_STEPS_MAX = 20

/** The steps that `done_callflows` lists; what is no id is dropped. */
function parseDoneSteps(query: URLSearchParams): number[] {
  const chunks = (query.get('done_callflows') ?? '').split(',', DONE_STEPS_MAX)
  const ids = chunks.map((chunk) => chunk.trim()).filter((chunk) => ID_IN_ADDRESS.test(chunk))
  return [...new Set(ids.map(Number))]
}

/**
 * After one phone of a user rang: the next one, until somebody talked or the caller went
 * (docs/reference/domain.md#call-actions).
 */
export function userCallAction(context: RouteContext, request: TelcoRequest): CallPlan {
  const { form, query } = request
  if (isRingingOver(form)) return withEffects(clearAttempts(context), () => verbsPlan(HANG_UP))
  const userId = recordIdOf(request)
  const end = dialEndOf(context)
  const steps = parseDoneSteps(query)
  return withEffects(markTried(context, { end, userId, steps }), () => {
    const user = context.plan.users.get(userId)?.ringing
    if (user === undefined) return unreachedPlan(context, end, { verbs: SORRY })
    const plan = nextPlan(context, user, { end, steps })
    if (plan !== undefined) return plan
    return withEffects(end.isRepeated ? [] : clearAttempts(context), () =>
      unreachedPlan(context, end, unanswered(user)),
    )
  })
}

function clearAttempts({ call: { callId } }: RouteContext): Effect[] {
  return callId === undefined ? [] : [{ does: 'clear-attempts', call: callId }]
}

/** What the address says was tried is from before the ledger knew the call. */
function markTried(
  { call: { callId } }: RouteContext,
  { end, userId, steps }: { end: DialEnd; userId: number; steps: readonly number[] },
): Effect[] {
  if (callId === undefined || end.isRepeated || steps.length === 0) return []
  return [{ does: 'mark-tried-by-address', call: callId, user: userId, steps }]
}

/** The next step, or the one that followed when the end of the leg was reported first; undefined when there is none. */
function nextPlan(
  context: RouteContext,
  user: RingingUser,
  { end, steps }: { end: DialEnd; steps: readonly number[] },
): CallPlan | undefined {
  if (end.isRepeated) return routeToStepAgain(context, user, end.step)
  const next = routeToNextStep(context, user, [...context.facts.tried, ...steps])
  if (next === undefined) return undefined
  const { plan, step } = next
  return { ...plan, effects: [...plan.effects, ...end.followedBy(step)] }
}

/**
 * Anyone who was asked for a message, and is back all the same, has been served; anybody else hears that nobody answers.
 */
function unanswered({ steps, speech }: RingingUser): Excuse {
  const takesMessages = steps.some(({ type }) => type === 'voicemail')
  return takesMessages ? { verbs: () => HANG_UP } : { verbs: UNANSWERED, speech }
}

/**
 * After the phones of a flow rang together, or it had nobody to ring: voicemail or fall-back, unless somebody talked.
 */
export function callflowCallAction(context: RouteContext, request: TelcoRequest): CallPlan {
  const { form } = request
  if (wasConnected(form)) return verbsPlan(HANG_UP)
  const flow = context.plan.callflows.get(recordIdOf(request))
  const others = flow === undefined ? undefined : ringOthers(context, flow, request)
  if (others !== undefined) return others
  const voicemail = flow === undefined ? undefined : unansweredVerbs(context, flow)
  if (voicemail !== undefined) return verbsPlan(voicemail)
  const end = dialEndOf(context)
  if (flow === undefined) return unreachedPlan(context, end, { verbs: SORRY })
  return unreachedPlan(context, end, { verbs: UNANSWERED, speech: flow.speech, fallback: flow.fallback })
}

/** After the mobile of an extension was rung: what stands in for it, unless somebody talked. */
export function extensionCallAction(context: RouteContext, request: TelcoRequest): CallPlan {
  const { form } = request
  if (wasConnected(form) || isCallerGone(form)) return verbsPlan(HANG_UP)
  return unreachedPlan(context, dialEndOf(context), { verbs: UNANSWERED, speech: speechInAddress(request) })
}

/** After a voice agent was called over SIP: what stands in for it, unless the caller talked to it. */
export function agentCallAction(context: RouteContext, request: TelcoRequest): CallPlan {
  const { form } = request
  if (wasConnected(form) || isCallerGone(form)) return verbsPlan(HANG_UP)
  const fallback = context.plan.agents.get(recordIdOf(request))?.fallback
  return unreachedPlan(context, dialEndOf(context), { verbs: SORRY, fallback })
}

/**
 * What stands in for the person who did not answer; asked for again it is the same, and the phones of it are not started over.
 */
function unreachedPlan(context: RouteContext, end: DialEnd, excuse: Excuse): CallPlan {
  const effects = end.isRepeated ? [] : end.followedBy()
  return withEffects(effects, () => fallbackPlan({ ...context, isRepeated: end.isRepeated }, excuse))
}

/** In place of a step: what followed was no ring step. */
const NO_STEP = 0

/** The end of one dialled leg: the provider may report it more than once, and nothing may move twice for it. */
interface DialEnd {
  readonly isRepeated: boolean
  /** The ring step that followed when it was reported first; undefined when none did. */
  readonly step: number | undefined
  /** Saves what follows. */
  followedBy(step?: number): Effect[]
}

/**
 * What is known of the end that a request reports. Without a dialled leg (nothing was dialled), or for a call that the ledger
 * does not know, whose steps are in its address, there is nothing to save.
 */
function dialEndOf({ facts, call: { callId, dialledLeg: leg } }: RouteContext): DialEnd {
  if (callId === undefined || leg === '') return { isRepeated: false, step: undefined, followedBy: () => [] }
  const known = facts.dialEnd
  return {
    isRepeated: known !== undefined,
    step: known === NO_STEP ? undefined : known,
    followedBy: (step = NO_STEP) => [{ does: 'save-dial-end', call: callId, leg, step }],
  }
}
