import { client, type DialOptions, dial, RING_SECONDS_MIN, sip } from '../../markup/dial.ts'
import type { Verb } from '../../markup/verb.ts'
import { NO_USER } from '../../outgoing/outgoing-limits.ts'
import type { Mobile, RingingUser, RingStep } from '../dial-plan.ts'
import { callerName, type Parties, partiesOf, shownCaller } from './caller-id.ts'
import { actionUrl, legReports, type RouteContext, reportUrl } from './context.ts'
import { mobileCallerId, mobileDialOptions, mobileHindrance, mobileNoun, skippedMobile } from './mobile.ts'
import { type CallPlan, type Effect, UnroutableError, verbsPlan, withEffects } from './plan.ts'
import { announcement, voicemailVerbs } from './prompts.ts'
import { speak } from './speech.ts'
import { SORRY } from './spoken-endings.ts'

/** Rings the first phone of the user; undefined when there is no such user. */
export function routeToUser(context: RouteContext, userId: number): CallPlan | undefined {
  const { plan, call, settings } = context
  const user = plan.users.get(userId)?.ringing
  if (user === undefined) return undefined
  const { step, remarks } = nextStep(context, user, [])
  if (step === undefined)
    throw new UnroutableError(`user ${userId} has neither phone nor voicemail`, { verbs: SORRY, speech: user.speech }, [
      ...remarks,
      ...nameCalled(call, [userId]),
    ])
  const { callId } = call
  // The leg of a phone says by itself who was called.
  const called = step.type === 'voicemail' ? nameCalled(call, [userId]) : []
  return withEffects([...remarks, ...called, ...startRinging(context, user, step)], () => {
    // A message is asked for by itself; only phones record without being asked.
    const announced = step.type === 'voicemail' ? [] : announcement(context, user)
    const ring = [...announced, ...stepVerbs(context, user, { step, done: [] })]
    // A call that the ledger does not know is one of our own that is being set up: it needs no greeting.
    const greeted =
      callId === undefined || user.greeting === undefined ? ring : [speak(settings, user.greeting), ...ring]
    return counted(context, step, verbsPlan(greeted))
  })
}

/** People for whom a call was, and of whom no phone rings: they see it, and may call back. */
export function nameCalled({ callId, isByAgent }: RouteContext['call'], users: readonly number[]): Effect[] {
  if (callId === undefined || users.length === 0) return []
  const called = users.map((user): Effect => ({ does: 'name-called', call: callId, user }))
  return isByAgent === true ? [...called, { does: 'mark-no-phone', call: callId }] : called
}

/** Asked for again, the call starts over with the same step. */
function startRinging(
  { call: { callId }, facts, isRepeated }: RouteContext,
  user: RingingUser,
  step: RingStep,
): Effect[] {
  if (callId === undefined || isRepeated) return []
  const before = user.steps.flatMap(({ id }) => (id !== step.id && facts.tried.includes(id) ? [id] : []))
  return [{ does: 'start-ringing', call: callId, step: step.id, before }]
}

/** Goes on with the next phone, or the voicemail, of the user; undefined when every step was tried. */
export function routeToNextStep(
  context: RouteContext,
  user: RingingUser,
  done: readonly number[],
): { plan: CallPlan; step: number } | undefined {
  const { callId } = context.call
  const { step, remarks } = nextStep(context, user, done)
  if (step === undefined) return undefined
  const tried: Effect[] = callId === undefined ? [] : [{ does: 'mark-tried', call: callId, step: step.id }]
  const plan = withEffects([...remarks, ...tried], () =>
    counted(context, step, verbsPlan(stepVerbs(context, user, { step, done }))),
  )
  return { plan, step: step.id }
}

/** Ringing a mobile is a call outside, which the company pays. */
function counted({ call }: RouteContext, { type }: RingStep, plan: CallPlan): CallPlan {
  return type === 'mobile' && call.isCounted !== true ? { ...plan, counts: NO_USER, isEntered: true } : plan
}

