import { client, type DialOptions, dial, RING_SECONDS_MIN, sip } from '../../markup/dial.ts'
import type { Verb } from '../../markup/verb.ts'
import type { RingingUser, RingStep } from '../dial-plan.ts'
import { callerName, type Parties, partiesOf, shownCaller } from './caller-id.ts'
import { actionUrl, legReports, type RouteContext, reportUrl } from './context.ts'
import { type CallPlan, type Effect, UnroutableError, verbsPlan, withEffects } from './plan.ts'
import { announcement, voicemailVerbs } from './prompts.ts'
import { SORRY } from './sentences.ts'
import { speak } from './speech.ts'

/** Rings the first phone of the user; undefined when there is no such user. */
export function routeToUser(context: RouteContext, userId: number): CallPlan | undefined {
  const { plan, call, settings } = context
  const user = plan.users.get(userId)?.ringing
  if (user === undefined) return undefined
  const step = nextStep(user, [])
  if (step === undefined)
    throw new UnroutableError(`user ${userId} has neither phone nor voicemail`, {
      verbs: SORRY,
      speech: user.speech,
    })
  const { callId } = call
  return withEffects(startRinging(context, user, step), () => {
    // A message is asked for by itself; only phones record without being asked.
    const announced = step.type === 'voicemail' ? [] : announcement(context, user)
    const ring = [...announced, ...stepVerbs(context, user, { step, done: [] })]
    // A call that the ledger does not know is one of our own that is being set up: it needs no greeting.
    if (callId === undefined || user.greeting === undefined) return verbsPlan(ring)
    return verbsPlan([speak(settings, user.greeting), ...ring])
  })
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
  const step = nextStep(user, done)
  if (step === undefined) return undefined
  const effects: Effect[] = callId === undefined ? [] : [{ does: 'mark-tried', call: callId, step: step.id }]
  return { plan: withEffects(effects, () => verbsPlan(stepVerbs(context, user, { step, done }))), step: step.id }
}

/** The step of the user with that id as it was answered before; undefined when the user has no such step. */
export function routeToStepAgain(
  context: RouteContext,
  user: RingingUser,
  stepId: number | undefined,
): CallPlan | undefined {
  const step = user.steps.find(({ id }) => id === stepId)
  return step === undefined ? undefined : verbsPlan(stepVerbs(context, user, { step, done: [] }))
}

/** Exactly one step per answer: a dial with an action makes the verbs after it unreachable. */
function nextStep(user: RingingUser, done: readonly number[]): RingStep | undefined {
  return user.steps.find((step) => !done.includes(step.id) && (step.type === 'voicemail' || user.address !== undefined))
}

interface Turn {
  readonly step: RingStep
  /** Steps tried before this one. */
  readonly done: readonly number[]
}

function stepVerbs(context: RouteContext, user: RingingUser, turn: Turn): Verb[] {
  const { type } = turn.step
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

function dialOptions(context: RouteContext, user: RingingUser, { step, done }: Turn): DialOptions {
  // The ledger remembers the steps of its calls; a call that it does not know carries them in its address.
  const isKnown = context.call.callId !== undefined
  const query = isKnown ? [] : [`done_callflows=${[...done, step.id].join(',')}`]
  const timeoutSeconds = step.type === 'client' ? user.timeoutSeconds.client : user.timeoutSeconds.sip
  return {
    timeoutSeconds: Math.max(RING_SECONDS_MIN, timeoutSeconds),
    action: actionUrl(context, `/telco/webhook/connect.user/call_action/${user.id}`, query),
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
