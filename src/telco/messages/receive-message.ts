import { sql } from '../../database/drizzle.ts'
import { param, statement } from '../../database/statement.ts'
import { recordIncomingMessages } from '../../ledger/messages/receive-message.ts'
import type { Env } from '../../platform/access/env.ts'
import type { Values } from '../../platform/model/model.ts'
import type { TelcoRequest } from '../webhooks/request.ts'
import { parseValues } from './message-configuration.ts'

// Read by its table, and so past the access rules on purpose: the webhook's identity may not read the configuration,
// and a message must not get lost for it.
const FIND = statement<{ default_values: string | null }, { number: string }>(
  'message_configuration_of_number',
  sql`select c.default_values from connect_telco_number n join connect_telco_message_configuration c on c.number = n.id
      where n.phone_number = ${param('number')}`,
)

/** Stores each incoming SMS, MMS or WhatsApp message once, in the conversation it belongs to. */
export function receiveMessages(env: Env, requests: readonly TelcoRequest[]): Promise<void> {
  return recordIncomingMessages(env, requests, contactDefaults)
}

async function contactDefaults(env: Env, number: string): Promise<Values> {
  const [configuration] = await env.db.run(FIND, { number })
  return configuration === undefined ? {} : parseValues(configuration.default_values || '{}')
}
