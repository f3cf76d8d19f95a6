import { sql } from '../../database/drizzle.ts'
import { Refusal } from '../../errors.ts'
import type { Env } from '../../platform/access/env.ts'
import { isWebhook } from '../../platform/access/identity.ts'
import type { Row, Values } from '../../platform/model/model.ts'
import { withoutChannel } from './message-words.ts'
import { requirePostable } from './thread.ts'

/** Completes a message that somebody writes down through the API: who sends it, and which way it goes. */
export async function prepareMessage(env: Env, given: Values, current: Row | undefined): Promise<Values> {
  const values = { ...given }
  for (const name of ['from_number', 'to_number']) {
    const address = values[name]
    if (typeof address === 'string') values[name] = withoutChannel(address)
  }
  await requireThread(env, values, current)
  const isPerson = env.identity.userId > 0 && !isWebhook(env.identity)
  if (current === undefined && isPerson && values.status !== 'received') values.sender_user ??= env.identity.userId
  if (current === undefined || 'from_number' in values)
    values.direction = await directionOf(env, { ...current, ...values })
  return values
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

/** The record a message is put on must be one on which its writer may post; answers of the customer go there too. */
async function requireThread(env: Env, values: Values, current: Row | undefined): Promise<void> {
  if (!('res_model' in values || 'res_id' in values)) return
  const { res_model: model, res_id: id } = { res_model: null, res_id: null, ...current, ...values }
  if (isBlank(model) && isBlank(id)) return
  if (typeof model !== 'string' || typeof id !== 'number' || isBlank(model)) {
    throw new Refusal('refused', 'A thread is named by both "res_model" and "res_id" of connect.message.')
  }
  await requirePostable(env, { model, id })
}

function isBlank(value: unknown): boolean {
  return value === null || value === undefined || value === false || value === ''
}
