import { Type } from 'typebox'
import { sql } from '../database/drizzle.ts'
import { oneFormSql } from '../database/number-plans-sql.ts'
import { method } from '../platform/model/model.ts'
import { records } from '../platform/records/records.ts'
import { hasIdentity } from '../withheld.ts'
import { bareEmailSql } from './contact-sql.ts'

const LIMIT_DEFAULT = 50
const LIMIT_MAX = 500
/** Contacts of one group; more with one number or address are no duplicates. */
const GROUP_MAX = 10

const Reason = Type.Union([Type.Literal('number'), Type.Literal('email')])

/** Contacts that have a number or an address in common, some groups at a time; those of one company are people of it. */
export const duplicates = method({
  label: 'Possible duplicates',
  operation: 'read',
  args: Type.Object({ limit: Type.Optional(Type.Integer({ minimum: 1, maximum: LIMIT_MAX })) }),
  reply: Type.Array(Type.Object({ reason: Reason, value: Type.String(), ids: Type.Array(Type.Integer()) })),
  async run(env, _ids, { limit = LIMIT_DEFAULT }) {
    const groups = await env.db.query<{ reason: 'number' | 'email'; value: string; ids: number[] }>(sql`
      with ways (reason, value, id) as (
        select 'number', ${oneFormSql(sql`phone_normalized`)}, id from res_partner where active and phone_normalized is not null
        union select 'number', ${oneFormSql(sql`mobile_normalized`)}, id from res_partner where active and mobile_normalized is not null
        union select 'email', ${bareEmailSql(sql`email`)}, id from res_partner where active and email <> ''
      )
      select reason, value, array_agg(id order by id) as ids from ways group by reason, value
      having count(*) between 2 and ${GROUP_MAX}::int order by max(id) desc, reason desc limit ${limit}::int`)
    const known = groups.filter(({ reason, value }) => reason !== 'number' || hasIdentity(value))
    const all = [...new Set(known.flatMap(({ ids }) => ids.map(Number)))]
    const seen = new Set(
      all.length === 0
        ? []
        : await records(env, 'res.partner').search([
            ['id', 'in', all],
            ['is_staff', '=', false],
          ]),
    )
    return known
      .map(({ ids, ...group }) => ({ ...group, ids: ids.map(Number).filter((id) => seen.has(id)) }))
      .filter(({ ids }) => ids.length > 1)
  },
})
