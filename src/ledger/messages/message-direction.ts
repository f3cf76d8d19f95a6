import { sql } from '../../database/drizzle.ts'
import { Refusal } from '../../errors.ts'
import type { Env } from '../../platform/env.ts'
import { GROUP, isWebhook } from '../../platform/identity.ts'
import type { Row, Values } from '../../platform/model.ts'
import { withoutChannel } from './message-words.ts'

/** Completes a message that somebody writes down through the API: who sends it, and which way it goes. */
export async function prepareMessage(env: Env, given: Values, current: Row | undefined): Promise<Values> {
  const values = { ...given }
  for (const name of ['from_number', 'to_number']) {
    const address = values[name]
    if (typeof address === 'string') values[name] = withoutChannel(address)
  }
  requireOwnSid(env, values, current)
  const isPerson = env.identity.userId > 0 && !isWebhook(env.identity)
  if (current === undefined && isPerson && values.status !== 'received') values.sender_user ??= env.identity.userId
  if (current === undefined || 'from_number' in values)
    values.direction = await directionOf(env, { ...current, ...values })
  return values
}

/** By its id the provider's reports find a message: only administrators, who write down old ones, may choose it. */
function requireOwnSid({ identity }: Env, { message_sid: sid }: Values, current: Row | undefined): void {
  if (identity.isElevated || identity.groups.has(GROUP.connectAdmin)) return
  if (sid === undefined || sid === (current?.message_sid ?? null)) return
  throw new Refusal('refused', 'The field "message_sid" of connect.message is set by the service.')
}

async function directionOf(env: Env, message: Values): Promise<'incoming' | 'outgoing'> {
  if (typeof message.sender_user === 'number') return 'outgoing'
  if (message.status === 'received') return 'incoming'
  const ours = await env.db.query(
    sql`select 1 from connect_telco_number where phone_number = ${message.from_number}
        union all select 1 from connect_whatsapp_sender where number = ${message.from_number} limit 1`,
  )
  return ours.length > 0 ? 'outgoing' : 'incoming'
}
