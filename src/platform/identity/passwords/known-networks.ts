import type { Queryable } from '../../../database/database.ts'
import { sql } from '../../../database/drizzle.ts'
import { storedTime } from '../../../time.ts'
import { char, datetime, many2one } from '../../model/fields.ts'
import { defineModel } from '../../model/model.ts'
import { networkOf } from './network-of.ts'

/** How long a network is known after somebody signed in from it. */
const KNOWN_DAYS = 30
const MS_PER_DAY = 86_400_000

/** Networks from which people signed in lately: failures of strangers elsewhere lock nobody out there. Open to nobody. */
export const knownNetworkModel = defineModel({
  name: 'res.users.network',
  label: 'Known network',
  order: 'id desc',
  display: { columns: ['network'], show: (row) => String(row.network) },
  fields: {
    user_id: many2one('User', 'res.users', { required: true, onDelete: 'cascade' }),
    network: char('Network', { required: true }),
    last_at: datetime('Last signed in', { required: true, isIndexed: true }),
  },
  indexes: [{ columns: ['user_id', 'network'], isUnique: true }],
  retention: { since: 'last_at', age: () => `${KNOWN_DAYS} days` },
})

/** The earliest sign-in that counts, as it is stored. */
export function knownSince(now: Date): string {
  return storedTime(new Date(now.getTime() - KNOWN_DAYS * MS_PER_DAY))
}

/** Writes down that somebody has signed in from an address. */
export async function noteNetwork(
  db: Queryable,
  { userId, address, now }: { userId: number; address: string; now: Date },
): Promise<void> {
  await db.query(
    sql`insert into res_users_network (user_id, network, last_at)
        values (${userId}::bigint, ${networkOf(address).replaceAll('\0', '')}, ${storedTime(now)}::timestamp)
        on conflict (user_id, network) do update set last_at = excluded.last_at`,
  )
}

/** Whether somebody signed in from the network of that address lately. */
export async function isKnownThere(
  db: Queryable,
  { userId, address, now }: { userId: number; address: string; now: Date },
): Promise<boolean> {
  const rows = await db.query(
    sql`select 1 from res_users_network where user_id = ${userId}::bigint and network = ${networkOf(address)}
        and last_at > ${knownSince(now)}::timestamp`,
  )
  return rows.length > 0
}
