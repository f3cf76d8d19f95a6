import { sql } from '../../database/drizzle.ts'
import { gathered } from '../../database/gathered.ts'
import { listed } from '../../database/listed.ts'
import { statement } from '../../database/statement.ts'
import type { RowOf } from '../../platform/model/model.ts'
import { columnsOf } from '../../platform/model/statements.ts'
import { callModel } from './call.ts'

const READ = [
  ...(['id', 'caller', 'called', 'direction', 'partner', 'caller_pbx_user'] as const),
  ...(['voiceai_agent', 'voiceai_conversation_id'] as const),
] as const
/** What of a call the voice agent's side needs. */
export type LedgerCall = RowOf<typeof callModel, (typeof READ)[number]> & {
  caller_user_partner: number | null
  /** Provider id of the caller's leg. */
  channel_sid: string | null
}

const COLUMNS = sql`${columnsOf(callModel, READ, 'c')}, u.partner_id as caller_user_partner,
  (select l.sid from connect_channel l where l.call = c.id
    order by (l.parent_sid is not null and l.parent_sid <> ''), l.id limit 1) as channel_sid`

const BY_ID = statement<LedgerCall, { ids: readonly number[] }>(
  'calls_by_id',
  sql`select ${COLUMNS} from ${listed('ids', 'bigint')} as wanted (id)
      cross join lateral (select * from connect_call k where k.id = wanted.id limit 1) c
      left join res_users u on u.id = c.caller_user`,
)
const BY_LEG = statement<LedgerCall & { leg_sid: string }, { sids: readonly string[] }>(
  'calls_by_leg',
  sql`select ${COLUMNS}, wanted.sid as leg_sid from ${listed('sids', 'text')} as wanted (sid)
      cross join lateral (select k.* from connect_channel leg join connect_call k on k.id = leg.call
        where leg.sid = wanted.sid limit 1) c
      left join res_users u on u.id = c.caller_user`,
)

export const findCallById = gathered(async (db, ids: readonly number[]): Promise<(LedgerCall | undefined)[]> => {
  const calls = await db.run(BY_ID, { ids: [...new Set(ids)] })
  const byId = new Map(calls.map((call) => [call.id, call]))
  return ids.map((id) => byId.get(id))
})

/** The call that one of its legs belongs to. */
export const findCallByLeg = gathered(async (db, sids: readonly string[]): Promise<(LedgerCall | undefined)[]> => {
  const calls = await db.run(BY_LEG, { sids: [...new Set(sids)] })
  const bySid = new Map(calls.map(({ leg_sid: sid, ...call }) => [sid, call]))
  return sids.map((sid) => bySid.get(sid))
})
