import { sql } from '../../database/drizzle.ts'
import { idList } from '../../database/ids.ts'
import type { Env } from '../../platform/access/env.ts'
import { type Remarks, sentencesOf } from '../../platform/model/remarks.ts'
import { statusUrl } from '../applications/webhook-url.ts'

interface SenderRow {
  id: number
  number: string
  status: string | null
  no_sync: boolean
  is_default: boolean
  users: string | null
  is_ours: boolean
}

/** What of WhatsApp senders does not work together, each as a sentence. */
export async function senderRemarks(env: Env, ids: readonly number[]): Promise<Remarks> {
  const { apiUrl, telcoEdge } = env.settings
  const callback = statusUrl(apiUrl, '/telco/webhook/message_status', telcoEdge)
  const senders = await env.db.query<SenderRow>(
    sql`select s.id, s.number, s.status, s.no_sync is true as no_sync, s.is_default is true as is_default,
          (select string_agg(u.name, ', ' order by u.name) from connect_user u
            where u.whatsapp_sender_id = s.id and u.active is not false) as users,
          exists (select 1 from connect_telco_number n where n.phone_number = s.number) as is_ours
        from connect_whatsapp_sender s where s.id in (${idList(ids)})`,
  )
  return new Map(senders.map((sender) => [sender.id, remarksOf(sender, callback !== null)]))
}

function remarksOf({ status, number, users, ...sender }: SenderRow, hasCallback: boolean): string[] {
  const isUsed = sender.is_default || users !== null
  return sentencesOf([
    [!sender.is_ours, `${number} is not one of your numbers here, so calls and texts to it do not arrive.`],
    [
      !hasCallback,
      'The public address is not set, so Twilio can neither deliver messages to it nor report on those it sent.',
    ],
    [!sender.no_sync && status === null, 'Its status is not known yet, so nothing is sent from it. Sync with Twilio.'],
    [!sender.no_sync && status !== null && status !== 'ONLINE', `Its status is ${status}, so nothing is sent from it.`],
    [isUsed && sender.no_sync, 'It is in use but not synced, so nothing is sent from it.'],
  ])
}
