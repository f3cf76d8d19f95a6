import { sql } from '../../database/drizzle.ts'
import { Refusal } from '../../errors.ts'
import type { Env } from '../../platform/access/env.ts'
import type { Check, Row, Values } from '../../platform/model/model.ts'
import { isMask } from '../../platform/secrets/secrets.ts'
import type { PlainCode } from '../../refusals.ts'
import { extensionNumberCheck } from '../extensions/extension-checks.ts'
import { mobileCheck, readMobile } from '../mobiles/mobile-number.ts'
import { inItsLanguage } from '../sentences/in-its-language.ts'
import { requireSipPassword, SIP_PASSWORD_CHARS_MIN } from './sip-password.ts'

/** What a phone user has to follow beside its fields. */
export const PBX_USER_CHECKS: readonly Check[] = [
  stays('username', "Can't be changed later.", 'username-stays', (row) => Boolean(row.username)),
  stays('domain', "Can't be changed while the person has SIP credentials.", 'domain-stays', (row) => Boolean(row.sid)),
  stays('user', "Can't be changed later.", 'login-stays', () => true),
  {
    fields: ['user'],
    says: 'Must be an internal user.',
    async require({ env, values, current }) {
      const login = values.user ?? current?.user
      if (typeof login === 'number') await requireInternalLogin(env, login)
    },
  },
  {
    fields: ['password'],
    says: `At least ${SIP_PASSWORD_CHARS_MIN} characters with lower-case and capital letters and digits.`,
    require({ values: { password } }) {
      if (typeof password !== 'string' || password === '' || isMask(password)) return
      requireSipPassword(password)
    },
  },
  {
    fields: ['whatsapp_sender_id'],
    says: 'Must be a sender that is online and synced.',
    require: ({ env, values }) => requireUsableSender(env, values.whatsapp_sender_id),
  },
  mobileCheck('connect.user', 'mobile_number'),
  extensionNumberCheck('connect.user', 'telco_exten_number', 'telco_exten'),
]

/** Completes what is about to be stored for a phone user. */
export async function preparePbxUser(env: Env, given: Values, current: Row | undefined): Promise<Values> {
  const values = { ...given }
  if (typeof values.username === 'string') values.username = values.username.trim() || null
  // The service itself stores the mask, once the provider has the password; from a form it means "unchanged".
  const isUnchanged = typeof values.password === 'string' && isMask(values.password) && !env.identity.isElevated
  if (isUnchanged) delete values.password
  if (typeof values.mobile_number === 'string') values.mobile_number = readMobile(env, values.mobile_number)
  const login = values.user ?? current?.user
  if (typeof login === 'number') values.name = await nameOfLogin(env, login)
  return inItsLanguage(values, current, { voicemail_prompt: 'userIsAway' })
}

/** What the provider or the ledger already knows the user by stays as it is. */
function stays(field: string, says: string, refusal: PlainCode, isFixed: (current: Row) => boolean): Check {
  return {
    fields: [field],
    says,
    require({ values, current }) {
      if (current === undefined || !(field in values) || !isFixed(current)) return
      if (values[field] !== current[field]) throw new Refusal('refused', refusal)
    },
  }
}

/** One that does not exist is refused with the links. */
async function nameOfLogin(env: Env, login: number): Promise<string | null> {
  const rows = await env.db.query<{ name: string }>(sql`select name from res_users where id = ${login}::bigint`)
  return rows[0]?.name ?? null
}

/** Refuses a login of somebody outside the company. */
async function requireInternalLogin(env: Env, login: number): Promise<void> {
  const rows = await env.db.query<{ share: boolean | null }>(
    sql`select share from res_users where id = ${login}::bigint`,
  )
  if (rows[0]?.share === true) throw new Refusal('refused', 'connect-user-user-must-internal-user')
}

async function requireUsableSender(env: Env, sender: unknown): Promise<void> {
  if (typeof sender !== 'number') return
  const rows = await env.db.query<{ status: string | null; no_sync: boolean | null }>(
    sql`select status, no_sync from connect_whatsapp_sender where id = ${sender}::bigint`,
  )
  const [found] = rows
  if (found === undefined || (found.status === 'ONLINE' && found.no_sync !== true)) return
  throw new Refusal('refused', 'connect-user-whatsapp-sender-id-must')
}
