import type { Queryable } from '../../../database/database.ts'
import { sql } from '../../../database/drizzle.ts'
import { char, many2one } from '../../model/fields.ts'
import { defineModel } from '../../model/model.ts'

const SUBJECT_CHARS_MAX = 255

/** Who somebody is at an OpenID provider: its issuer and the subject, which it gives to nobody else. Open to nobody. */
export const signOnModel = defineModel({
  name: 'res.users.sign_on',
  label: 'Single sign-on',
  order: 'id desc',
  display: { columns: ['subject'], show: (row) => String(row.subject) },
  fields: {
    user_id: many2one('User', 'res.users', { required: true, onDelete: 'cascade' }),
    issuer: char('Issuer', { required: true }),
    subject: char('Subject', { required: true, maxLength: SUBJECT_CHARS_MAX }),
  },
  indexes: [
    { columns: ['issuer', 'subject'], isUnique: true },
    { columns: ['user_id', 'issuer'], isUnique: true },
  ],
})

interface LinkedUser {
  id: number
  active: boolean
}

/** The user that a subject stands for. */
export async function findLinked(
  db: Queryable,
  { issuer, subject }: { issuer: string; subject: string },
): Promise<LinkedUser | undefined> {
  const [user] = await db.query<LinkedUser>(
    sql`select u.id, coalesce(u.active, false) as active from res_users_sign_on s join res_users u on u.id = s.user_id
        where s.issuer = ${issuer} and s.subject = ${subject}`,
  )
  return user
}

/** Links a user with a subject; false when one of them is linked at this issuer already. */
export async function linkSubject(
  db: Queryable,
  { userId, issuer, subject }: { userId: number; issuer: string; subject: string },
): Promise<boolean> {
  const linked = await db.query(
    sql`insert into res_users_sign_on (user_id, issuer, subject) values (${userId}::bigint, ${issuer}, ${subject})
        on conflict do nothing returning id`,
  )
  return linked.length > 0
}
