import { sql } from '../../database/drizzle.ts'
import { idList } from '../../database/ids.ts'
import type { Env } from '../../platform/access/env.ts'
import { type Remarks, sentencesOf } from '../../platform/model/remarks.ts'

interface UserRow {
  id: number
  is_silent: boolean
  cannot_sign_in: boolean
  unvalidated: string | null
}

/** What of phone users does not work together, each as a sentence. */
export async function phoneUserRemarks(env: Env, ids: readonly number[]): Promise<Remarks> {
  const rows = await env.db.query<UserRow>(
    sql`select u.id,
          u.client_enabled is not true and u.sip_enabled is not true and u.mobile_enabled is not true and u.voicemail_enabled is not true as is_silent,
          u.sip_enabled is true and u.password is null and u.sid is null as cannot_sign_in,
          case when c.callerid_type = 'outgoing_callerid' and c.status is distinct from 'validated' then c.number end as unvalidated
        from connect_user u left join connect_telco_outgoing_callerid c on c.id = u.telco_outgoing_callerid
        where u.id in (${idList(ids)}) and u.active is not false`,
  )
  return new Map(rows.map((row) => [row.id, remarksOf(row)]))
}

function remarksOf({ is_silent: isSilent, cannot_sign_in: cannotSignIn, unvalidated }: UserRow): string[] {
  return sentencesOf([
    [isSilent, 'No phone rings and voicemail is off, so callers hear that no one can be reached.'],
    [cannotSignIn, 'The SIP phone is on but has no password, so it cannot sign in.'],
    [unvalidated !== null, `The caller ID ${unvalidated} is not validated, so Twilio declines calls with it.`],
  ])
}
