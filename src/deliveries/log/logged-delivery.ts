import type { Platform } from '../../platform/access/env.ts'
import type { VerificationSettings } from '../../platform/settings/settings.ts'
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
export function logDelivery(parts: LogParts, { table, row }: TableRow, arrival: IncomingRequest, ended: Ended): void {
  const { platform, deliveries, rejections } = parts
  const { verdict, reason, isSigned = false } = ended
  const delivery = toDelivery({ table, row }, arrival, ended)
  if (verdict !== 'rejected') {
    deliveries.log(delivery)
    return
  }
  if (!rejections.allows(isSigned ? 'signed' : 'bare', loggedSize(delivery), arrival.receivedAt)) return
  platform.log.warn({ route: delivery.route, reason }, reason)
  const isExplained =
    isSigned && arrival.body.length > 0 && table.explain !== undefined && rejections.explains(arrival.receivedAt)
  const finding = isExplained ? table.explain?.(arrival, ended.settings).catch(() => undefined) : undefined
  if (finding === undefined) deliveries.log(delivery)
  else
    deliveries.logLater(finding.then((why = reason) => toDelivery({ table, row }, arrival, { ...ended, reason: why })))
}

/** A delivery as it is logged: without our secrets, and with no more of it than is useful. */
function toDelivery(
  { table, row }: TableRow,
  arrival: IncomingRequest,
  { reply, verdict, reason, ms, settings, subject, bodyBytes }: Ended,
): Delivery {
  const secrets = settings?.secrets ?? []
  return {
    area: table.area,
    route: table.prefix + row.path,
    verdict,
    reason: reason === undefined ? undefined : redactText(reason, secrets),
    status: reply.status,
    ms,
    receivedAt: arrival.receivedAt,
    call: subject?.call,
    conversation: subject?.conversation,
    callSid: subject?.callSid,
    host: arrival.host,
    target: redactText(arrival.target, secrets),
    headers: redactHeaders(arrival.headers, secrets),
    body: redactText(arrival.body.toString('utf8', 0, loggedBytes(table, verdict)), secrets),
    bodyBytes: bodyBytes ?? arrival.spooled?.bytes ?? arrival.body.length,
    reply: redactText(reply.body, secrets),
  }
}

/** Bytes that a delivery takes in the log, near enough to limit them. */
function loggedSize({ target, headers, body, reply, reason = '' }: Delivery): number {
  const ofHeaders = Object.entries(headers).reduce((sum, [name, value]) => sum + name.length + value.length, 0)
  return target.length + ofHeaders + Buffer.byteLength(body) + reply.length + reason.length + ROW_BYTES
}

/** What a row weighs beside its texts: its columns, its places in the indexes. */
const ROW_BYTES = 500

function loggedBytes({ keepsRejectedBody }: WebhookTable, verdict: Verdict): number {
  if (verdict !== 'rejected') return LOGGED_BYTES_MAX
  return keepsRejectedBody === true ? REJECTED_BODY_BYTES_MAX : 0
}
