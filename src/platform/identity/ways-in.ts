import type { Queryable } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import type { Env } from '../access/env.ts'
import { revokeLinks } from './invitation.ts'

/**
 * A new password, or an archived user: one event. Links, first steps of a sign-in and sessions of before are over; keys are
 * ended where somebody asks for it (`endKeys`).
 */
export async function endWaysIn({ db, now }: Env, userId: number): Promise<void> {
  await revokeLinks(db, [userId], now)
  await db.query(sql`delete from res_users_session where user_id = ${userId}::bigint`)
  await db.query(sql`update res_users set sign_in_age = coalesce(sign_in_age, 0) + 1 where id = ${userId}::bigint`)
}

/** Whether nothing has ended the ways in of somebody since they proved who they are. */
export async function isOfNow(db: Queryable, { userId, age }: { userId: number; age: number }): Promise<boolean> {
  return (await ageOf(db, userId)) === age
}

/** How often the ways in of a user have ended. */
async function ageOf(db: Queryable, userId: number): Promise<number | undefined> {
  const [user] = await db.query<{ age: number }>(
    sql`select coalesce(sign_in_age, 0) as age from res_users where id = ${userId}::bigint`,
  )
  return user?.age
}
