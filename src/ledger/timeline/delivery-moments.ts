import { parseJson } from '../../json.ts'
import { type RejectionKind, rejectionKind } from '../../rejection-kind.ts'
import { storedMs } from '../../time.ts'
import { verificationWords } from '../calls/call-words.ts'
import { wasPickedUp } from '../legs/dial-report.ts'
import { answerWords, errorWords, sipWords, stepsOf, ticketWords } from './delivery-words.ts'
import type { DeliveryRow, LegRow } from './find-moments.ts'
import type { Draft } from './moment.ts'
import type { Params } from './sentences.ts'

/** Names of voice agents by the ids that the platform has for them. */
export type AgentNames = ReadonlyMap<string, string>
type Content = Pick<Draft, 'kind' | 'lane' | 'title' | 'params'>

const NO_CALL_CONTENT = ['rejected', 'refused', 'failed']
/** Deliveries that are known by the end of their route. */
const BY_PAGE: Readonly<Record<string, Content>> = {
  conversation_initiation: { kind: 'conversation', lane: 'routing', title: 'conversation_begins', params: {} },
  recordingstatus: { kind: 'recording', lane: 'records', title: 'recording_reported', params: {} },
  vm_recordingstatus: { kind: 'voicemail', lane: 'records', title: 'voicemail_reported', params: {} },
}

/** A delivery of a provider as a moment. Its reason and body are for administrators: here stands what came of it. */
export function deliveryMoment(
  row: DeliveryRow,
  agents: AgentNames,
  { isAdmin, legs = [] }: { isAdmin: boolean; legs?: readonly LegRow[] },
): Draft {
  const fields = formOf(row)
  const happened = Date.parse(fields.get('Timestamp') ?? '')
  return {
    ...(ofMobile(row, fields, { agents, legs }) ?? contentOf(row, fields, agents, isAdmin)),
    writtenMs: storedMs(row.at),
    clock: 'ours',
    happenedMs: Number.isNaN(happened) ? undefined : happened,
    rank: 1,
    ref: ['connect.delivery', row.id],
    delivery: row.id,
    took_ms: row.ms,
    ...(row.budget_ms === null ? {} : { budget_ms: row.budget_ms }),
    verdict: row.verdict,
  }
}

/** The form that the phone provider sent; empty for everybody else's. */
export function formOf({ body }: Pick<DeliveryRow, 'body'>): URLSearchParams {
  return new URLSearchParams(body === null || body.trimStart().startsWith('{') ? '' : body)
}

/** `gather` of `/telco/webhook/callflow/:record/gather`. */
function pageOf(route: string): string {
  return route.split('/').findLast((part) => part !== '' && !part.startsWith(':')) ?? route
}

function contentOf(row: DeliveryRow, fields: URLSearchParams, agents: AgentNames, isAdmin: boolean): Content {
  const page = pageOf(row.route)
  if (NO_CALL_CONTENT.includes(row.verdict)) {
    const params = { page: row.tool ?? page, reason: isAdmin ? row.reason : null }
    return { kind: 'delivery', lane: row.tool === null ? 'status' : 'tools', title: titleOf(row), params }
  }
  if (row.tool !== null) {
    const params = { name: row.tool, say: ticketWords(row.reply ?? '') }
    return { kind: 'tool', lane: 'tools', title: 'tool', params }
  }
  if (page === 'post_call') return conversationDelivered(row)
  return withoutAudio(page, fields) ?? BY_PAGE[page] ?? ofPhoneProvider(row, fields, agents, page)
}

const REJECTED: Readonly<Record<RejectionKind, string>> = {
  plain_http: 'rejected_plain_http',
  signature: 'rejected',
  token: 'rejected_token',
  unverified: 'rejected_unverified',
}

/** One that was rejected says for what. */
function titleOf({ verdict, reason }: DeliveryRow): string {
  return verdict === 'rejected' ? REJECTED[rejectionKind(reason)] : verdict
}

