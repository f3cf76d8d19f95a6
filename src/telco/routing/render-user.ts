import { client, type DialOptions, dial, sip } from '../markup/dial.ts'
import type { Verb } from '../markup/verb.ts'
import { type CallPlan, UnrenderableError, verbsPlan } from './decide/plan.ts'
import { announcement } from './decide/recording-announcement.ts'
import { SORRY } from './decide/sentences.ts'
import { voicemailVerbs } from './decide/voicemail.ts'
import { callerName, findParties, type Parties, shownCaller } from './load/parties.ts'
import { type RingStep, recordStep, startWalk } from './load/ring-attempts.ts'
import { findRingingUser, type RingingUser } from './load/ringing-user.ts'
import { speak } from './load/speech.ts'
import { actionUrl, type Rendering, reportUrl } from './rendering.ts'

/** Rings the first phone of the user; undefined when there is no such user. */
export async function renderUser(rendering: Rendering, userId: number): Promise<CallPlan | undefined> {
  const { env, call } = rendering
  const user = await findRingingUser(env, { id: userId, callId: call.callId })
  if (user === undefined) return undefined
  const step = nextStep(user, [])
  if (step === undefined)
    throw new UnrenderableError(`user ${userId} has neither phone nor voicemail`, {
      markup: SORRY,
      speech: user.speech,
    })
  if (call.callId !== undefined && !rendering.isRepeated) {
    startWalk(env, { call: call.callId, user: userId, step: step.id })
  }
  // A message is asked for by itself; only phones record without being asked.
  const announced = step.type === 'voicemail' ? [] : announcement(rendering, user)
  const ring = [...announced, ...(await stepVerbs(rendering, user, { step, done: [] }))]
  // A call that the ledger does not know is one of our own that is being set up: it needs no greeting.
  if (call.callId === undefined || user.greeting === undefined) return verbsPlan(ring)
  return verbsPlan([speak(env.settings, user.greeting), ...ring])
}

/** Goes on with the next phone, or the voicemail, of the user; undefined when every step was tried. */
export async function renderNextStep(
  rendering: Rendering,
  user: RingingUser,
  done: readonly number[],
): Promise<{ plan: CallPlan; step: number } | undefined> {
  const { env, call } = rendering
  const step = nextStep(user, done)
  if (step === undefined) return undefined
  if (call.callId !== undefined) recordStep(env, { call: call.callId, step: step.id })
  return { plan: verbsPlan(await stepVerbs(rendering, user, { step, done })), step: step.id }
}

/** The step of the user with that id as it was rendered before; undefined when the user has no such step. */
export async function renderStepAgain(
  rendering: Rendering,
  user: RingingUser,
  stepId: number | undefined,
): Promise<CallPlan | undefined> {
  const step = user.steps.find(({ id }) => id === stepId)
  return step === undefined ? undefined : verbsPlan(await stepVerbs(rendering, user, { step, done: [] }))
}

/** Exactly one step per answer: a dial with an action makes the verbs after it unreachable. */
function nextStep(user: RingingUser, done: readonly number[]): RingStep | undefined {
  return user.steps.find((step) => !done.includes(step.id) && (step.type === 'voicemail' || user.address !== undefined))
}

/** The provider rings no shorter (docs/reference/providers.md#dial-limits). */
const RING_SECONDS_MIN = 5

interface Turn {
  readonly step: RingStep
  /** Steps tried before this one. */
  readonly done: readonly number[]
}

async function stepVerbs(rendering: Rendering, user: RingingUser, turn: Turn): Promise<Verb[]> {
  const { type } = turn.step
  if (type === 'voicemail' || user.address === undefined) return voicemailVerbs(rendering, user.voicemailPrompt)
  const parties = await findParties(rendering.env, rendering.call)
  const callerId = shownCaller(rendering.call.caller, parties)
  const status = {
    url: reportUrl(rendering, 'callstatus'),
    events: ['initiated', 'answered', 'completed'] as const,
  }
  const device =
    type === 'client'
      ? client({ identity: user.address, status, parameters: shownOnPhone(callerId, parties) })
      : sip({ uri: `sip:${user.address}`, status })
  return [dial({ ...dialOptions(rendering, user, turn), callerId }, [device])]
}

function dialOptions(rendering: Rendering, user: RingingUser, { step, done }: Turn): DialOptions {
  // The ledger remembers the steps of its calls; a call that it does not know carries them in its address.
  const isKnown = rendering.call.callId !== undefined
  const query = isKnown ? [] : [`done_callflows=${[...done, step.id].join(',')}`]
  const timeoutSeconds = step.type === 'client' ? user.timeoutSeconds.client : user.timeoutSeconds.sip
  return {
    timeoutSeconds: Math.max(RING_SECONDS_MIN, timeoutSeconds),
    action: actionUrl(rendering, `/telco/webhook/connect.user/call_action/${user.id}`, query),
    recording: user.recordsCalls
      ? {
          mode: step.type === 'client' ? 'record-from-answer' : 'record-from-answer-dual',
          statusCallback: reportUrl(rendering, 'recordingstatus'),
        }
      : undefined,
  }
}

function shownOnPhone(callerId: string, parties: Parties): Record<string, string | number | undefined> {
  return { From: callerId, CallerName: callerName(parties), Partner: parties.partner?.id }
}
