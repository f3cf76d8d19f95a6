import { sql } from '../../database/drizzle.ts'
import { idList } from '../../database/ids.ts'
import type { Env } from '../../platform/access/env.ts'
import type { Extension } from '../../platform/model/extend.ts'
import { computed } from '../../platform/model/fields.ts'
import type { Row } from '../../platform/model/model.ts'

/** The phone user that each person of a model is: of logins by themselves, of contacts by their login. */
export function phoneUserOf(by: 'login' | 'contact'): Extension {
  const owner = by === 'login' ? sql`u.id` : sql`u.partner_id`
  const connectUser = computed('Phone user', 'many2one', {
    target: 'connect.user',
    depends: [],
    isHeavy: true,
    compute: async (env: Env, rows: readonly Row[]) => {
      const found = await env.db.query<{ owner: number; id: number; name: string | null }>(
        sql`select distinct on (${owner}) ${owner} as owner, p.id, p.name from connect_user p
            join res_users u on u.id = p."user" where ${owner} in (${idList(rows.map((row) => row.id))})
            order by ${owner}, p.active desc nulls last, p.id`,
      )
      const byOwner = new Map(found.map((each) => [each.owner, [each.id, each.name ?? '']]))
      return rows.map((row) => byOwner.get(row.id) ?? null)
    },
  })
  return { fields: { connect_user: connectUser } }
}