function ofPhoneProvider({ reply }: DeliveryRow, fields: URLSearchParams, agents: AgentNames, page: string): Content {
  const steps = stepsOf(reply ?? '', agents)
  const did = answerWords(reply ?? '', agents)
  const dialled = fields.get('DialCallStatus')
  const [status, sip, error] = [fields.get('CallStatus'), sipWords(fields), errorWords(fields)]
  const params: Params = { page, status, sip, error, did, steps }
  if (dialled !== null) return { kind: 'request', lane: 'routing', title: 'dial_ended', params: { ...params, dialled } }
  if (steps.length > 0) {
    const isNew = status === 'ringing' && fields.get('Direction') !== 'outbound-dial'
    const input = page === 'gather' ? inputOf(fields) : undefined
    const title = input?.title ?? (isNew ? 'call_arrives' : 'asked')
    return {
      kind: 'request',
      lane: 'routing',
      title,
      params: { ...params, ...toldOf(title, fields), ...input?.params },
    }
  }
  if (status !== null) return { kind: 'report', lane: 'status', title: 'report', params }
  return { kind: 'delivery', lane: 'records', title: 'delivered', params: { page } }
}

/**
 * What a mobile was asked that picked up, what its key meant, and that it was not taken: by whom, and what came next. Undefined for
 * everything else. A voicemail picks up as a person does; only the key tells.
 */
function ofMobile(
  { route, verdict, sid, reply }: DeliveryRow,
  fields: URLSearchParams,
  { agents, legs }: { agents: AgentNames; legs: readonly LegRow[] },
): Content | undefined {
  if (pageOf(route) !== 'call_action' || NO_CALL_CONTENT.includes(verdict)) return undefined
  const dialled = fields.get('DialCallStatus')
  const leg = legs.find((each) => each.sid === (dialled === null ? sid : fields.get('DialCallSid')))
  const who = leg?.called_name ?? leg?.to ?? fields.get('To')
  const did = answerWords(reply ?? '', agents)
  const params: Params = { who, did, steps: stepsOf(reply ?? '', agents) }
  const of = (title: string, more: Params = {}): Content => ({
    kind: 'request',
    lane: 'routing',
    title,
    params: { ...params, ...more },
  })
  if (dialled !== null)
    return wasPickedUp(dialOf(fields)) && leg?.to.startsWith('+') ? of('mobile_not_taken') : undefined
  if (fields.get('Direction') !== 'outbound-dial') return undefined
  const digits = fields.get('Digits')
  if (digits === null) return of('mobile_asked')
  return digits === '1' ? of('mobile_taken') : of('mobile_declined', { digits })
}

/** What the request after a dial says of how that ended. */
function dialOf(fields: URLSearchParams): { DialCallStatus: string; DialBridged: string } {
  return { DialCallStatus: fields.get('DialCallStatus') ?? '', DialBridged: fields.get('DialBridged') ?? '' }
}

/** The conversation, with the platform's words for how it ended where they are within what was read of the delivery. */
function conversationDelivered({ body }: DeliveryRow): Content {
  const [, written] = /"termination_reason"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(body ?? '') ?? []
  const ended = written === undefined ? undefined : parseJson(written)
  return { kind: 'conversation', lane: 'records', title: 'conversation_delivered', params: { ended: ended ?? null } }
}

/** What the network says of a caller. */
function toldOf(title: string, fields: URLSearchParams): Params {
  if (title !== 'call_arrives') return {}
  return {
    caller_name: fields.get('CallerName'),
    forwarded: fields.get('ForwardedFrom'),
    verified: verificationWords(fields.get('StirVerstat')),
  }
}

/** A report that there is no audio: nobody spoke, or recording failed. */
function withoutAudio(page: string, fields: URLSearchParams): Content | undefined {
  const status = fields.get('RecordingStatus') ?? ''
  const isNone = ['absent', 'failed'].includes(status.toLowerCase())
  if (page === 'recordingstatus' && isNone) {
    return { kind: 'recording', lane: 'records', title: 'recording_none', params: { status } }
  }
  if (page !== 'vm_recordingstatus' || !(isNone || fields.get('RecordingDuration') === '0')) return undefined
  // Not of the kind of those that somebody left.
  return { kind: 'delivery', lane: 'records', title: 'voicemail_none', params: {} }
}

/** What the caller pressed or said at a menu; undefined when that was nothing. */
function inputOf(fields: URLSearchParams): Pick<Content, 'title' | 'params'> | undefined {
  const [digits, speech] = [fields.get('Digits'), fields.get('SpeechResult')]
  if (digits) return { title: 'pressed', params: { digits } }
  return speech ? { title: 'spoke', params: { speech: speech.slice(0, SPEECH_CHARS_MAX).toWellFormed() } } : undefined
}

/** Characters of what was said at a menu that one moment repeats. */
const SPEECH_CHARS_MAX = 300
