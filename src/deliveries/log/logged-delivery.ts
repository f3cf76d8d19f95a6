import type { Platform } from '../../platform/access/env.ts'
import type { VerificationSettings } from '../../platform/settings/settings.ts'
import { storedTime } from '../../time.ts'
import { CALL_HEADER } from '../tools/named-call.ts'
import { claimsTrial } from '../tools/trial-token.ts'
import type { IncomingRequest, Reply, Subject, TableRow, WebhookTable } from '../webhooks/webhook-table.ts'
import type { Delivery, DeliveryLog } from './delivery-log.ts'
import type { Verdict } from './delivery-model.ts'
import { redactHeaders, redactText } from './redact.ts'
import type { RejectionBudget } from './rejection-budget.ts'

/** Bytes of a body that are looked at for the log; it keeps fewer characters than that. */
const LOGGED_BYTES_MAX = 256 * 1024
/** Bytes of a rejected body that are kept: a form of the provider has fewer. */
export const REJECTED_BODY_BYTES_MAX = 8 * 1024

/** How a delivery ended, and after how long. */
export interface Ended {
  reply: Reply
  verdict: Verdict
  reason: string | undefined
  /** Of a rejection: whether there was a signature or token which could have been right. */
  isSigned?: boolean
  ms: number
  settings: VerificationSettings | undefined
  /** Undefined where nothing is known of what was sent. */
  subject?: Subject
  /** How many bytes came of a body that was not received. */
  bodyBytes?: number | undefined
}

interface LogParts {
  platform: Pick<Platform, 'log'>
  deliveries: DeliveryLog
  rejections: RejectionBudget
}

/** Logs a delivery that was answered: rejected ones as far as there is room, and with what is wrong where there is time. */
export function logDelivery(parts: LogParts, { table, row }: TableRow, request: IncomingRequest, ended: Ended): void {
  const { platform, deliveries, rejections } = parts
  const { verdict, reason, isSigned = false } = ended
  const delivery = toDelivery({ table, row }, request, ended)
  if (verdict !== 'rejected') {
    deliveries.log(delivery)
    return
  }
  if (!rejections.allows(isSigned ? 'signed' : 'bare', loggedSize(delivery), request.receivedAt)) return
  platform.log.warn({ route: delivery.route, reason }, reason)
  const isExplained =
    isSigned && request.body.length > 0 && table.explain !== undefined && rejections.explains(request.receivedAt)
  const finding = isExplained ? table.explain?.(request, ended.settings).catch(() => undefined) : undefined
  if (finding === undefined) deliveries.log(delivery)
  else
    deliveries.logLater(finding.then((why = reason) => toDelivery({ table, row }, request, { ...ended, reason: why })))
}

/** A delivery as it is logged: without our secrets, and with no more of it than is useful. */
function toDelivery(
  { table, row }: TableRow,
  request: IncomingRequest,
  { reply, verdict, reason, ms, settings, subject, bodyBytes }: Ended,
): Delivery {
  const secrets = settings?.secrets ?? []
  // Of a trial nothing is kept but that it was one.
  const isTrial = claimsTrial(request.headers[CALL_HEADER])
  return {
    area: table.area,
    route: table.prefix + row.path,
    verdict,
    reason: reason === undefined ? null : redactText(reason, secrets),
    status: reply.status,
    ms,
    received_at: storedTime(request.receivedAt),
    call_ref: subject?.call ?? null,
    conversation: subject?.conversation ?? null,
    tool: row.tool?.name ?? null,
    budget_ms: row.tool?.budgetMs() ?? null,
    inbox: subject?.inbox ?? null,
    call_sid: subject?.callSid ?? null,
    host: request.host,
    target: redactText(request.target, secrets),
    headers: redactHeaders(request.headers, secrets),
    body: redactText(request.body.toString('utf8', 0, loggedBytes(table, verdict, isTrial)), secrets),
    body_bytes: bodyBytes ?? request.spooled?.bytes ?? request.body.length,
    reply: isTrial ? '' : redactText(reply.body, secrets),
  }
}

/** Bytes that a delivery takes in the log, near enough to limit them. */
function loggedSize({ target, headers, body, reply, reason }: Delivery): number {
  const ofHeaders = Object.entries(headers as Record<string, string>).flat()
  const texts = [target, reply, reason, ...ofHeaders].reduce((sum, text) => sum + (text?.length ?? 0), 0)
  return texts + Buffer.byteLength(body ?? '') + ROW_BYTES
}

/** What a row weighs beside its texts: its columns, its places in the indexes. */
const ROW_BYTES = 500

function loggedBytes({ keepsRejectedBody }: WebhookTable, verdict: Verdict, isTrial: boolean): number {
  if (isTrial) return 0
  if (verdict !== 'rejected') return LOGGED_BYTES_MAX
  return keepsRejectedBody === true ? REJECTED_BODY_BYTES_MAX : 0
}
