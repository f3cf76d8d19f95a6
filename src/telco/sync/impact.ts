import { sql } from '../../database/drizzle.ts'
import type { Env } from '../../platform/access/env.ts'

/** Numbers, applications and SIP domains that the phone provider holds with our addresses in them. */
export async function telcoCarriers({ db }: Pick<Env, 'db'>): Promise<{ what: string; count: number }[]> {
  const [row] = await db.query<{ numbers: number; applications: number; domains: number }>(
    sql`select (select count(*) from connect_telco_number where sid is not null and is_ignored is not true)::int as numbers,
          (select count(*) from connect_telco_markup where sid is not null)::int as applications,
          (select count(*) from connect_telco_domain where sid is not null)::int as domains`,
  )
  return Object.entries(row ?? {}).flatMap(([what, count]) => (count > 0 ? [{ what, count }] : []))
}
