import { setTimeout as delay } from 'node:timers/promises'
import type { Inbox } from '../../deliveries/inbox/inbox.ts'
import { NOT_KEPT } from '../../deliveries/webhooks/runner-replies.ts'
import type { Arrival, OpenEnv, Reply, WebhookRow, WebhookTable } from '../../deliveries/webhooks/webhook-table.ts'
import { parseCallEvent } from '../../ledger/legs/leg-event.ts'
import { readSid } from '../../ledger/legs/provider-form.ts'
import { ID_IN_ADDRESS } from '../../lenient-values.ts'
import type { DescribedBody } from '../../platform/api/api-operation.ts'
import type { CallerLanguages } from '../numbers/caller-languages.ts'
import { checkTelcoHeaders, checkTelcoSignature, explainRejection, readForm } from './authentication.ts'
import { traced } from './debug-trace.ts'
import { keepForLater } from './failed-events.ts'
import { firstValues } from './form.ts'
import type { CallRouting, TelcoEffects } from './parts.ts'
import { recordKnownReport, recordReport } from './record-report.ts'
import {
  EMPTY_MESSAGE_REPLY,
  HANGUP_REPLY,
  INVALID_STATUS,
  INVALID_VOICE,
  markupReply,
  NO_CALL,
  SORRY_REPLY,
  type SpokenReply,
  textReply,
} from './replies.ts'
import { rawQuery, type TelcoRequest } from './request.ts'
import { TELCO_FORMS } from './shapes.ts'

/**
 * The provider gives up after 15 s (docs/reference/providers.md#webhook-timeouts); by then the caller has long had our
 * fallback.
 */
export const VOICE_DEADLINE_MS = 8_000
/** Leaves the time to keep the report, 5 s at most, before the provider gives up. */
const STATUS_DEADLINE_MS = 8_000
/**
 * How long a caller, who has waited for the deadline already, waits for the report to be kept; it is kept after that
 * too.
 */
const CALLER_WAITS_MS = 500
/** A form of the provider has a few kB; call tokens and pasted texts make some larger. */
const FORM_BYTES_MAX = 1024 * 1024

/** What answering takes; keeping a report that failed takes the inbox too. */
export interface AnswerParts {
  routing: CallRouting
  effects: TelcoEffects
}

interface TelcoParts extends AnswerParts {
  inbox: Inbox
  languages: Pick<CallerLanguages, 'of'>
}

/** One route of area B: how it answers strangers and failures, and what it does. */
interface Route {
  path: keyof typeof TELCO_FORMS
  kind: 'voice' | 'status'
  /** The answer when the work failed; the provider must not see an error. */
  fallback: Reply | SpokenReply
  /**
   * A failure of ours must not lose the report: it goes into the inbox and is worked on again. Nobody waits for most of
   * them to be kept; a caller does not wait long.
   */
  keeps: 'nothing' | 'before answering' | 'while answering'
  run(parts: AnswerParts, open: OpenEnv, given: Given): Promise<Reply>
}

interface Given {
  request: TelcoRequest
  params: Record<string, string>
  about: Arrival['about']
  /** Of whoever was called, as far as it is known without asking the database. */
  language?: string | undefined
}

