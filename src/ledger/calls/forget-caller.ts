import type { Queryable } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { idList } from '../../database/ids.ts'
import type { Person } from '../../platform/person/person.ts'

export interface CallTrace {
  id: number
  call_sid: string | null
  conversation: string | null
  ticket: number | null
}

/** Every call of a person: those of their contacts, and those that nobody is named in with a number of theirs. */
export function findCallsOf(db: Queryable, { contacts, numbers }: Person): Promise<CallTrace[]> {
  const columns = sql`id, call_sid, voiceai_conversation_id as conversation, ticket`
  const given = sql`(select jsonb_array_elements_text(${JSON.stringify(numbers)}::jsonb))`
  return db.query<CallTrace>(sql`select ${columns} from connect_call where partner in (${idList(contacts)})
    union select ${columns} from connect_call where partner is null and caller in ${given}
    union select ${columns} from connect_call where partner is null and called in ${given}
    order by id desc`)
}

/**
 * Takes from calls what says whose they were. What came of them, when, and how long they took stays, for figures; so does the
 * name that the providers gave them, by which a report that comes again is known.
 */
export async function makeCallsAnonymous(db: Queryable, ids: readonly number[], { numbers }: Person): Promise<void> {
  if (ids.length === 0) return
  const theirs = sql`(select jsonb_array_elements_text(${JSON.stringify(numbers)}::jsonb))`
  await db.query(sql`update connect_call set partner = null,
      caller = case when direction = 'incoming' or caller in ${theirs} then null else caller end,
      called = case when direction = 'outgoing' or called in ${theirs} then null else called end,
      legs_strip = case when jsonb_typeof(legs_strip) = 'array' then (
        select jsonb_agg(case when jsonb_typeof(part -> 'who') = 'string' then part || '{"who": null}' else part end order by place)
        from jsonb_array_elements(legs_strip) with ordinality as parts (part, place)) end,
      summary = null, voiceai_summary = null, register_note = null, missed_note = null,
      voicemail_url = case when voicemail_url is not null then '' end, write_date = now() at time zone 'utc'
    where id in (${idList(ids)})`)
}
