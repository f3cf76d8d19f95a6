import type { Queryable, Transaction } from '../../../database/database.ts'
import { sql } from '../../../database/drizzle.ts'
import { idList } from '../../../database/ids.ts'
import { storedTime } from '../../../time.ts'
import type { Env, Platform } from '../../access/env.ts'
import { elevated } from '../../access/env.ts'
import { char, datetime, integer, many2one, secret } from '../../model/fields.ts'
import { defineModel, type RowOf } from '../../model/model.ts'
import { records } from '../../records/records.ts'
import { secretPlace } from '../../secrets/secrets.ts'
import { endOtherSessions } from '../end-sessions.ts'
import {
  hashRecoveryCode,
  isOfAuthenticator,
  newRecoveryCodes,
  newSecret,
  periodOf,
  plainCode,
} from './one-time-codes.ts'

/** What somebody proves besides their password. Open to nobody over the API: the secret is shown once. */
export const secondFactorModel = defineModel({
  name: 'res.users.second_factor',
  label: 'Two-factor sign-in',
  order: 'id desc',
  display: { columns: ['id'], show: (row) => `Two-factor sign-in ${row.id}` },
  fields: {
    user_id: many2one('User', 'res.users', { required: true, isUnique: true, onDelete: 'cascade' }),
    secret: secret('Secret', { required: true, isHeavy: true, groups: [] }),
    confirmed_at: datetime('Confirmed', { help: 'When a first code was right; it counts from then on.' }),
    last_period: integer('Period of the last code', { help: 'Codes up to this one are used up.' }),
  },
})

/** Codes that are left for everybody who has lost the authenticator; a used one is gone. */
export const recoveryCodeModel = defineModel({
  name: 'res.users.recovery_code',
  label: 'Recovery code',
  order: 'id desc',
  display: { columns: ['id'], show: (row) => `Recovery code ${row.id}` },
  fields: {
    user_id: many2one('User', 'res.users', { required: true, onDelete: 'cascade' }),
    code_hash: char('Code hash', { required: true, isUnique: true, isHeavy: true, groups: [] }),
  },
})

type FactorRow = RowOf<typeof secondFactorModel, 'id' | 'secret' | 'confirmed_at'>

/** What is known of somebody's second factor. */
interface SecondFactorState {
  isOn: boolean
  recoveryCodes: number
}

/** Whether somebody is asked for a code, and how many recovery codes they have left. */
export async function secondFactorOf(db: Queryable, userId: number): Promise<SecondFactorState> {
  const [row] = await db.query<{ is_on: boolean; left: number }>(
    sql`select exists (select 1 from res_users_second_factor
          where user_id = ${userId}::bigint and confirmed_at is not null) as is_on,
        (select count(*) from res_users_recovery_code where user_id = ${userId}::bigint)::integer as left`,
  )
  return { isOn: row?.is_on === true, recoveryCodes: row?.left ?? 0 }
}

/** Makes a secret that counts once a code of it was right, in place of one that never was. Undefined when one counts. */
export async function beginSecondFactor(env: Env): Promise<string | undefined> {
  const { userId } = env.identity
  const known = await findFactor(env.db, userId)
  if (typeof known?.confirmed_at === 'string') return undefined
  if (known !== undefined) await removeFactors(env, [userId])
  const made = await newSecret()
  // Elevated: nobody has this model, and it is their own record that they make.
  await records(elevated(env), secondFactorModel.name).create([{ user_id: userId, secret: made }])
  return made
}

/** Makes the secret count when the code is of it, and gives the recovery codes: this once. Undefined when it is not. */
export async function confirmSecondFactor(env: Env, code: string): Promise<string[] | undefined> {
  const { db, now, platform, identity } = env
  const factor = await findFactor(db, identity.userId)
  if (factor === undefined || factor.confirmed_at !== null) return undefined
  const period = await periodOf(openSecret(platform, factor), plainCode(code), now)
  if (period === undefined) return undefined
  await db.query(
    sql`update res_users_second_factor set confirmed_at = ${storedTime(now)}::timestamp, last_period = ${period}
        where id = ${factor.id}::bigint`,
  )
  const codes = await newRecoveryCodes()
  const rows = codes.map((each) => sql`(${identity.userId}::bigint, ${hashRecoveryCode(each)})`)
  await db.query(sql`insert into res_users_recovery_code (user_id, code_hash) values ${sql.join(rows, sql`, `)}`)
  await endOtherSessions(env)
  return codes
}

/** Uses a code up, of the authenticator or for recovery; false when it is wrong, or was used before. */
export async function useCode(
  { platform, db }: { platform: Platform; db: Queryable },
  { userId, code }: { userId: number; code: string },
): Promise<boolean> {
  const factor = await findFactor(db, userId)
  if (factor === undefined || factor.confirmed_at === null) return false
  const plain = plainCode(code)
  if (!isOfAuthenticator(plain)) {
    const used = await db.query(
      sql`delete from res_users_recovery_code
          where user_id = ${userId}::bigint and code_hash = ${hashRecoveryCode(plain)} returning id`,
    )
    return used.length > 0
  }
  const period = await periodOf(openSecret(platform, factor), plain, platform.clock())
  if (period === undefined) return false
  // The row decides between two who come with the same code at once.
  const used = await db.query(
    sql`update res_users_second_factor set last_period = ${period}
        where id = ${factor.id}::bigint and coalesce(last_period, 0) < ${period} returning id`,
  )
  return used.length > 0
}

/** Takes the second factors of the users away; gives how many counted. */
export async function removeFactors({ db }: Pick<Env, 'db'>, userIds: readonly number[]): Promise<number> {
  if (userIds.length === 0) return 0
  await db.query(sql`delete from res_users_recovery_code where user_id in (${idList(userIds)})`)
  const removed = await db.query<{ was_on: boolean }>(
    sql`delete from res_users_second_factor where user_id in (${idList(userIds)})
        returning confirmed_at is not null as was_on`,
  )
  return removed.filter((row) => row.was_on).length
}

async function findFactor(db: Queryable | Transaction, userId: number): Promise<FactorRow | undefined> {
  const [row] = await db.query<FactorRow>(
    sql`select id, secret, confirmed_at from res_users_second_factor where user_id = ${userId}::bigint`,
  )
  return row
}

function openSecret({ cipher }: Platform, { id, secret: stored }: FactorRow): string {
  return cipher.decrypt(stored ?? '', secretPlace(secondFactorModel.table, 'secret', id))
}
