import { sql } from '../../database/drizzle.ts'
import { param, statement } from '../../database/statement.ts'
import { Refusal } from '../../errors.ts'
import type { Env } from '../../platform/access/env.ts'
import { writtenBy } from '../../platform/model/written-by.ts'
import { storedTime } from '../../time.ts'
import type { IncomingMessage } from './incoming-message.ts'

/** "Attempt to send to unsubscribed recipient" (https://www.twilio.com/docs/api/errors/21610). */
const UNSUBSCRIBED = '21610'

interface Parties {
  channel: string
  ours: string
  theirs: string
}

const REMEMBER = statement<never, Parties & { at: string | null }>(
  'conversation_opt_out',
  sql`update connect_conversation set opted_out_at = ${param('at')}::timestamp, ${writtenBy(null)}
      where channel = ${param('channel')} and ours = ${param('ours')} and theirs = ${param('theirs')}`,
)
const REMEMBER_REFUSED = statement<never, { id: number; at: string }>(
  'conversation_opt_out_refused',
  sql`update connect_conversation c set opted_out_at = coalesce(c.opted_out_at, ${param('at')}::timestamp),
        ${writtenBy(null)}
      from connect_message m where m.id = ${param('id')} and c.id = m.conversation`,
)
// WhatsApp messages are taken whatever was written before.
const FORGET = statement<never, { id: number }>(
  'conversation_opt_out_over',
  sql`update connect_conversation c set opted_out_at = null, ${writtenBy(null)}
      from connect_message m where m.id = ${param('id')} and c.id = m.conversation and c.channel = 'sms'
        and c.opted_out_at is not null`,
)
const FIND = statement<{ day: string | null }, Parties>(
  'conversation_opted_out',
  sql`select to_char(opted_out_at, 'YYYY-MM-DD HH24:MI:SS') as day from connect_conversation
      where theirs = ${param('theirs')} and ours = ${param('ours')} and channel = ${param('channel')}`,
)

/** Remembers, of messages that were just stored, who wants no more and who wants them again. */
export function rememberOptOuts(env: Pick<Env, 'db' | 'now'>, messages: readonly IncomingMessage[]): void {
  for (const { optOut, type, from: theirs, to: ours } of messages) {
    if (optOut === undefined) continue
    const at = optOut === 'stop' ? storedTime(env.now) : null
    env.db.send(REMEMBER, { channel: channelOf(type), ours, theirs, at })
  }
}

/** Remembers an opt-out of which only the provider knows: it refused a message of ours for it. */
export function rememberRefused(env: Pick<Env, 'db' | 'now'>, id: number, errorCode: string | null): void {
  if (errorCode === UNSUBSCRIBED) env.db.send(REMEMBER_REFUSED, { id, at: storedTime(env.now) })
}

/** Forgets an opt-out when the provider takes a text for the same pair: it refuses each until they want them again. */
export function forgetOptOut({ db }: Pick<Env, 'db'>, id: number): void {
  db.send(FORGET, { id })
}

/** Since when the other party wants no messages from this number of ours; undefined when they do. */
export async function optedOutAt({ db }: Pick<Env, 'db'>, { type, ours, theirs }: Party): Promise<string | undefined> {
  const [found] = await db.run(FIND, { channel: channelOf(type), ours, theirs })
  return found?.day ?? undefined
}

interface Party {
  type: string
  ours: string
  theirs: string
}

/** Throws a refusal when the other party has opted out: the provider would refuse the message. */
export async function requireOptedIn(env: Pick<Env, 'db'>, party: Party): Promise<void> {
  const at = await optedOutAt(env, party)
  if (at === undefined) return
  const what = channelOf(party.type) === 'sms' ? 'texts' : 'WhatsApp messages'
  throw new Refusal('refused', 'opted-out', { what, theirs: party.theirs, ours: party.ours, day: at.slice(0, 10) })
}

/** Texts and pictures are one conversation. */
export function channelOf(type: string): 'sms' | 'WhatsApp' {
  return type === 'WhatsApp' ? 'WhatsApp' : 'sms'
}
