import type { Queryable, Transaction } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import type { Env } from '../access/env.ts'
import { GROUP } from '../access/identity.ts'

/** External id of the user the webhooks run as. */
export const WEBHOOK_USER = 'connect.user_connect_webhook'
/** External id of the built-in administrator, who owns the local key. */
export const LOCAL_ADMIN = 'base.user_admin'

const GROUPS: readonly [externalId: string, name: string, implied: readonly string[]][] = [
  [GROUP.public, 'Public', []],
  [GROUP.internal, 'Internal User', []],
  [GROUP.manager, 'Manager', [GROUP.internal]],
  [GROUP.webhook, 'Connect Webhook', []],
  [GROUP.connectUser, 'Connect User', []],
  [GROUP.connectAdmin, 'Connect Administrator', [GROUP.connectUser]],
  [GROUP.agentCalls, 'Calls of Agents', []],
  [GROUP.helpdeskUser, 'Helpdesk User', []],
  [GROUP.helpdeskManager, 'Helpdesk Manager', [GROUP.helpdeskUser]],
]

/** What users need of their contacts, which carry their time zone and language. */
export interface UserContacts {
  /** Gives the id. */
  create(db: Queryable, contact: { name: string; isActive: boolean }): Promise<number | null>
  /** Time zones by id of the contact. */
  zonesOf(db: Queryable, ids: readonly number[]): Promise<ReadonlyMap<number, string | null>>
  /** Saves a zone, which is checked by then, for the contact of a user. */
  saveZone(env: Env, userId: number, zone: unknown): Promise<void>
}

interface ServiceUser {
  externalId: string
  login: string
  name: string
  isActive: boolean
  groups: readonly string[]
}

/** The built-in administrator has every right a person can have and no password: it acts through the local key only. */
const USERS: readonly ServiceUser[] = [
  {
    externalId: WEBHOOK_USER,
    login: 'connect_webhook',
    name: 'Connect Webhook',
    isActive: false,
    groups: [GROUP.webhook],
  },
  {
    externalId: LOCAL_ADMIN,
    login: 'local-admin',
    name: 'Local Administrator',
    isActive: true,
    groups: [GROUP.internal, GROUP.manager, GROUP.connectAdmin, GROUP.helpdeskManager],
  },
]

/** The id of a user that the service itself works as; undefined while the database is not seeded. */
export async function findServiceUser(db: Queryable, externalId: string): Promise<number | undefined> {
  const [user] = await db.query<{ id: number }>(sql`select id from res_users where external_id = ${externalId}`)
  return user?.id
}

/** Puts in the groups, and the users that the service itself works as, each with a contact. */
export async function seedIdentity(tx: Transaction, contacts: Pick<UserContacts, 'create'>): Promise<void> {
  for (const [externalId, name] of GROUPS) {
    await tx.query(
      sql`insert into res_groups (external_id, name) values (${externalId}, ${name}) on conflict (external_id) do nothing`,
    )
  }
  for (const [externalId, , implied] of GROUPS) {
    for (const other of implied) {
      await tx.query(
        sql`insert into res_groups_implied_rel (group_id, implied_id)
            select g.id, i.id from res_groups g, res_groups i where g.external_id = ${externalId} and i.external_id = ${other}
            on conflict do nothing`,
      )
    }
  }
  for (const user of USERS) {
    if ((await findServiceUser(tx, user.externalId)) === undefined) await createUser(tx, contacts, user)
  }
}

async function createUser(
  tx: Transaction,
  contacts: Pick<UserContacts, 'create'>,
  { externalId, login, name, isActive, groups }: ServiceUser,
): Promise<void> {
  // Nobody calls or meets them, so that lists of contacts leave them out.
  const contact = await contacts.create(tx, { name, isActive: false })
  const [user] = await tx.query<{ id: number }>(
    sql`insert into res_users (external_id, login, name, active, share, partner_id)
        values (${externalId}, ${login}, ${name}, ${isActive}, false, ${contact}::bigint) returning id`,
  )
  for (const group of groups) {
    await tx.query(
      sql`insert into res_groups_users_rel (user_id, group_id)
          select ${user?.id ?? null}::bigint, id from res_groups where external_id = ${group}`,
    )
  }
}
