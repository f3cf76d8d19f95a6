import type { Reply } from '../../deliveries/webhooks/webhook-table.ts'
import { callsOfLegs } from '../../ledger/legs/call-of-leg.ts'
import { connectedLeg, ofKnownLeg } from '../../ledger/legs/leg-event.ts'
import { type RecordedLeg, recordKnownLegs, recordLegs } from '../../ledger/legs/record-legs.ts'
import { recordRecordings } from '../../ledger/recordings/record-recording.ts'
import { recordVoicemails } from '../../ledger/voicemails/record-voicemail.ts'
import type { Env } from '../../platform/access/env.ts'
import { recordCallerIdResults } from '../caller-ids/caller-id-result.ts'
import { receiveMessages, recordMessageReports } from '../messages/receive-message.ts'
import { clearAttempts } from '../phone-users/ring-attempts.ts'
import { answerCall } from '../routing/answer-call.ts'
import { routeApplication, routeDomain, routeNumber } from '../routing/decide/destination.ts'
import { gatherResult } from '../routing/decide/gather-result.ts'
import { isOfMobile, takesCall } from '../routing/decide/mobile.ts'
import type { Route } from '../routing/decide-calls.ts'
import type { AnswerParts, Recorded } from './answering.ts'
import {
  always,
  callActionOf,
  callIdOrFalse,
  isKnown,
  withoutCall,
  withoutCallAction,
  withoutCallOrConference,
} from './answers.ts'
import { connectedLegs } from './connected-legs.ts'
import {
  EMPTY_MESSAGE_REPLY,
  FALSE,
  HANGUP_REPLY,
  INVALID_VOICE,
  NO_CALL,
  OK,
  SORRY_REPLY,
  type SpokenReply,
  TRUE,
} from './replies.ts'
import type { TelcoRequest } from './request.ts'
import type { TELCO_FORMS } from './shapes.ts'

/** One route of the telephony webhooks: what it records of a request, and what it answers. */
export interface TelcoRow {
  path: keyof typeof TELCO_FORMS
  /** The answer to a stranger. */
  reject: Reply
  /** The answer when the work failed; the provider must not see an error. */
  fallback: Reply | SpokenReply
  /**
   * A failure of ours must not lose the report: it is stored and recorded later. Nobody waits for most of them to be
   * stored; a caller does not wait long.
   */
  keep: 'never' | 'before answering' | 'while answering'
  /** The answer to a request that is of no use here: nothing is recorded of it. */
  unusable?(request: TelcoRequest): Reply | SpokenReply | undefined
  /**
   * Records what the requests say, in one transaction, and answers in their order. Repeats and any order end in the same rows.
   */
  record?(env: Env, requests: readonly TelcoRequest[]): Promise<readonly (Recorded | undefined)[]> | Promise<void>
  /** Requests that arrive while others are being recorded are recorded together. */
  gathers?: true
  /** On a route that answers calls: how it is decided what the call of the request gets. */
  route?(request: TelcoRequest): Route | undefined
  answer(call: AnswerParts): Reply | Promise<Reply>
}

/** The twelve routes behind the telephony signature (docs/reference/contract.md#telephony-webhooks). */
export const ROWS: readonly TelcoRow[] = [
  {
    path: '/callstatus',
    gathers: true,
    keep: 'before answering',
    reject: FALSE,
    fallback: FALSE,
    record: recordLegReports,
    answer: callIdOrFalse,
  },
  {
    path: '/callaction',
    gathers: true,
    keep: 'never',
    reject: INVALID_VOICE,
    fallback: HANGUP_REPLY,
    record: recordDialEnds,
    answer: always(HANGUP_REPLY),
  },
  {
    path: '/:model/call_action/:record',
    gathers: true,
    keep: 'never',
    reject: INVALID_VOICE,
    fallback: SORRY_REPLY,
    unusable: withoutCallAction,
    record: recordCallActions,
    route: callActionOf,
    answer: answerCall,
  },
  {
    path: '/number',
    gathers: true,
    keep: 'while answering',
    reject: INVALID_VOICE,
    fallback: SORRY_REPLY,
    unusable: withoutCall(NO_CALL),
    record: recordLegReports,
    route: () => routeNumber,
    answer: answerCall,
  },
  {
    path: '/markup/:record',
    gathers: true,
    keep: 'while answering',
    reject: INVALID_VOICE,
    fallback: SORRY_REPLY,
    unusable: withoutCall(NO_CALL),
    record: recordLegReports,
    route: () => routeApplication,
    answer: answerCall,
  },
  {
    path: '/callflow/:record/gather',
    gathers: true,
    keep: 'never',
    reject: INVALID_VOICE,
    fallback: SORRY_REPLY,
    unusable: withoutCall(NO_CALL),
    record: recordKnownLegReports,
    route: () => gatherResult,
    answer: answerCall,
  },
  {
    path: '/domain',
    gathers: true,
    keep: 'while answering',
    reject: INVALID_VOICE,
    fallback: SORRY_REPLY,
    unusable: withoutCall(NO_CALL),
    record: recordLegReports,
    route: () => routeDomain,
    answer: answerCall,
  },
  {
    path: '/recordingstatus',
    gathers: true,
    keep: 'before answering',
    reject: FALSE,
    fallback: TRUE,
    unusable: withoutCallOrConference(FALSE),
    record: (env, requests) => recordAndFind(env, requests, recordRecordings),
    answer: always(TRUE),
  },
  {
    path: '/vm_recordingstatus',
    gathers: true,
    keep: 'before answering',
    reject: INVALID_VOICE,
    fallback: TRUE,
    unusable: withoutCall(NO_CALL),
    record: (env, requests) => recordAndFind(env, requests, recordVoicemails),
    answer: always(TRUE),
  },
  {
    path: '/message',
    gathers: true,
    keep: 'before answering',
    reject: INVALID_VOICE,
    fallback: EMPTY_MESSAGE_REPLY,
    record: receiveMessages,
    answer: always(EMPTY_MESSAGE_REPLY),
  },
  {
    path: '/message_status',
    gathers: true,
    keep: 'before answering',
    reject: FALSE,
    fallback: OK,
    record: recordMessageReports,
    answer: always(OK),
  },
  {
    path: '/outgoing_callerid',
    keep: 'before answering',
    reject: FALSE,
    fallback: FALSE,
    record: recordCallerIdResults,
    answer: isKnown,
  },
]

