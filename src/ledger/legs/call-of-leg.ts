import { sql } from '../../database/drizzle.ts'
import { param, statement } from '../../database/statement.ts'
import type { Env } from '../../platform/access/env.ts'

const FIND = statement<{ call: number | null }, { sid: string }>(
  'call_of_leg',
  sql`select call from connect_channel where sid = ${param('sid')}`,
)

/** The call of a leg, by the leg's SID; undefined as long as either is not known. */
export async function callOfLeg({ db }: Pick<Env, 'db'>, sid: string): Promise<number | undefined> {
  const [leg] = await db.run(FIND, { sid })
  return leg?.call ?? undefined
}
