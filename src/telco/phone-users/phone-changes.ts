import { sql } from '../../database/drizzle.ts'
import { idList } from '../../database/ids.ts'
import type { Env } from '../../platform/access/env.ts'
import type { Change } from '../../platform/model/model.ts'
import { isMask } from '../../platform/secrets/secrets.ts'
import { touches } from '../../sync/requests.ts'
import { pushOnChange } from '../sync/telco.ts'

/** Pushes the SIP phone of a user, its password above all. */
export async function pushPhoneOnChange(env: Env, { id, values, isNew }: Change): Promise<void> {
  const { password } = values
  const isPassword = typeof password === 'string' && password !== '' && !isMask(password)
  const isTouched = touches(values, ['sip_enabled', 'username', 'domain', 'active']) || isPassword
  if (isNew ? values.sip_enabled === true : isTouched) await pushOnChange(env, { kind: 'credential', id })
}

/** Removes at the provider what lets the SIP phones of users register, who are about to be removed here. */
export async function removePhonesAtProvider(env: Env, ids: readonly number[]): Promise<void> {
  const rows = await env.db.query<{ sid: string; cred_list_sid: string }>(
    sql`select u.sid, d.cred_list_sid from connect_user u join connect_telco_domain d on d.id = u.domain
        where u.id in (${idList(ids)}) and u.sid is not null and d.cred_list_sid is not null order by u.id`,
  )
  for (const { sid, cred_list_sid: listSid } of rows) {
    await pushOnChange(env, { kind: 'remove-credential', sid, listSid })
  }
}