export const ROUTES: readonly Route[] = [
  { path: '/callstatus', kind: 'status', fallback: INVALID_STATUS, keeps: 'before answering', run: callStatus },
  { path: '/callaction', kind: 'voice', fallback: HANGUP_REPLY, keeps: 'nothing', run: async () => HANGUP_REPLY },
  { path: '/:model/call_action/:record', kind: 'voice', fallback: SORRY_REPLY, keeps: 'nothing', run: callAction },
  { path: '/number', kind: 'voice', fallback: SORRY_REPLY, keeps: 'while answering', run: routed('number') },
  { path: '/markup/:record', kind: 'voice', fallback: SORRY_REPLY, keeps: 'while answering', run: application },
  {
    path: '/callflow/:record/gather',
    kind: 'voice',
    fallback: SORRY_REPLY,
    keeps: 'nothing',
    run: gatherResult,
  },
  { path: '/domain', kind: 'voice', fallback: SORRY_REPLY, keeps: 'while answering', run: routed('domain') },
  {
    path: '/recordingstatus',
    kind: 'status',
    fallback: textReply('True'),
    keeps: 'before answering',
    run: ofCall(INVALID_STATUS, effect('recordRecordings', textReply('True'))),
  },
  {
    path: '/vm_recordingstatus',
    kind: 'voice',
    fallback: textReply('True'),
    keeps: 'before answering',
    run: ofCall(NO_CALL, effect('recordVoicemails', textReply('True'))),
  },
  {
    path: '/message',
    kind: 'voice',
    fallback: EMPTY_MESSAGE_REPLY,
    keeps: 'before answering',
    run: effect('receiveMessages', EMPTY_MESSAGE_REPLY),
  },
  {
    path: '/message_status',
    kind: 'status',
    fallback: textReply('OK'),
    keeps: 'before answering',
    run: effect('recordMessageStatuses', textReply('OK')),
  },
  {
    path: '/outgoing_callerid',
    kind: 'status',
    fallback: INVALID_STATUS,
    keeps: 'before answering',
    run: callerIdResult,
  },
]

/** The twelve routes behind the telephony signature (docs/reference/contract.md#telephony-webhooks). */
export function telcoTable(parts: TelcoParts): WebhookTable {
  const rows = new Map<WebhookRow, Route>(ROUTES.map((route) => [toRow(parts, route), route]))
  const routeOf = (row: WebhookRow): Route => {
    const route = rows.get(row)
    if (route === undefined) throw new Error('a row of another table')
    return route
  }
  return {
    area: 'telco',
    prefix: '/telco/webhook',
    rows: [...rows.keys()],
    keepsRejectedBody: true,
    proof: {
      header: 'X-Telco-Signature',
      contentType: 'application/x-www-form-urlencoded',
      refusals: { 413: 'Too large' },
    },
    authenticateHeaders: checkTelcoHeaders,
    authenticateBody: checkTelcoSignature,
    explain: explainRejection,
    reject: (row) => (routeOf(row).kind === 'voice' ? INVALID_VOICE : INVALID_STATUS),
    fallback: (row, _error, arrival) =>
      inLanguage(routeOf(row).fallback, parts.languages.of(firstValues(readForm(arrival) ?? {}))),
    // A caller hears the sentence whatever is kept; a report is sent again when it is refused.
    notKept: (row) => (routeOf(row).keeps === 'before answering' ? NOT_KEPT : undefined),
    async keepFailed(row, arrival) {
      const { path, keeps } = routeOf(row)
      if (keeps === 'nothing') return
      const kept = keepForLater(parts.inbox, path, arrival)
      if (keeps === 'before answering') return kept
      await Promise.race([kept, delay(CALLER_WAITS_MS, undefined, { ref: false })])
    },
  }
}

function toRow(parts: TelcoParts, route: Route): WebhookRow {
  return {
    path: route.path,
    describes: { ...TELCO_FORMS[route.path], reply: replyOf(route) },
    access: 'own',
    deadlineMs: route.kind === 'voice' ? VOICE_DEADLINE_MS : STATUS_DEADLINE_MS,
    bodyBytesMax: FORM_BYTES_MAX,
    run: (open, arrival) => traced(open, arrival, (opened) => route.run(parts, opened, readGiven(parts, arrival))),
  }
}

/** Calls and messages are answered with markup, reports with a word: each route's last resort is of its kind. */
function replyOf({ fallback, kind }: Route): DescribedBody {
  const contentType =
    kind === 'voice' && inLanguage(fallback).contentType.startsWith('text/xml') ? 'text/xml' : 'text/plain'
  return { contentType, schema: { type: 'string' } }
}

