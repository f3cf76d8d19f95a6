import type { Queryable } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { limitOfRows } from '../../database/listed.ts'
import { param, statement } from '../../database/statement.ts'
import type { RoutingFacts } from './decide/context.ts'

/** More than any call has: a user has three steps. */
const TRIED_MAX = 1_000

interface FactsRow {
  call: number
  partner_id: number | null
  partner_name: string | null
  login_name: string | null
  tried: number[] | null
}

const FACTS = statement<FactsRow, { calls: readonly number[] }>(
  'routing_call_facts',
  sql`select c.id as call, p.id as partner_id, p.name as partner_name, l.name as login_name,
        (select json_agg(t.step) from (select callflow as step from connect_telco_user_callflow_call
          where call = c.id order by callflow limit ${sql.raw(String(TRIED_MAX))}) t) as tried
      from (select each from unnest(${param('calls')}::bigint[]) as each ${limitOfRows()}) as wanted (call)
      join connect_call c on c.id = wanted.call
      left join res_partner p on p.id = c.partner
      left join res_users l on l.id = c.caller_user`,
)

type Known = Pick<RoutingFacts, 'partner' | 'loginName' | 'tried'>

/** What the ledger knows of these calls, by the call. */
export async function findRoutingFacts(db: Queryable, calls: readonly number[]): Promise<Map<number, Known>> {
  if (calls.length === 0) return new Map()
  const rows = await db.run(FACTS, { calls: [...new Set(calls)] })
  return new Map(rows.map((row) => [row.call, toFacts(row)]))
}

function toFacts({ partner_id: id, partner_name: name, login_name: loginName, tried }: FactsRow): Known {
  return {
    partner: id === null ? undefined : { id, name: name ?? '' },
    loginName: loginName ?? undefined,
    tried: tried ?? [],
  }
}
