import type { Queryable } from '../../database/database.ts'
import { type SQL, sql } from '../../database/drizzle.ts'
import { Refusal } from '../../errors.ts'
import type { Check } from './model.ts'

interface Quota {
  table: string
  /** The link to whose record it is; nobody's are counted together. */
  owner: string
  /** The field that a form shows it at. */
  shownAt?: string
  max: number
  /** The sentence, with the number. */
  says: string
  /** Which records count; all unless said otherwise. */
  where?: SQL
}

/** One person makes no more than so many records of a model: what fills a table costs everybody. */
export function quotaCheck({ table, owner, shownAt = owner, max, says, where = sql`true` }: Quota): Check {
  const requireMost = async (db: Queryable, person: unknown, most: number): Promise<void> => {
    const [row] = await db.query<{ count: number }>(
      sql`select count(*)::int as count from ${sql.identifier(table)}
          where ${sql.identifier(owner)} is not distinct from ${person}::bigint and (${where})`,
    )
    if ((row?.count ?? 0) > most) throw new Refusal('refused', says)
  }
  return {
    fields: [shownAt],
    says,
    async require({ env: { db, identity }, after, current }) {
      const person = after[owner] ?? null
      if (identity.isElevated || (current !== undefined && current[owner] === person)) return
      // Calls at the same time are counted one after the other.
      if (person !== null) await db.query(sql`select id from res_users where id = ${person}::bigint for no key update`)
      await requireMost(db, person, max - 1)
    },
    async requireRoom({ db, identity }, list) {
      if (identity.isElevated) return
      const owners = Map.groupBy(
        list,
        (values) => (Object.hasOwn(values, owner) ? values[owner] : identity.userId) ?? null,
      )
      for (const [person, own] of owners) {
        // One is counted when it is written; what is no id is refused there.
        if (own.length > 1 && (person === null || typeof person === 'number'))
          await requireMost(db, person, max - own.length)
      }
    },
  }
}
