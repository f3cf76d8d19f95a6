import type { Queryable } from '../../database/database.ts'
import { type SQL, sql } from '../../database/drizzle.ts'
import { manyIds } from '../../database/ids.ts'
import { Refusal } from '../../errors.ts'
import { sayRefusal } from '../../refusals.ts'
import type { Check } from './model.ts'

interface Quota {
  table: string
  /** The link to whose record it is; nobody's are counted together. */
  owner: string
  /** The field that a form shows it at. */
  shownAt?: string
  max: number
  /** The code of the refusal. */
  code: 'views-full' | 'drafts-full' | 'favorites-full'
  /** Which records count; all unless said otherwise. */
  where?: SQL
}

/** One person makes no more than so many records of a model: what fills a table costs everybody. */
export function quotaCheck(quota: Quota): Check {
  const { owner, shownAt = owner, max, code } = quota
  return {
    fields: [shownAt],
    says: sayRefusal(code, { max }).message,
    async require({ env: { db, identity }, after, current }) {
      const person = after[owner] ?? null
      if (identity.isElevated || (current !== undefined && current[owner] === person)) return
      // Calls at the same time are counted one after the other.
      if (person !== null) await db.query(sql`select id from res_users where id = ${person}::bigint for no key update`)
      await requireMost(db, quota, { person, most: max - 1 })
    },
    async requireRoom({ db, identity }, values, ids) {
      // One is counted when it is written.
      if (identity.isElevated || ids.length < 2 || !Object.hasOwn(values, owner)) return
      const person = values[owner] ?? null
      // What is no id is refused when it is written.
      if (person !== null && typeof person !== 'number') return
      await requireMost(db, quota, { person, most: max - ids.length, besides: ids })
    },
  }
}

async function requireMost(
  db: Queryable,
  { table, owner, max, code, where = sql`true` }: Quota,
  { person, most, besides = [] }: { person: unknown; most: number; besides?: readonly number[] },
): Promise<void> {
  const [row] = await db.query<{ count: number }>(
    sql`select count(*)::int as count from ${sql.identifier(table)}
        where ${sql.identifier(owner)} is not distinct from ${person}::bigint and (${where}) and id not in (${manyIds(besides)})`,
  )
  if ((row?.count ?? 0) > most) throw new Refusal('refused', code, { max })
}
