import { contactColumn } from '../../contacts/contact-sql.ts'
import { sql } from '../../database/drizzle.ts'
import { formsOfSubscriberSql } from '../../database/number-plans-sql.ts'
import { param, statement } from '../../database/statement.ts'
import type { Env } from '../../platform/access/env.ts'
import { ANSWERED_LATER, isBeyondOwnPhone } from '../calls/call-back.ts'
import { hasIdentitySql } from '../calls/caller-identity.ts'

/** What a call's row says of how it ended. */
export interface EndFacts {
  id: number
  outcome: string
  end_reason: string | null
  direction: string | null
  status: string | null
  caller: string | null
  called: string | null
  duration: number | null
  wait_seconds: number | null
  error_message: string | null
  voicemail_duration: number | null
  agent: number | null
  agent_name: string | null
  person: string | null
  /** The contact of the call. */
  contact: string | null
  /** Who of us began it. */
  calling: string | null
  /** Whose own phone was to ring first, in a call that somebody asked for and that got no further. */
  own_phone: string | null
  caller_user: number | null
  /** Whom they wanted to call then; null where that is not known. */
  wanted: string | null
  /** Whom the agent wanted to put the caller through to, where no phone of theirs rang. */
  without_phone: string | null
  termination: string | null
  conversation_error: string | null
  conversation_result: string | null
  has_failed: boolean
  nobody_spoke: boolean
  is_called_back: boolean
  /** Somebody marked it as called back, or has talked with the caller since. */
  is_settled: boolean
  /** The voice agents were synchronised since, and everything is in sync. */
  is_synchronised_since: boolean
}

const FIND = statement<Omit<EndFacts, 'agent_name'>, { id: number }>(
  'call_facts',
  sql`select c.id, c.outcome, c.end_reason, c.direction, c.status, c.caller, c.caller_user, c.called, c.duration, c.wait_seconds, c.error_message,
        c.voicemail_duration, c.voiceai_agent as agent, person.name as person,
        ${contactColumn('name', sql`c.partner`)} as contact, own.name as calling,
        case when c.direction = 'outgoing' and exists (select 1 from connect_call_called_users_rel r
          where r.call_id = c.id and r.user_id = c.caller_user)
          and not exists (select 1 from connect_channel l where l.call = c.id and l.parent_sid is not null) then own.name end as own_phone,
        (select c.called from connect_channel l where l.call = c.id and l.parent_sid is null and l.technical_direction = 'outbound-api'
          and l.called_number is distinct from c.called limit 1) as wanted,
        case when c.no_phone_rang then (select string_agg(u.name, ', ' order by u.name, u.id) from connect_call_called_users_rel r
          join res_users u on u.id = r.user_id where r.call_id = c.id
            and not exists (select 1 from connect_channel l where l.call = c.id and l.called_user = r.user_id)) end as without_phone,
        coalesce(c.conversation_end, (select termination_reason from connect_recording r
          where r.call = c.id and termination_reason is not null order by id limit 1)) as termination,
        c.conversation_error, c.conversation_result, c.conversation_failed is true as has_failed, c.nobody_spoke is true as nobody_spoke,
        ${hasIdentitySql(sql`c.caller`)} and exists (select 1 from connect_call later where later.called = any(${formsOfSubscriberSql(sql`c.caller`)}) and later.direction = 'outgoing'
          and later.id > c.id and later.outcome = 'person' and ${isBeyondOwnPhone(sql`later`)}) as is_called_back,
        c.direction = 'incoming' and (c.callback_done_at is not null or ${ANSWERED_LATER}) as is_settled,
        exists (select 1 from connect_sync_run run where run.area = 'voiceai' and run.kind = 'sync' and run.state = 'done'
          and coalesce(jsonb_array_length(run.errors), 0) = 0
          and run.started_at > c.create_date) as is_synchronised_since
      from connect_call c left join res_users person on person.id = c.answered_user
      left join res_users own on own.id = c.caller_user
      where c.id = ${param('id')}`,
)

/** Undefined when there is no such call. */
export async function findEndFacts(env: Env, id: number): Promise<Omit<EndFacts, 'agent_name'> | undefined> {
  const [facts] = await env.db.run(FIND, { id })
  return facts
}
