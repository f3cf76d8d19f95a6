import { sql } from '../../database/drizzle.ts'
import { listed } from '../../database/listed.ts'
import { statement } from '../../database/statement.ts'
import type { Env } from '../../platform/access/env.ts'

const FIND = statement<{ sid: string; call: number }, { sids: readonly string[] }>(
  'calls_of_legs',
  sql`select sid, call from connect_channel where sid in ${listed('sids', 'text')} and call is not null`,
)

/** The calls of legs, by the SIDs of the legs; none as long as either is not known. */
export async function callsOfLegs({ db }: Pick<Env, 'db'>, sids: readonly string[]): Promise<Map<string, number>> {
  const legs = sids.length === 0 ? [] : await db.run(FIND, { sids })
  return new Map(legs.map(({ sid, call }) => [sid, call]))
}
