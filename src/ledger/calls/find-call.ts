import type { Queryable, Transaction } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { param, statement } from '../../database/statement.ts'

/** What of a call the voice agent's side needs. */
export interface LedgerCall {
  id: number
  caller: string | null
  called: string | null
  direction: string | null
  partner: number | null
  caller_user_partner: number | null
  voiceai_agent: number | null
  voiceai_conversation_id: string | null
  /** Provider id of the caller's leg. */
  channel_sid: string | null
}

const COLUMNS = sql`c.id, c.caller, c.called, c.direction, c.partner, u.partner_id as caller_user_partner, c.voiceai_agent,
  c.voiceai_conversation_id, (select l.sid from connect_channel l where l.call = c.id
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
const LOCK = statement<never, { key: string }>(
  'ledger_lock',
  sql`select pg_advisory_xact_lock(hashtextextended(${param('key')}, 0))`,
)

const LOCK_BOTH = statement<never, { first: string; second: string }>(
  'ledger_lock_both',
  sql`select pg_advisory_xact_lock(hashtextextended(${param('first')}, 0)),
        pg_advisory_xact_lock(hashtextextended(${param('second')}, 0))`,
)

// One after another in the order of the list, as a scan of it goes.
const LOCK_CALLS = statement<never, { keys: readonly string[] }>(
  'ledger_lock_calls',
  sql`select pg_advisory_xact_lock(hashtextextended(key, 0)) from unnest(${param('keys')}::text[]) key`,
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

/** Events of one call, and of one conversation, happen one after another in every process until the transaction ends. */
export async function lockLedger(db: Queryable, kind: 'call' | 'conversation' | 'number', key: string): Promise<void> {
  await db.run(LOCK, { key: `${kind}:${key}` })
}

/** The same for several legs, locked in the order they are given; whatever is read after that is read with the locks held. */
export function lockCalls(db: Transaction, sids: readonly string[]): void {
  db.send(LOCK_CALLS, { keys: sids.map((sid) => `call:${sid}`) })
}

/** Both locks of a conversation and of the call it belongs to, when that is known, in one round trip. */
export function lockConversation(db: Transaction, conversation: string, callSid: string | undefined): void {
  const first = `conversation:${conversation}`
  db.send(LOCK_BOTH, { first, second: callSid === undefined ? first : `call:${callSid}` })
}
