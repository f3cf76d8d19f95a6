import { sql } from '../../database/drizzle.ts'
import { listed } from '../../database/listed.ts'
import { param, statement } from '../../database/statement.ts'
import { formsOfSubscriber } from '../../number-plans.ts'
import type { Env } from '../../platform/access/env.ts'

/** A number of ours that somebody named, which may be stored in another form. */
interface Named {
  number: string
  forms: readonly string[]
}

const IS_USABLE = sql`s.status = 'ONLINE' and s.no_sync is not true`

// The user's own, else the default, else any; each only while it can send.
const WHATSAPP = statement<{ number: string }, { user: number }>(
  'sender_whatsapp',
  sql`select s.number from connect_whatsapp_sender s
      left join connect_user u on u."user" = ${param('user')} and u.whatsapp_sender_id = s.id
      where ${IS_USABLE} order by (u.id is null), (s.is_default is not true), s.number, s.id limit 1`,
)
const ONE_WHATSAPP = statement<{ number: string }, Named>(
  'sender_whatsapp_named',
  sql`select s.number from connect_whatsapp_sender s where s.number in ${listed('forms', 'text')} and ${IS_USABLE}
      order by s.number <> ${param('number')}, s.id limit 1`,
)
// The number they wrote to, else the user's or the default caller id where that is a number of ours, else any.
const SMS = statement<{ number: string }, { user: number; to: string }>(
  'sender_sms',
  sql`select number from (
        select 0 as rank, n.phone_number as number from (
          select to_number from connect_message
          where from_number = ${param('to')} and direction = 'incoming' and message_type <> 'WhatsApp'
          order by id desc limit 1) last
        join connect_telco_number n on n.phone_number = last.to_number
        union all
        select 1, n.phone_number from connect_user u join connect_telco_outgoing_callerid c on c.id = u.telco_outgoing_callerid
        join connect_telco_number n on n.phone_number = c.number where u."user" = ${param('user')}
        union all
        select 2, n.phone_number from connect_telco_outgoing_callerid c
        join connect_telco_number n on n.phone_number = c.number where c.is_default
        union all
        (select 3, phone_number from connect_telco_number where is_ignored is not true order by phone_number limit 1)
      ) candidates order by rank limit 1`,
)
const ONE_SMS = statement<{ number: string }, Named>(
  'sender_sms_named',
  sql`select phone_number as number from connect_telco_number where phone_number in ${listed('forms', 'text')}
      order by phone_number <> ${param('number')}, id limit 1`,
)

/** The WhatsApp number that somebody writes from; `wanted` is one they named. Undefined when there is none that can send. */
export async function findWhatsAppSender(env: Env, wanted: string | undefined): Promise<string | undefined> {
  const [sender] =
    wanted === undefined
      ? await env.db.run(WHATSAPP, { user: env.identity.userId })
      : await env.db.run(ONE_WHATSAPP, { number: wanted, forms: formsOfSubscriber(wanted) })
  return sender?.number
}

/** The number of ours that a text to `to` goes out from; `wanted` is one they named. */
export async function findSmsSender(env: Env, to: string, wanted: string | undefined): Promise<string | undefined> {
  const [sender] =
    wanted === undefined
      ? await env.db.run(SMS, { user: env.identity.userId, to })
      : await env.db.run(ONE_SMS, { number: wanted, forms: formsOfSubscriber(wanted) })
  return sender?.number
}
