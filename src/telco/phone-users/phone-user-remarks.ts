import { sql } from '../../database/drizzle.ts'
import { idList } from '../../database/ids.ts'
import type { Env } from '../../platform/access/env.ts'
import { type Remarks, sentencesOf } from '../../platform/model/remarks.ts'
import { RINGS_A_PHONE, SIP_CANNOT_SIGN_IN } from './rings-a-phone.ts'

/** Said of a person whom callers are led to in vain. */
export const REACHES_NO_ONE = 'No phone rings and voicemail is off, so callers hear that no one can be reached.'

interface UserRow {
  id: number
  is_silent: boolean
  has_voicemail: boolean
  /** By a number, by an extension, as choices of menus are, or with others in a group. */
  is_reached: boolean
  cannot_sign_in: boolean
  /** The person is let in no more. */
  is_gone: boolean
  unvalidated: string | null
}

/** What of phone users does not work together, each as a sentence. */
export async function phoneUserRemarks(env: Env, ids: readonly number[]): Promise<Remarks> {
  const rows = await env.db.query<UserRow>(
    sql`select u.id,
          not ${RINGS_A_PHONE} as is_silent, u.voicemail_enabled is true as has_voicemail,
          exists (select 1 from connect_telco_number n where n.destination = 'user' and n."user" = u.id)
            or exists (select 1 from connect_telco_exten e where e.model = 'connect.user' and e.res_id = u.id)
            or exists (select 1 from connect_telco_callflow_ring_users_rel r where r.user_id = u.id) as is_reached,
          ${SIP_CANNOT_SIGN_IN} as cannot_sign_in, l.active is false as is_gone,
          case when c.callerid_type = 'outgoing_callerid' and c.status is distinct from 'validated' then c.number end as unvalidated
        from connect_user u left join res_users l on l.id = u."user" left join connect_telco_outgoing_callerid c on c.id = u.telco_outgoing_callerid
        where u.id in (${idList(ids)}) and u.active is not false`,
  )
  return new Map(rows.map((row) => [row.id, remarksOf(row)]))
}

function remarksOf(row: UserRow): string[] {
  const { is_silent: isSilent, has_voicemail: hasVoicemail, cannot_sign_in: cannotSignIn, unvalidated } = row
  return sentencesOf([
    [isSilent && hasVoicemail && row.is_reached, 'No phone rings yet, so callers only hear the voicemail.'],
    [isSilent && !hasVoicemail && row.is_reached, REACHES_NO_ONE],
    [row.is_gone && row.is_reached && !isSilent, 'The person is deactivated, and calls still ring these phones.'],
    [cannotSignIn, 'The SIP phone is on but has no password, so it cannot sign in.'],
    [unvalidated !== null, `The caller ID ${unvalidated} is not validated, so Twilio declines calls with it.`],
  ])
}
