import { sql } from '../../../database/drizzle.ts'
import { bareEmail, namedEmail, smallAscii } from '../../../email-address.ts'
import { cleanName } from '../../../names.ts'
import { isUnseen } from '../../../unseen.ts'
import { type Env, elevated } from '../../access/env.ts'
import { GROUP } from '../../access/identity.ts'
import { records } from '../../records/records.ts'
import { findLinked, linkSubject } from './sign-on.ts'

const NAME_CHARS_MAX = 200
/** Anyone who decides on these, or on a group that leads to one, lets people in anywhere; a provider outside does not. */
const NEVER_BY_CLAIM: readonly string[] = [GROUP.manager, GROUP.webhook, GROUP.public]

/** Groups from which one of these is reached, themselves among them. */
const UNREACHABLE = sql`select reaching.id from reaching`
const WITH_REACHING = sql`with recursive reaching(id) as (
    select id from res_groups where external_id in (${sql.join(
      NEVER_BY_CLAIM.map((each) => sql`${each}`),
      sql`, `,
    )})
    union select i.group_id from res_groups_implied_rel i join reaching r on r.id = i.implied_id
  )`

/** What the provider says of the person who has signed in there, checked by its signature. */
export interface Claims {
  issuer: string
  subject: string
  email: string | undefined
  isEmailVerified: boolean
  name: string | undefined
  /** Undefined when it says nothing of groups, or nobody asks for them. */
  groups: readonly string[] | undefined
}

/** Why nobody is let in: a word for the page, which has the sentence. */
export type SignOnProblem = 'unknown' | 'unverified' | 'inactive' | 'linked'
type Found = { userId: number } | { problem: SignOnProblem }

/**
 * The user of the person who has signed in at the provider: by the subject, else by a login that is their verified e-mail address,
 * else a new one where that is wanted. The address of a contact says nothing: others may write it.
 */
export async function findOrCreate(env: Env, claims: Claims): Promise<Found> {
  const found = await find(env, claims)
  if ('userId' in found && claims.groups !== undefined) await joinGroups(env, found.userId, claims.groups)
  return found
}

async function find(env: Env, claims: Claims): Promise<Found> {
  const known = await findLinked(env.db, claims)
  if (known !== undefined) return known.active ? { userId: known.id } : { problem: 'inactive' }
  const { email, isEmailVerified } = claims
  if (email === undefined) return { problem: 'unknown' }
  if (!isEmailVerified) return { problem: 'unverified' }
  const user = await findByLogin(env, email)
  if (user === undefined) return create(env, claims, email)
  if (user.active !== true || user.external_id !== null) return { problem: 'inactive' }
  const isLinked = await linkSubject(env.db, { ...claims, userId: user.id })
  return isLinked ? { userId: user.id } : { problem: 'linked' }
}

/** Links the person who is signed in here with who they are at the provider. */
export async function linkPerson(env: Env, claims: Claims, userId: number): Promise<Found> {
  const known = await findLinked(env.db, claims)
  if (known?.id === userId) return { userId }
  const isLinked = known === undefined && (await linkSubject(env.db, { ...claims, userId }))
  return isLinked ? { userId } : { problem: 'linked' }
}

async function findByLogin({ db }: Env, email: string) {
  const [user] = await db.query<{ id: number; active: boolean | null; external_id: string | null }>(
    sql`select id, active, external_id from res_users where login in (${email.trim()}, ${namedEmail(email)}) order by id limit 1`,
  )
  return user
}

async function create(env: Env, claims: Claims, email: string): Promise<Found> {
  if (!env.settings.ssoCreatesUsers) return { problem: 'unknown' }
  const [group] = await env.db.query<{ id: number }>(
    sql`${WITH_REACHING} select id from res_groups where external_id = ${GROUP.connectUser} and id not in (${UNREACHABLE})`,
  )
  const groups = claims.groups === undefined && group !== undefined ? [group.id] : []
  const login = namedEmail(email)
  // Stored as another one, it would be somebody else's.
  if (bareEmail(login) !== login) return { problem: 'unknown' }
  const named = cleanName(claims.name ?? '')
  const name = (isUnseen(named) ? login : named.trim()).slice(0, NAME_CHARS_MAX)
  // Elevated: a manager has decided that whom the provider knows is let in.
  const [userId] = await records(elevated(env), 'res.users').create([{ login, name, group_ids: groups }])
  if (userId === undefined) throw new Error('the user was not created')
  await linkSubject(env.db, { ...claims, userId })
  return { userId }
}

/** Puts somebody into the groups that the provider names, and out of the others that it may give; only A to Z have two cases. */
async function joinGroups(env: Env, userId: number, named: readonly string[]): Promise<void> {
  const names = new Set(named.map(smallAscii))
  const groups = await env.db.query<{
    id: number
    external_id: string
    name: string
    is_in: boolean
    is_kept: boolean
  }>(
    sql`${WITH_REACHING} select g.id, g.external_id, g.name, r.user_id is not null as is_in,
          g.external_id = ${GROUP.internal} or g.id in (${UNREACHABLE}) as is_kept from res_groups g
        left join res_groups_users_rel r on r.group_id = g.id and r.user_id = ${userId}::bigint`,
  )
  const isWanted = ({ external_id: id, name, is_in: isIn, is_kept: isKept }: (typeof groups)[number]) =>
    isKept ? isIn : names.has(smallAscii(id)) || names.has(smallAscii(name))
  if (groups.every((group) => isWanted(group) === group.is_in)) return
  const ids = groups.filter(isWanted).map(({ id }) => id)
  await records(elevated(env), 'res.users').write([userId], { group_ids: ids })
}
