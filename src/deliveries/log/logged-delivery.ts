import type { VerificationSettings } from '../inbox/settings-file.ts'
import type { Arrival, Reply, Subject, WebhookRow, WebhookTable } from '../webhooks/webhook-table.ts'
import type { Delivery } from './delivery-log.ts'
import type { Verdict } from './delivery-model.ts'
import { redactHeaders, redactText, secretsOf } from './redact.ts'

/** Bytes of a body that are looked at for the log; it keeps fewer characters than that. */
const LOGGED_BYTES_MAX = 256 * 1024
/** Bytes of a rejected body that are kept: a form of the provider has fewer. */
export const REJECTED_BODY_BYTES_MAX = 8 * 1024

/** How a delivery ended, and after how long. */
export interface Ended {
  reply: Reply
  verdict: Verdict
  reason: string | undefined
  ms: number
  settings: VerificationSettings | undefined
  /** What it was about, where that is known. */
  subject?: Subject
  /** How many bytes came of a body that was not received. */
  bodyBytes?: number | undefined
}

/** A delivery as it is logged: without our secrets, and with no more of it than is useful. */
export function toDelivery(
  { table, row }: { table: WebhookTable; row: WebhookRow },
  arrival: Arrival,
  { reply, verdict, reason, ms, settings, subject, bodyBytes }: Ended,
): Delivery {
  const secrets = secretsOf(settings)
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
export function loggedSize({ target, headers, body, reply, reason = '' }: Delivery): number {
  const ofHeaders = Object.entries(headers).reduce((sum, [name, value]) => sum + name.length + value.length, 0)
  return target.length + ofHeaders + Buffer.byteLength(body) + reply.length + reason.length + ROW_BYTES
}

/** What a row weighs beside its texts: its columns, its places in the indexes. */
const ROW_BYTES = 500

function loggedBytes({ keepsRejectedBody }: WebhookTable, verdict: Verdict): number {
  if (verdict !== 'rejected') return LOGGED_BYTES_MAX
  return keepsRejectedBody === true ? REJECTED_BODY_BYTES_MAX : 0
}
