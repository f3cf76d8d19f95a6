import { Type } from 'typebox'
import { sql } from '../../database/drizzle.ts'
import { folded } from '../../database/folded.ts'
import type { Env } from '../../platform/access/env.ts'
import { GROUP } from '../../platform/access/identity.ts'
import { method } from '../../platform/model/model.ts'
import { anyCaseLike, escapeLike } from '../../platform/records/condition.ts'

/** Colleagues one search may find. */
const COLLEAGUES_MAX = 20
const QUERY_CHARS_MAX = 100

/** Finds colleagues by name or extension, past the rule that shows everybody their own phone user only. */
export const colleagueSearch = method({
  label: 'Find colleagues',
  reply: Type.Array(
    Type.Object({
      id: Type.Integer(),
      name: Type.String(),
      user_id: Type.Integer(),
      exten_number: Type.Union([Type.String(), Type.Null()]),
    }),
  ),
  operation: 'read',
  groups: [GROUP.connectUser, GROUP.connectAdmin],
  args: Type.Object({ query: Type.Optional(Type.String({ maxLength: QUERY_CHARS_MAX })) }),
  run: (env, _ids, { query }) => findColleagues(env, query?.trim() ?? ''),
})

async function findColleagues(env: Env, query: string): Promise<object[]> {
  if (query === '' || query.includes('\0')) return []
  const text = escapeLike(query)
  return env.db.query<object>(
    sql`select u.id, r.name, u."user" as user_id, e.number as exten_number
        from connect_user u join res_users r on r.id = u."user" left join connect_telco_exten e on e.id = u.telco_exten
        where u.active and (${anyCaseLike(sql`r.name`, `%${text}%`)} or e.number like ${`${text}%`})
        order by ${folded(sql`r.name`)}, u.id limit ${COLLEAGUES_MAX}::int`,
  )
}
