import { Type } from 'typebox'
import { sql } from '../database/drizzle.ts'
import type { Env } from '../platform/access/env.ts'
import { writeAudit } from '../platform/audit/write-audit.ts'
import { messagePost } from '../platform/chatter/chatter.ts'
import { method } from '../platform/model/model.ts'
import { records } from '../platform/records/records.ts'

/** How the audit calls what became of a contact that another one took in. */
const MERGED_AWAY = 'merged_away'
/** Contacts that were merged one into the next, up to here. */
const STEPS_MAX = 20

/** Says on the contact that is kept who merged which others into it, and in the audit where those went. */
export async function noteMerged(
  env: Env,
  keep: number,
  others: readonly { id: number; name: string }[],
): Promise<void> {
  writeAudit(
    env,
    others.map(({ id }) => ({ model: 'res.partner', id, what: MERGED_AWAY, changes: { id: [id, keep] } })),
  )
  for (const { name } of others) {
    await messagePost(env, { model: 'res.partner', id: keep, text: `Merged with ${name}.`, type: 'notification' })
  }
}

/** Where a contact went whose address leads nowhere any more, as long as the audit goes back. */
export const mergedInto = method({
  label: 'Merged into',
  operation: 'read',
  args: Type.Object({ id: Type.Integer({ description: 'The contact that is gone.' }) }),
  reply: Type.Object({
    merged: Type.Boolean({ description: 'Whether it was merged into another one.' }),
    into: Type.Union([Type.Integer(), Type.Null()], {
      description: 'The contact that it was merged into; null where there is none that the caller may read.',
    }),
  }),
  async run(env, _ids, { id }) {
    const [last] = await env.db.query<{ contact: number; step: number }>(sql`
      with recursive gone (contact, step) as (
        select ${id}::bigint, 0
        union all
        select (a.changes->'id'->>1)::bigint, g.step + 1 from gone g join connect_audit a
          on a.model = 'res.partner' and a.res_id = g.contact and a.what = ${MERGED_AWAY}
        where g.step < ${STEPS_MAX}::int
      ) select contact, step from gone order by step desc limit 1`)
    if (last === undefined || last.step === 0) return { merged: false, into: null }
    const [into = null] = await records(env, 'res.partner').search([['id', '=', Number(last.contact)]])
    return { merged: true, into }
  },
})
