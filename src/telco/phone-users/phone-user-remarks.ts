import { sql } from '../../database/drizzle.ts'
import { idList } from '../../database/ids.ts'
import type { Env } from '../../platform/access/env.ts'
import { type Remarks, sentencesOf } from '../../platform/model/remarks.ts'
import { RINGS_A_PHONE } from './rings-a-phone.ts'

interface UserRow {
  id: number
  is_silent: boolean
  has_voicemail: boolean
  /** By a number, or by an extension, as choices of menus are. */
  is_reached: boolean
  cannot_sign_in: boolean
  unvalidated: string | null
}

/** What of phone users does not work together, each as a sentence. */
export async function phoneUserRemarks(env: Env, ids: readonly number[]): Promise<Remarks> {
  const rows = await env.db.query<UserRow>(
    sql`select u.id,
          not ${RINGS_A_PHONE} as is_silent, u.voicemail_enabled is true as has_voicemail,
          exists (select 1 from connect_telco_number n where n.destination = 'user' and n."user" = u.id)
            or exists (select 1 from connect_telco_exten e where e.model = 'connect.user' and e.res_id = u.id) as is_reached,
          u.sip_enabled is true and u.password is null and u.sid is null as cannot_sign_in,
          case when c.callerid_type = 'outgoing_callerid' and c.status is distinct from 'validated' then c.number end as unvalidated
        from connect_user u left join connect_telco_outgoing_callerid c on c.id = u.telco_outgoing_callerid
        where u.id in (${idList(ids)}) and u.active is not false`,
  )
  return new Map(rows.map((row) => [row.id, remarksOf(row)]))
}

function remarksOf(row: UserRow): string[] {
  const { is_silent: isSilent, has_voicemail: hasVoicemail, cannot_sign_in: cannotSignIn, unvalidated } = row
  return sentencesOf([
    [isSilent && hasVoicemail && row.is_reached, 'No phone rings yet, so callers only hear the voicemail.'],
    [isSilent && !hasVoicemail, 'No phone rings and voicemail is off, so callers hear that no one can be reached.'],
    [cannotSignIn, 'The SIP phone is on but has no password, so it cannot sign in.'],
    [unvalidated !== null, `The caller ID ${unvalidated} is not validated, so Twilio declines calls with it.`],
  ])
}