function inLanguage(reply: Reply | SpokenReply, language?: string): Reply {
  return typeof reply === 'function' ? reply(language) : reply
}

function readGiven({ languages }: TelcoParts, { target, headers, body, params, about }: Arrival): Given {
  const form = firstValues(readForm({ headers, body }) ?? {})
  const event = parseCallEvent(form)
  about.callSid = event?.sid ?? (readSid(form.MessageSid || form.SmsSid) || undefined)
  const query = new URLSearchParams(rawQuery(target))
  return { request: { form, query, event, callId: undefined }, params, about, language: languages.of(form) }
}

async function callStatus(_parts: AnswerParts, open: OpenEnv, given: Given): Promise<Reply> {
  const { callId } = await located(open, given)
  return textReply(callId === undefined ? 'False' : String(callId))
}

function routed(name: 'number' | 'domain'): Route['run'] {
  return async (parts, open, given) => {
    if (given.request.event === undefined) return NO_CALL(given.language)
    return markupReply(await parts.routing[name](open, await located(open, given)))
  }
}

async function application(parts: AnswerParts, open: OpenEnv, given: Given): Promise<Reply> {
  if (given.request.event === undefined) return NO_CALL(given.language)
  const request = await located(open, given)
  return markupReply(await parts.routing.markupApplication(open, readRecordId(given), request))
}

async function gatherResult(parts: AnswerParts, open: OpenEnv, given: Given): Promise<Reply> {
  if (given.request.event === undefined) return NO_CALL(given.language)
  const request = await located(open, given, recordKnownReport)
  return markupReply(await parts.routing.gatherResult(open, readRecordId(given), request))
}

async function callAction(parts: AnswerParts, open: OpenEnv, given: Given): Promise<Reply> {
  const { routing } = parts
  // A closed list (docs/reference/domain.md#call-actions); connect.callflow is the legacy name of call flows.
  const actions: Record<string, CallRouting['userCallAction'] | undefined> = {
    'connect.user': routing.userCallAction,
    'connect.telco.callflow': routing.callflowCallAction,
    'connect.callflow': routing.callflowCallAction,
    'connect.voiceai_agent': routing.agentCallAction,
  }
  const { model = '' } = given.params
  const action = Object.hasOwn(actions, model) ? actions[model] : undefined
  if (action === undefined) return HANGUP_REPLY
  if (given.request.event === undefined) return NO_CALL(given.language)
  const request = await located(open, given, recordKnownReport)
  return markupReply(await action(open, readRecordId(given), request))
}

/** The request with the call that the ledger has for it, after recording what it says of its leg. */
async function located(open: OpenEnv, { request, about }: Given, record = recordReport): Promise<TelcoRequest> {
  const callId = await open((env) => record(env, request))
  about.call = callId
  return { ...request, callId }
}

type Effect = 'recordRecordings' | 'recordVoicemails' | 'receiveMessages' | 'recordMessageStatuses'

function effect(name: Effect, reply: Reply): Route['run'] {
  return async ({ effects }, open, { request }) => {
    await open((env) => effects[name](env, [request]))
    return reply
  }
}

/** Does nothing, and answers `otherwise`, when the request names no call. */
function ofCall(otherwise: Reply | SpokenReply, run: Route['run']): Route['run'] {
  return async (parts, open, given) =>
    given.request.event === undefined ? inLanguage(otherwise, given.language) : run(parts, open, given)
}

async function callerIdResult({ effects }: TelcoParts, open: OpenEnv, { request }: Given): Promise<Reply> {
  const isKnown = await open((env) => effects.recordCallerIdResult(env, request))
  return textReply(isKnown ? 'True' : 'False')
}

/** 0, which no record has, for what is no id: routing then says that there is no such record. */
function readRecordId({ params: { record = '' } }: Given): number {
  return ID_IN_ADDRESS.test(record) ? Number(record) : 0
}
