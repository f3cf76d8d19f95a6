import type { Queryable } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { param, statement } from '../../database/statement.ts'
import type { RowOf } from '../../platform/model/model.ts'
import { columnsOf } from '../../platform/model/statements.ts'
import { callModel } from './call.ts'

const READ = ['id', 'caller', 'called', 'direction', 'partner', 'voiceai_agent', 'voiceai_conversation_id'] as const
/** What of a call the voice agent's side needs. */
export type LedgerCall = RowOf<typeof callModel, (typeof READ)[number]> & {
  caller_user_partner: number | null
  /** Provider id of the caller's leg. */
  channel_sid: string | null
}

const COLUMNS = sql`${columnsOf(callModel, READ, 'c')}, u.partner_id as caller_user_partner,
  (select l.sid from connect_channel l where l.call = c.id
    order by (l.parent_sid is not null and l.parent_sid <> ''), l.id limit 1) as channel_sid`

const BY_ID = statement<LedgerCall, { id: number }>(
  'call_by_id',
  sql`select ${COLUMNS} from connect_call c left join res_users u on u.id = c.caller_user where c.id = ${param('id')}`,
)
const BY_LEG = statement<LedgerCall, { sid: string }>(
  'call_by_leg',
  sql`select ${COLUMNS} from connect_channel leg join connect_call c on c.id = leg.call
      left join res_users u on u.id = c.caller_user where leg.sid = ${param('sid')}`,
)
export async function findCallById(db: Queryable, id: number): Promise<LedgerCall | undefined> {
  const rows = await db.run(BY_ID, { id })
  return rows[0]
}

/** The call that one of its legs belongs to. */
export async function findCallByLeg(db: Queryable, sid: string): Promise<LedgerCall | undefined> {
  const rows = await db.run(BY_LEG, { sid })
  return rows[0]
}
