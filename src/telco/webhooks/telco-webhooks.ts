import { setTimeout as delay } from 'node:timers/promises'
import type { Inbox } from '../../deliveries/inbox/inbox.ts'
import { refused } from '../../deliveries/webhooks/described-webhooks.ts'
import { NOT_SAVED } from '../../deliveries/webhooks/runner-replies.ts'
import type {
  Handled,
  IncomingRequest,
  Reply,
  WebhookRow,
  WebhookTable,
} from '../../deliveries/webhooks/webhook-table.ts'
import { readSid } from '../../ledger/legs/provider-form.ts'
import type { OpenEnv } from '../../platform/access/env.ts'
import type { DescribedBody } from '../../platform/api/api-operation.ts'
import { decideFromMemory, undecidedCall } from '../routing/decide-calls.ts'
import type { DialPlans } from '../routing/dial-plans.ts'
import type { RoutingContext } from './answering.ts'
import { checkTelcoHeaders, checkTelcoSignature, explainRejection, isSignedByProvider } from './authentication.ts'
import { trace } from './debug-trace.ts'
import { saveForLater } from './failed-events.ts'
import type { GatheredRecords, RecordedRequest, WaitingRequest } from './gathered-records.ts'
import { inLanguage, markupReply } from './replies.ts'
import { readRequest, type TelcoRequest } from './request.ts'
import { TELCO_FORMS } from './shapes.ts'
import { ROWS, rowAt, type TelcoRow } from './table.ts'

/**
 * The provider gives up after 15 s (docs/reference/providers.md#webhook-timeouts); by then a caller has long had our
 * fallback, and there was time to store the report, 5 s at most.
 */
const DEADLINE_MS = 8_000
/**
 * How long a caller, who has waited for the deadline already, waits for the report to be stored; it is stored after that
 * too.
 */
const CALLER_WAITS_MS = 500
/** A form of the provider has a few kB; call tokens and pasted texts make some larger. */
const FORM_BYTES_MAX = 1024 * 1024

interface TelcoParts {
  context: RoutingContext
  inbox: Inbox
  dialPlans: Pick<DialPlans, 'last' | 'languageOf'>
  records: GatheredRecords
}

/** The telephony webhooks as the runner serves them. */
export function telcoTable(parts: TelcoParts): WebhookTable {
  const { inbox, dialPlans } = parts
  return {
    area: 'telco',
    prefix: '/telco/webhook',
    rows: ROWS.map((row) => toWebhookRow(row, parts)),
    keepsRejectedBody: true,
    proof: {
      header: 'X-Telco-Signature',
      says: 'Signed with the Auth Token; X-Twilio-Signature, the name that the provider has for it, counts too',
      contentType: 'application/x-www-form-urlencoded',
      refusals: { 413: refused('Too large'), 503: refused('It could not be saved: send it again') },
    },
    authenticateHeaders: checkTelcoHeaders,
    authenticateBody: checkTelcoSignature,
    explain: explainRejection,
    subject: (arrival) => ({ callSid: callSidOf(readRequest(arrival)) }),
    reject: ({ path }) => rowAt(path).reject,
    fallback: ({ path }, _error, arrival) =>
      inLanguage(rowAt(path).fallback, dialPlans.languageOf(readRequest(arrival).form)),
    answerAfterFailure: ({ path }, arrival) => routeFromMemory(rowAt(path), arrival, dialPlans.last),
    // A caller hears the sentence whatever is stored; a report is sent again when it is refused.
    notSaved: ({ path }) => (rowAt(path).keep === 'before answering' ? NOT_SAVED : undefined),
    async replay({ path }, arrival) {
      const id = await saveForLater(inbox, path, arrival)
      return { inbox: id, call: id === undefined ? undefined : await inbox.process(id) }
    },
    isReplayed: ({ path }) => rowAt(path).keep !== 'never',
    isGenuine: isSignedByProvider,
    async saveFailed({ path }, arrival) {
      const { keep } = rowAt(path)
      if (keep === 'never') return undefined
      const saved = saveForLater(inbox, path, arrival)
      if (keep === 'before answering') return saved
      return Promise.race([saved, delay(CALLER_WAITS_MS, undefined, { ref: false })])
    },
  }
}

function toWebhookRow(row: TelcoRow, parts: TelcoParts): WebhookRow {
  return {
    path: row.path,
    describes: { ...TELCO_FORMS[row.path], reply: describedReplies(row) },
    access: 'own',
    deadlineMs: DEADLINE_MS,
    bodyBytesMax: FORM_BYTES_MAX,
    run: (open, arrival) => handle(row, { ...parts, open, arrival }),
  }
}

/** Calls and messages are answered with markup, reports with a word, and a stranger with what the row has for one. */
function describedReplies({ fallback, reject }: TelcoRow): DescribedBody[] {
  const isMarkup = [inLanguage(fallback), reject].map(({ contentType }) => contentType.startsWith('text/xml'))
  const types = new Set(isMarkup.map((is) => (is ? 'text/xml' : 'text/plain')))
  return [...types].map((contentType) => ({ contentType, schema: { type: 'string' } }))
}

interface Handling extends Omit<TelcoParts, 'inbox'> {
  open: OpenEnv
  arrival: IncomingRequest
}

async function handle(row: TelcoRow, { context, dialPlans, records, open, arrival }: Handling): Promise<Handled> {
  const request = readRequest(arrival)
  const { reply, callId, isDebugging } = await recordAndAnswer(row, {
    context,
    open,
    request,
    recordRequest: (...waiting) => records.recordRequest(...waiting),
    language: dialPlans.languageOf(request.form),
  })
  if (isDebugging) await trace(open, arrival, { reply, log: context.log })
  return { reply, subject: { callSid: callSidOf(request), call: callId } }
}

/** Records what the request says, as the row has it, and answers it. */
export async function recordAndAnswer(
  row: TelcoRow,
  {
    context,
    open,
    request,
    recordRequest,
    language,
  }: {
    context: RoutingContext
    open: OpenEnv
    request: TelcoRequest
    recordRequest(row: TelcoRow, waiting: WaitingRequest): Promise<RecordedRequest>
    /** Of the person who was called, as far as it is known without asking the database. */
    language?: string | undefined
  },
): Promise<{ reply: Reply; callId: number | undefined; isDebugging: boolean }> {
  const unusable = row.unusable?.(request)
  if (unusable !== undefined) return { reply: inLanguage(unusable, language), callId: undefined, isDebugging: false }
  const { recorded, plan, isDebugging } = await recordRequest(row, { open, request })
  const reply = await row.answer({ context, request, recorded, plan })
  return { reply, callId: recorded.callId, isDebugging }
}

/** What a call gets when it could not be recorded, as while the database is away; undefined on a route that answers none, and where no dial plan is known. */
function routeFromMemory(row: TelcoRow, arrival: IncomingRequest, last: DialPlans['last']): Reply | undefined {
  const request = readRequest(arrival)
  const route = row.route?.(request)
  if (route === undefined || last === undefined || row.unusable?.(request) !== undefined) return undefined
  const call = undecidedCall(request, undefined, route)
  return markupReply(decideFromMemory({ ...last, now: arrival.receivedAt }, call))
}

/** The leg or the message that the request names. */
function callSidOf({ event, form }: TelcoRequest): string | undefined {
  return event?.sid ?? (readSid(form.MessageSid || form.SmsSid) || undefined)
}
