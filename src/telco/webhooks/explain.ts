import { Type } from 'typebox'
import type { Queryable } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { REJECTED_BODY_BYTES_MAX } from '../../deliveries/log/logged-delivery.ts'
import { Refusal } from '../../errors.ts'
import type { ReadEnv } from '../../platform/access/env.ts'
import { GROUP } from '../../platform/access/identity.ts'
import { method } from '../../platform/model/model.ts'
import type { SettingsSnapshot } from '../../platform/settings/settings.ts'
import { rejectionKind } from '../../rejection-kind.ts'
import { signatureOf } from './authentication.ts'
import { explainSignature, type SignatureExplanation } from './explain-signature.ts'
import { parseForm } from './form.ts'

/** Newest deliveries that are looked through for an accepted one. */
const LOOKED_THROUGH_MAX = 5_000
/** The checks send such a webhook to the service themselves, signed with whatever token is set: that it is accepted proves nothing. */
export const SENT_BY_CHECKS = '/telco/webhook/callaction'

interface RejectedRow {
  verdict: string
  reason: string | null
  host: string | null
  target: string
  headers: Record<string, string>
  body: string | null
  body_bytes: number | null
}

/**
 * `connect.settings/explain_signature {delivery_id}`: why a logged telephony delivery was rejected, and which setting
 * would have to change. Never tells a token.
 */
export const explainSignatureMethod = method({
  label: 'Explain a bad signature',
  reply: Type.Object({
    url: Type.Optional(Type.String()),
    expected: Type.Optional(Type.String()),
    differs: Type.Array(Type.String()),
    isSigned: Type.Boolean(),
    sentence: Type.String(),
  }),
  operation: 'read',
  groups: [GROUP.connectAdmin],
  args: Type.Object({ delivery_id: Type.Integer({ minimum: 1 }) }),
  async run(env, _ids, { delivery_id: id }) {
    const delivery = await findDelivery(env.db, id)
    if (delivery === undefined) throw new Refusal('not-found', 'no-logged-telephony-delivery', { id })
    if (delivery.verdict !== 'rejected') throw new Refusal('refused', 'delivery-was-not-rejected', { id })
    const explanation = await explainRow(env, delivery)
    if (explanation !== undefined) return explanation
    throw new Refusal('refused', 'form-delivery-longer-than-log-keeps', { id })
  },
})

/** The sentence for a rejected telephony delivery by the settings of now; undefined when too little of it was logged. */
export async function explainLogged(env: ReadEnv, id: number): Promise<string | undefined> {
  const delivery = await findDelivery(env.db, id)
  return delivery === undefined ? undefined : (await explainRow(env, delivery))?.sentence
}

async function findDelivery(db: Queryable, id: number): Promise<RejectedRow | undefined> {
  const [delivery] = await db.query<RejectedRow>(
    sql`select verdict, reason, host, target, headers, body, body_bytes from connect_delivery where id = ${id}::bigint and area = 'telco'`,
  )
  return delivery
}

async function explainRow(
  { db, settings }: Pick<ReadEnv, 'db' | 'settings'>,
  { reason, host, target, headers, body, body_bytes: bytes }: RejectedRow,
): Promise<SignatureExplanation | undefined> {
  const { authToken, apiUrl } = settings
  if ((bytes ?? 0) > REJECTED_BODY_BYTES_MAX) return undefined
  const explanation = await explainSignature({
    authTokens: authToken === undefined ? [] : [authToken],
    signature: signatureOf(headers),
    form: parseForm(Buffer.from(body ?? '')),
    host: headers.host,
    forwardedHost: headers['x-forwarded-host'],
    // The log keeps the host that was believed; when it is not the request's own, a trusted proxy named it.
    trustsProxy: host !== null && host !== headers.host,
    rawTarget: target,
    apiUrl,
  })
  const isUnknown = !explanation.isSigned && explanation.expected !== undefined
  const suspects = isUnknown ? [await tellSuspectsApart(db, settings)] : []
  return {
    ...explanation,
    sentence: [...loggedFirst(explanation, reason), explanation.sentence, ...suspects].join(' '),
  }
}

/** Plain http is all that the log says of what came over it: the explanation begins with the same, unless nothing is wrong any more. */
function loggedFirst({ isSigned, differs }: SignatureExplanation, reason: string | null): string[] {
  const isRight = isSigned && differs.length === 0
  return reason === null || isRight || rejectionKind(reason) !== 'plain_http' ? [] : [reason]
}

/** Which of what may be wrong is: a token with which something was accepted is the right one. */
async function tellSuspectsApart(db: Queryable, { secretsSet }: SettingsSnapshot): Promise<string> {
  const [accepted] = await db.query<{ id: number }>(
    sql`select id from (select id, area, route, verdict from connect_delivery
          where received_at >= coalesce(${tokenSetAt(secretsSet)}::timestamp, '-infinity')
          order by received_at desc limit ${LOOKED_THROUGH_MAX}::int) newest
        where area = 'telco' and verdict <> 'rejected' and route <> ${SENT_BY_CHECKS} limit 1`,
  )
  return accepted === undefined
    ? 'Nothing from Twilio was accepted since this Auth token was entered, so the Auth token is probably wrong.'
    : `Webhook ${accepted.id} was accepted with this Auth token, so this one is probably not from Twilio. Then nothing has to be changed.`
}

/** When the token that is in force was written, in UTC; null where nobody noted that. */
function tokenSetAt(secretsSet: unknown): string | null {
  const times = (secretsSet ?? {}) as { auth_token?: { at?: unknown } | null }
  const at = times.auth_token?.at
  return typeof at === 'string' ? at : null
}
