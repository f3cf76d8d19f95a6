import { sql } from '../../database/drizzle.ts'
import type { Env } from '../../platform/access/env.ts'
import type { Change, Values } from '../../platform/model/model.ts'
import { idList } from '../../platform/records/records.ts'
import { isMask } from '../../platform/secrets/secrets.ts'
import { isOwnWork } from '../../sync/service-env.ts'
import { sipHost } from '../client/hosts.ts'
import { type Push, pushesOnSave, requestPush } from './push-request.ts'

/** Has the provider follow a new application whatever the settings say: calls need its id. */
export async function followApplication(env: Env, { id, values, isNew }: Change): Promise<void> {
  if (isOwnWork(env)) return
  if (isNew) await requestPush(env, { kind: 'application', id })
  else if ('name' in values) await push(env, { kind: 'application', id })
  // Whether an application is a route of the service is part of the addresses of its SIP domains.
  if (isNew || !touches(values, ['code_type', 'method'])) return
  const domains = await env.db.query<{ id: number }>(
    sql`select id from connect_telco_domain where application = ${id}::bigint order by id`,
  )
  for (const domain of domains) await push(env, { kind: 'domain', id: domain.id })
}

export async function forgetApplications(env: Env, ids: readonly number[]): Promise<void> {
  const rows = await env.db.query<{ sid: string }>(
    sql`select sid from connect_telco_markup where id in (${idList(ids)}) and sid is not null order by id`,
  )
  for (const { sid } of rows) await push(env, { kind: 'remove-application', sid })
}

export async function followDomain(env: Env, { id, values, isNew }: Change): Promise<void> {
  if (isNew || touches(values, ['subdomain', 'friendly_name', 'application'])) await push(env, { kind: 'domain', id })
}

export async function forgetDomains(env: Env, ids: readonly number[]): Promise<void> {
  const rows = await env.db.query<{ sid: string; cred_list_sid: string | null; subdomain: string }>(
    sql`select sid, cred_list_sid, subdomain from connect_telco_domain
        where id in (${idList(ids)}) and sid is not null order by id`,
  )
  for (const { sid, cred_list_sid: listSid, subdomain } of rows) {
    await push(env, { kind: 'remove-domain', sid, listSid, host: sipHost(subdomain) })
  }
}

/** Has the provider know the SIP phone of a user, its password above all. */
export async function followPhone(env: Env, { id, values, isNew }: Change): Promise<void> {
  const { password } = values
  const isPassword = typeof password === 'string' && password !== '' && !isMask(password)
  const isTouched = touches(values, ['sip_enabled', 'username', 'domain', 'active']) || isPassword
  if (isNew ? values.sip_enabled === true : isTouched) await push(env, { kind: 'credential', id })
}

export async function forgetPhones(env: Env, ids: readonly number[]): Promise<void> {
  const rows = await env.db.query<{ sid: string; cred_list_sid: string }>(
    sql`select u.sid, d.cred_list_sid from connect_user u join connect_telco_domain d on d.id = u.domain
        where u.id in (${idList(ids)}) and u.sid is not null and d.cred_list_sid is not null order by u.id`,
  )
  for (const { sid, cred_list_sid: listSid } of rows) await push(env, { kind: 'remove-credential', sid, listSid })
}

/** Has the provider lead calls of a number here, also when somebody only saves it again. */
export async function followNumber(env: Env, { id, values }: Change): Promise<void> {
  if (values.is_ignored !== true) await push(env, { kind: 'number', id })
}

export async function followCallerId(env: Env, { id, values, isNew }: Change): Promise<void> {
  if (!isNew && 'friendly_name' in values) await push(env, { kind: 'caller-id', id })
}

/** Verified numbers of others go at the provider too; own numbers are the provider's to remove. */
export async function forgetCallerIds(env: Env, ids: readonly number[]): Promise<void> {
  const rows = await env.db.query<{ sid: string }>(
    sql`select sid from connect_telco_outgoing_callerid
        where id in (${idList(ids)}) and callerid_type = 'outgoing_callerid' and sid is not null order by id`,
  )
  for (const { sid } of rows) await push(env, { kind: 'remove-caller-id', sid })
}

export async function followSender(env: Env, { id, values }: Change): Promise<void> {
  if (touches(values, ['voice_application', 'no_sync'])) await push(env, { kind: 'sender', id })
}

export async function forgetTemplates(env: Env, ids: readonly number[]): Promise<void> {
  const rows = await env.db.query<{ sid: string }>(
    sql`select sid from connect_message_content_template where id in (${idList(ids)}) and sid is not null order by id`,
  )
  for (const { sid } of rows) await push(env, { kind: 'remove-template', sid })
}

async function push(env: Env, what: Push): Promise<void> {
  if (!isOwnWork(env) && (await pushesOnSave(env))) await requestPush(env, what)
}

function touches(values: Values, fields: readonly string[]): boolean {
  return fields.some((field) => field in values)
}
