import { hash, randomBytes } from 'node:crypto'
import type { Queryable, Transaction } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { idList } from '../../database/ids.ts'
import { param, statement } from '../../database/statement.ts'
import { storedTime } from '../../time.ts'
import { GROUP } from '../access/identity.ts'
import { char, computed, datetime, many2one, selection } from '../model/fields.ts'
import { defineModel, type Row } from '../model/model.ts'

/** How long a link may be used. */
const LINK_DAYS = 7
const MS_PER_DAY = 86_400_000
/** Time for which a link that nobody can use any more is still listed. */
const LISTED_DAYS = 30
const TOKEN_BYTES = 32

const LINK_KINDS = [
  ['invitation', 'Invitation'],
  ['reset', 'New password'],
] as const
export type LinkKind = (typeof LINK_KINDS)[number][0]

/** A link by which somebody gives themselves a password, once. Only its hash is stored. */
export const invitationModel = defineModel({
  name: 'res.users.invitation',
  label: 'Invitation',
  isReadonly: true,
  order: 'id desc',
  display: { columns: ['id'], show: (row) => `Invitation ${row.id}` },
  fields: {
    user_id: many2one('User', 'res.users', { required: true, onDelete: 'cascade' }),
    kind: selection('For', LINK_KINDS, { required: true }),
    token_hash: char('Token hash', { required: true, isUnique: true, isHeavy: true, groups: [] }),
    expires_at: datetime('Expires', { required: true, isIndexed: true }),
    used_at: datetime('Used'),
    revoked_at: datetime('Revoked'),
    state: computed('State', 'char', {
      depends: ['expires_at', 'used_at', 'revoked_at'],
      help: 'open, used, expired or revoked.',
      compute: (env, rows) => rows.map((row) => stateOf(row, storedTime(env.now))),
    }),
  },
  rules: [{ group: GROUP.manager, domain: () => [] }],
  retention: { since: 'expires_at', age: () => `${LISTED_DAYS} days` },
})

function stateOf({ used_at: usedAt, revoked_at: revokedAt, expires_at: end }: Row, now: string): string {
  if (usedAt !== null) return 'used'
  if (revokedAt !== null) return 'revoked'
  return typeof end === 'string' && end <= now ? 'expired' : 'open'
}

interface NewLink {
  userId: number
  kind: LinkKind
  now: Date
  /** Who makes it. */
  by: number
  /** It is used until then at the latest. */
  until?: string | undefined
}

/** Makes a link for a user, in place of those before it, and gives its token: this once. */
export async function createLink(
  db: Transaction,
  { userId, kind, now, by, until }: NewLink,
): Promise<{ token: string; expiresAt: string }> {
  await revokeLinks(db, [userId], now)
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  const latest = storedTime(new Date(now.getTime() + LINK_DAYS * MS_PER_DAY))
  const expiresAt = until !== undefined && until < latest ? until : latest
  await db.query(
    sql`insert into res_users_invitation (user_id, kind, token_hash, expires_at, create_uid)
        values (${userId}::bigint, ${kind}, ${hash('sha256', token)}, ${expiresAt}::timestamp, ${by}::bigint)`,
  )
  return { token, expiresAt }
}

/** Ends the open links of the users; gives how many there were. */
export async function revokeLinks(db: Transaction, userIds: readonly number[], now: Date): Promise<number> {
  if (userIds.length === 0) return 0
  const ended = await db.query(
    sql`update res_users_invitation set revoked_at = ${storedTime(now)}::timestamp
        where user_id in (${idList(userIds)}) and used_at is null and revoked_at is null returning id`,
  )
  return ended.length
}

/** A link that can be used now, with whose it is. */
export interface OpenLink {
  id: number
  kind: LinkKind
  user_id: number
  partner_id: number | null
  login: string
  expires_at: string
}

const FIND = statement<OpenLink, { hash: string; now: string }>(
  'invitation_find',
  sql`select i.id, i.kind, i.user_id, u.partner_id, u.login, i.expires_at from res_users_invitation i
      join res_users u on u.id = i.user_id and u.active
      where i.token_hash = ${param('hash')} and i.used_at is null and i.revoked_at is null
        and i.expires_at > ${param('now')}::timestamp`,
)

/** The link of that token, while it can be used. */
export async function findOpenLink(db: Queryable, token: string, now: Date): Promise<OpenLink | undefined> {
  const [link] = await db.run(FIND, { hash: hash('sha256', token), now: storedTime(now) })
  return link
}

/** Uses the link up; false when somebody else was faster. */
export async function useLink(db: Transaction, id: number, now: Date): Promise<boolean> {
  const used = await db.query(
    sql`update res_users_invitation set used_at = ${storedTime(now)}::timestamp
        where id = ${id}::bigint and used_at is null and revoked_at is null returning id`,
  )
  return used.length > 0
}
