import { sql } from '../../database/drizzle.ts'
import { param, statement } from '../../database/statement.ts'
import { Refusal } from '../../errors.ts'
import { mayAccess } from '../access/access.ts'
import type { Env } from '../access/env.ts'
import { records } from '../records/records.ts'

interface Found {
  name: string
  type: string
  media_ref: string
  create_uid: number | null
  model: string | null
  res_id: number | null
}

const FIND = statement<Found, { id: number }>(
  'attachment_find',
  sql`select a.name, a.type, a.media_ref, a.create_uid, coalesce(m.model, a.model) as model,
        coalesce(m.res_id, a.res_id) as res_id
      from connect_attachment a left join mail_message m on m.id = a.post where a.id = ${param('id')}`,
)

/** A file for everybody who may read the record that it is on, or has just sent it; not there and not allowed look alike. */
export async function findStoredFile(env: Env, id: number): Promise<{ name: string; type: string; reference: string }> {
  const [found] = await env.db.run(FIND, { id })
  if (found === undefined || !(await isTheirs(env, found))) throw nothingHere()
  return { name: found.name, type: found.type, reference: found.media_ref }
}

export function nothingHere(): Refusal {
  return new Refusal('not-found', 'file-not-there')
}

async function isTheirs(env: Env, { model: name, res_id: record, create_uid: sender }: Found): Promise<boolean> {
  if (name === null || record === null) return sender === env.identity.userId
  const { models } = env.platform
  if (!models.has(name) || !mayAccess(env.identity, models.get(name), 'read')) return false
  return (await records(env, name).listVisible([record])).length > 0
}