/** The step of the user with that id as it was answered before; undefined when the user has no such step. */
export function routeToStepAgain(
  context: RouteContext,
  user: RingingUser,
  stepId: number | undefined,
): CallPlan | undefined {
  const step = user.steps.find(({ id }) => id === stepId)
  if (step === undefined || hindranceOf(context, user, step) !== undefined) return undefined
  return verbsPlan(stepVerbs(context, user, { step, done: [] }))
}

/**
 * Exactly one step per answer: a dial with an action makes the verbs after it unreachable. Of mobiles that may not be rung any more
 * it is said why.
 */
function nextStep(
  context: RouteContext,
  user: RingingUser,
  done: readonly number[],
): { step: RingStep | undefined; remarks: readonly Effect[] } {
  const { callId } = context.call
  const remarks: Effect[] = []
  for (const step of user.steps) {
    if (done.includes(step.id)) continue
    const hindrance = hindranceOf(context, user, step)
    if (hindrance === undefined) return { step, remarks }
    if (hindrance !== 'no-phone' && callId !== undefined)
      remarks.push({ does: 'remark', call: callId, text: hindrance })
  }
  return { step: undefined, remarks }
}

/** Why a step cannot be taken, as it is said on the call; undefined when it can. */
function hindranceOf(context: RouteContext, { address, mobile }: RingingUser, { type }: RingStep): string | undefined {
  if (type === 'voicemail') return undefined
  if (type !== 'mobile') return address === undefined ? 'no-phone' : undefined
  if (mobile === undefined) return 'no-phone'
  const why = mobileHindrance(context, mobile.number)
  return why === undefined ? undefined : skippedMobile(mobile.number, why)
}

interface Turn {
  readonly step: RingStep
  /** Steps tried before this one. */
  readonly done: readonly number[]
}

function stepVerbs(context: RouteContext, user: RingingUser, turn: Turn): Verb[] {
  const { type } = turn.step
  if (type === 'mobile' && user.mobile !== undefined) return [mobileDial(context, user, turn, user.mobile)]
  if (type === 'voicemail' || user.address === undefined) return voicemailVerbs(context, user.voicemailPrompt)
  const parties = partiesOf(context)
  const callerId = shownCaller(context.call.caller, parties)
  const status = legReports(context)
  const device =
    type === 'client'
      ? client({ identity: user.address, status, parameters: shownOnPhone(callerId, parties) })
      : sip({ uri: `sip:${user.address}`, status })
  return [dial({ ...dialOptions(context, user, turn), callerId }, [device])]
}

function mobileDial(context: RouteContext, user: RingingUser, turn: Turn, { number }: Mobile): Verb {
  const options = {
    ...dialOptions(context, user, turn),
    ...mobileDialOptions(context),
    callerId: mobileCallerId(context),
  }
  return dial(options, [mobileNoun(context, { number, path: callActionPath(user) })])
}

function callActionPath({ id }: RingingUser): string {
  return `/telco/webhook/connect.user/call_action/${id}`
}

function dialOptions(context: RouteContext, user: RingingUser, { step, done }: Turn): DialOptions {
  // The ledger remembers the steps of its calls; a call that it does not know carries them in its address.
  const isKnown = context.call.callId !== undefined
  const query = isKnown ? [] : [`done_callflows=${[...done, step.id].join(',')}`]
  const seconds = { ...user.timeoutSeconds, mobile: user.mobile?.seconds ?? 0, voicemail: 0 }
  return {
    timeoutSeconds: Math.max(RING_SECONDS_MIN, seconds[step.type]),
    action: actionUrl(context, callActionPath(user), query),
    recording: user.recordsCalls
      ? {
          mode: step.type === 'client' ? 'record-from-answer' : 'record-from-answer-dual',
          statusCallback: reportUrl(context, 'recordingstatus'),
        }
      : undefined,
  }
}

function shownOnPhone(callerId: string, parties: Parties): Record<string, string | number | undefined> {
  return { From: callerId, CallerName: callerName(parties), Partner: parties.partner?.id }
}