/** The row of a path; throws for a path that there is none of. */
export function rowAt(path: string): TelcoRow {
  const row = ROWS.find((each) => each.path === path)
  if (row !== undefined) return row
  throw new Error(`there is no telephony webhook ${path}`)
}

/** Records what each request says of its leg; one that names no call says nothing. */
function recordLegReports(env: Env, requests: readonly TelcoRequest[]): Promise<(RecordedLeg | undefined)[]> {
  return recordReports(env, requests, recordLegs)
}

/** The same for requests that a call makes on its way: they begin no call, for a leg that is not known stays so. */
function recordKnownLegReports(env: Env, requests: readonly TelcoRequest[]): Promise<(RecordedLeg | undefined)[]> {
  return recordReports(env, requests, recordKnownLegs)
}

/**
 * The same for what follows a dial. A mobile that was picked up has not answered the call: only its key connects it, which the
 * request says and no report. The key may come before every report of the mobile's leg, so it makes the leg known.
 */
async function recordCallActions(env: Env, requests: readonly TelcoRequest[]): Promise<(Recorded | undefined)[]> {
  if (!requests.some(isOfMobile)) return recordDials(env, requests)
  const recorded = await recordDials(
    env,
    requests.map((each) => (isOfMobile(each) ? { ...each, event: undefined } : each)),
  )
  await recordLegReports(
    env,
    requests.filter(isOfMobile).map((each) => ofKey(env, each)),
  )
  const mobiles = requests.filter(isOfMobile).flatMap(({ event }) => [event?.sid ?? '', event?.parentSid ?? ''])
  const calls = await callsOfLegs(env, mobiles)
  return requests.map((request, at) => {
    if (!isOfMobile(request)) return recorded[at]
    const { sid = '', parentSid = '' } = request.event ?? {}
    return { callId: calls.get(sid) ?? calls.get(parentSid) }
  })
}

/** Records the dialling legs that are known, and what their requests say of the legs that they dialled. */
async function recordDials(env: Env, requests: readonly TelcoRequest[]): Promise<(RecordedLeg | undefined)[]> {
  const connected = await connectedLegs(env, requests)
  return recordReports(env, requests, (_env, events) => recordLegs(env, [...events.map(ofKnownLeg), ...connected]))
}

/** The answer of a mobile, as a report would say it; nothing where it is not told of which call the mobile was dialled. */
function ofKey({ now }: Env, request: TelcoRequest): TelcoRequest {
  const { event } = request
  if (event === undefined || event.parentSid === '' || !takesCall(request)) return { ...request, event: undefined }
  return { ...request, event: { ...event, status: 'in-progress', timestampMs: now.getTime() } }
}

/** The call of each request's leg, as far as it is known. */
async function findCalls(env: Env, requests: readonly TelcoRequest[]): Promise<Recorded[]> {
  const calls = await callsOfLegs(
    env,
    requests.flatMap(({ event }) => event?.sid ?? []),
  )
  return requests.map(({ event }) => ({ callId: calls.get(event?.sid ?? '') }))
}

/** The same, after what a dial says of the leg that it dialled is recorded. */
async function recordDialEnds(env: Env, requests: readonly TelcoRequest[]): Promise<Recorded[]> {
  const telling = requests.flatMap(({ event }) =>
    event === undefined || `${event.unbridgedDial}${event.bridgedDial}` === '' ? [] : [event],
  )
  const connected = requests.flatMap(({ form }) => connectedLeg(form) ?? [])
  await recordKnownLegs(env, [...telling, ...connected])
  return findCalls(env, requests)
}

async function recordAndFind(
  env: Env,
  requests: readonly TelcoRequest[],
  record: (env: Env, requests: readonly TelcoRequest[]) => Promise<void>,
): Promise<Recorded[]> {
  await record(env, requests)
  return findCalls(env, requests)
}

async function recordReports(
  env: Env,
  requests: readonly TelcoRequest[],
  record: typeof recordLegs,
): Promise<(RecordedLeg | undefined)[]> {
  const recorded = (
    await record(
      env,
      requests.flatMap(({ event }) => event ?? []),
    )
  ).values()
  const ofRequests = requests.map(({ event }) => (event === undefined ? undefined : recorded.next().value))
  endRingAttempts(env, ofRequests)
  return ofRequests
}

/** Anyone who hangs up in a voicemail, or while a phone rings, asks for nothing more that would end the ring attempts. */
function endRingAttempts(env: Env, recorded: readonly (RecordedLeg | undefined)[]): void {
  const over = recorded.flatMap((leg) => (leg?.isOver === true && leg.callId !== undefined ? [leg.callId] : []))
  if (over.length > 0) clearAttempts(env.db, { calls: [...new Set(over)] })
}
