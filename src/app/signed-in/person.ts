import type { Queryable } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { param, statement } from '../../database/statement.ts'
import type { UserFacts } from '../../platform/identity/me.ts'

interface PersonRow {
  name: string
  tz: string | null
  lang: string | null
  phone: number | null
  extension: string | null
  rings: string[] | null
  calls_from: string | null
  preferences: Record<string, unknown> | null
}

const PERSON = statement<PersonRow, { id: number }>(
  'person_of_user',
  sql`select u.name, u.preferences, p.tz, p.lang, ph.id as phone, e.number as extension,
        steps.rings, steps.calls_from
      from res_users u
      left join res_partner p on p.id = u.partner_id
      left join lateral (select id, telco_exten, username is not null and domain is not null as has_address,
          password is not null or sid is not null as signs_in, mobile_number is not null as has_mobile
        from connect_user where "user" = u.id and active is not false order by id limit 1) ph on true
      left join lateral (
        select array_agg(s.callflow_type order by s.prio, s.id)
            filter (where s.callflow_type <> 'sip' or ph.signs_in) as rings,
          (array_agg(s.callflow_type order by s.prio, s.id) filter (where s.callflow_type <> 'mobile'))[1] as calls_from
        from connect_telco_user_callflow s where s."user" = ph.id
          and (s.callflow_type in ('client', 'sip') and ph.has_address or s.callflow_type = 'mobile' and ph.has_mobile)
      ) steps on true
      left join connect_telco_exten e on e.id = ph.telco_exten
      where u.id = ${param('id')}::bigint`,
)

/** What several areas know of a user: their name, their contact's zone and language, their phone. */
export async function findUserFacts(db: Queryable, id: number): Promise<UserFacts> {
  const [row] = await db.run(PERSON, { id })
  const { name = '', tz = null, lang = null, phone = null, extension = null, preferences } = row ?? {}
  const own =
    phone === null ? null : { id: phone, extension, rings: row?.rings ?? [], calls_from: row?.calls_from ?? null }
  return { name, tz, lang, preferences: preferences ?? {}, phone: own }
}
