import { type Static, Type } from 'typebox'
import { sql } from '../../database/drizzle.ts'
import { Refusal } from '../../errors.ts'
import { reachOf } from '../../public-address.ts'
import type { Env } from '../access/env.ts'
import { GROUP } from '../access/identity.ts'
import { type Method, method } from '../model/model.ts'
import { records } from '../records/records.ts'
import { joinUrl } from '../settings/settings-model.ts'
import { createLink, type LinkKind, revokeLinks } from './invitation.ts'

const TEXT_CHARS_MAX = 200
const GROUPS_MAX = 100

const Link = Type.Object({
  id: Type.Integer(),
  link: Type.String({ description: 'Shown this once. Without a public address it is a path of this service.' }),
  path: Type.String({ description: 'The same below any other address at which the service is opened.' }),
  reach: Type.Union(
    [Type.Literal('public'), Type.Literal('private'), Type.Literal('example'), Type.Literal('missing')],
    { description: 'Who can open `link`, by the name in the public address: `example` and `missing` lead nowhere.' },
  ),
  expires_at: Type.String(),
})

const MANAGERS = [GROUP.manager]

/** `givePhone` makes somebody a phone user with that extension. */
export function inviteMethods({
  givePhone,
}: {
  givePhone(env: Env, userId: number, extension: string): Promise<void>
}): Record<string, Method> {
  const invite = method({
    label: 'Invite',
    operation: 'create',
    groups: MANAGERS,
    args: Type.Object({
      name: Type.String({ minLength: 1, maxLength: TEXT_CHARS_MAX }),
      login: Type.String({ minLength: 1, maxLength: TEXT_CHARS_MAX }),
      group_ids: Type.Array(Type.Integer(), { maxItems: GROUPS_MAX }),
      extension: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    }),
    reply: Link,
    async run(env, _ids, { name, login, group_ids: groupIds, extension }) {
      const [id] = await records(env, 'res.users').create([{ name, login, group_ids: groupIds }])
      if (id === undefined) throw new Error('the user was not created')
      if (typeof extension === 'string' && extension.trim() !== '') await givePhone(env, id, extension.trim())
      return { id, ...(await linkFor(env, id, 'invitation')) }
    },
  })
  return { invite, reset_link: resetLink, revoke }
}

/** A link for somebody who has lost their password, or has not used their invitation in time. */
const resetLink = method({
  label: 'Create password link',
  operation: 'write',
  groups: MANAGERS,
  reply: Link,
  async run(env, ids) {
    const [id] = ids
    if (id === undefined || ids.length > 1) {
      throw new Refusal('refused', 'api-link-for-exactly-one-user-ids')
    }
    const [user] = await env.db.query<{ active: boolean; has_password: boolean; external_id: string | null }>(
      sql`select active, password_hash is not null as has_password, external_id from res_users where id = ${id}::bigint`,
    )
    if (user?.external_id) throw new Refusal('refused', 'nobody-signs-user-belongs-service')
    if (user?.active !== true) throw new Refusal('refused', 'this-user-not-active-activate-them')
    return { id, ...(await linkFor(env, id, user.has_password ? 'reset' : 'invitation')) }
  },
})

const revoke = method({
  label: 'Revoke link',
  operation: 'write',
  groups: MANAGERS,
  reply: Type.Object({ revoked: Type.Integer() }),
  run: async (env, ids) => ({ revoked: await revokeLinks(env.db, ids, env.now) }),
})

async function linkFor(env: Env, userId: number, kind: LinkKind): Promise<Omit<Static<typeof Link>, 'id'>> {
  const { via, userId: by } = env.identity
  // Anyone who gets hold of a key that ends must not keep the door open with a link.
  const until = via?.kind === 'key' ? via.expiresAt : undefined
  const { token, expiresAt } = await createLink(env.db, { userId, kind, now: env.now, by, until })
  // Behind the sign it is sent to nobody, and stands in no log of a proxy.
  const path = `/invitation#token=${token}`
  const { apiUrl } = env.settings
  const link = apiUrl === undefined ? path : joinUrl(new URL(apiUrl).origin, path)
  return { link, path, reach: reachOf(apiUrl), expires_at: expiresAt }
}
