import { isOwnAddress } from '../../directory/own-addresses.ts'
import { Refusal } from '../../errors.ts'
import type { Env } from '../../platform/access/env.ts'
import { isWebhook } from '../../platform/access/identity.ts'
import type { Check, Checked, Row, Values } from '../../platform/model/model.ts'
import { withoutChannel } from './message-words.ts'
import { requirePostable } from './thread.ts'

/** What a message has to follow beside its fields. */
export const MESSAGE_CHECKS: readonly Check[] = [
  {
    fields: ['res_model', 'res_id'],
    says: 'A thread is named by both "res_model" and "res_id": a record on which its writer may post.',
    require: requireThread,
  },
]

/** Completes a message that somebody writes down through the API: who sends it, and which way it goes. */
export async function prepareMessage(env: Env, given: Values, current: Row | undefined): Promise<Values> {
  const values = { ...given }
  for (const name of ['from_number', 'to_number']) {
    const address = values[name]
    if (typeof address === 'string') values[name] = withoutChannel(address)
  }
  const isPerson = env.identity.userId > 0 && !isWebhook(env.identity)
  if (current === undefined && isPerson && values.status !== 'received') values.sender_user ??= env.identity.userId
  if (current === undefined || 'from_number' in values)
    values.direction = await directionOf(env, { ...current, ...values })
  return values
}

async function directionOf(env: Env, message: Values): Promise<'incoming' | 'outgoing'> {
  if (typeof message.sender_user === 'number') return 'outgoing'
  if (message.status === 'received') return 'incoming'
  return (await isOwnAddress(env.db, message.from_number)) ? 'outgoing' : 'incoming'
}

/** The record a message is put on must be one on which its writer may post; answers of the customer go there too. */
async function requireThread({ env, values, current }: Checked): Promise<void> {
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
