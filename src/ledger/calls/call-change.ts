import { sql } from '../../database/drizzle.ts'
import type { Env } from '../../platform/access/env.ts'
import { messagePost } from '../../platform/chatter/chatter.ts'
import type { Values } from '../../platform/model/model.ts'
import { isUnseen } from '../../unseen.ts'
import { giveToContacts } from './call-belongings.ts'

/** How a post begins that repeats the summary of a call, with its id. */
export const SUMMARY_HEAD = 'Summary of call '

/**
 * A contact that a call gets takes over what was made in it. A summary that somebody writes goes to the contact's chatter, and to
 * the ticket's, unless the settings say no.
 */
export async function afterCallChange(env: Env, { id, values }: { id: number; values: Values }): Promise<void> {
  if (typeof values.partner === 'number' || typeof values.ticket === 'number') await giveToContacts(env, [id])
  if (typeof values.summary !== 'string' || isUnseen(values.summary)) return
  await registerSummary(env, id, stripTags(values.summary))
}

/** Posts the summary of a call where people look for it. */
export async function registerSummary(env: Env, callId: number, summary: string): Promise<void> {
  const rows = await env.db.query<{ partner: number | null; ticket: number | null; register_summary: boolean | null }>(
    sql`select c.partner, c.ticket, s.register_summary from connect_call c
        cross join (select register_summary from connect_settings order by id limit 1) s where c.id = ${callId}::bigint`,
  )
  const [call] = rows
  if (call === undefined || call.register_summary === false) return
  const text = `${SUMMARY_HEAD}${callId}:\n${summary}`
  if (call.partner !== null) await messagePost(env, { model: 'res.partner', id: call.partner, text, subtype: 'note' })
  if (call.ticket !== null) await messagePost(env, { model: 'helpdesk.ticket', id: call.ticket, text, subtype: 'note' })
}

// A letter, a slash or a bang must follow: "a < b" is no tag. Without "<" inside, the time taken stays linear.
const TAG = /<[a-z/!][^<>]*>/gi

/** HTML as plain text: tags gone, the usual entities read back. */
export function stripTags(markup: string): string {
  return markup
    .replaceAll(/<(br|\/p|\/div|\/li)\s*\/?>/gi, '\n')
    .replaceAll(TAG, '')
    .replaceAll(/&(amp|lt|gt|quot|#39|nbsp);/g, (entity) => ENTITIES[entity] ?? entity)
    .trim()
}

const ENTITIES: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&nbsp;': ' ',
}
