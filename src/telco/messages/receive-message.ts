import { sql } from '../../database/drizzle.ts'
import { listed } from '../../database/listed.ts'
import { statement } from '../../database/statement.ts'
import { isIncoming, recordIncomingMessages } from '../../ledger/messages/receive-message.ts'
import { recordMessageStatuses } from '../../ledger/messages/record-message-status.ts'
import type { Env } from '../../platform/access/env.ts'
import type { Values } from '../../platform/model/model.ts'
import { byFormsOfNumber, withoutPlusToo } from '../numbers/without-plus.ts'
import type { TelcoRequest } from '../webhooks/request.ts'
import { parseValues } from './message-configuration.ts'

// Read by its table, and so past the access rules on purpose: the webhook's identity may not read the configuration,
// and a message must not get lost for it.
const FIND = statement<{ phone_number: string; default_values: string | null }, { numbers: readonly string[] }>(
  'message_configurations_of_numbers',
  sql`select n.phone_number, c.default_values
      from connect_telco_number n join connect_telco_message_configuration c on c.number = n.id
      where n.phone_number in ${listed('numbers', 'text')}`,
)

/** Stores each incoming SMS, MMS or WhatsApp message once, in the conversation it belongs to. */
export function receiveMessages(env: Env, requests: readonly TelcoRequest[]): Promise<void> {
  return recordIncomingMessages(env, requests, contactDefaults)
}

/** Records how far messages of ours have come; a message to us that comes to the address for reports is received. */
export async function recordMessageReports(env: Env, requests: readonly TelcoRequest[]): Promise<void> {
  const { incoming = [], reports = [] } = Object.groupBy(requests, (request) =>
    isIncoming(request) ? 'incoming' : 'reports',
  )
  if (incoming.length > 0) await receiveMessages(env, incoming)
  await recordMessageStatuses(env, reports)
}

async function contactDefaults(env: Env, numbers: readonly string[]): Promise<Map<string, Values>> {
  const configurations = await env.db.run(FIND, { numbers: withoutPlusToo([...new Set(numbers)]) })
  return byFormsOfNumber(configurations, ({ default_values: written }) => parseValues(written || '{}'))
}
