import { type SQL, sql } from '../../database/drizzle.ts'
import type { ComputedField } from './declaration.ts'
import { computed } from './fields.ts'

type Options = Pick<ComputedField, 'help' | 'groups' | 'widget'>

/** Whether something is so of a record, by what other tables say of its id: it is read by its name, and searched by. */
export function fact(label: string, isSo: (id: SQL, isPage: boolean) => SQL, options: Options = {}): ComputedField {
  return computed(label, 'boolean', {
    ...options,
    depends: [],
    isHeavy: true,
    isSo,
    async compute(env, rows) {
      const ids = rows.map(({ id }) => id)
      const found = await env.db.query<{ id: number }>(
        sql`select r.id from unnest(${sql.param(ids)}::bigint[]) r(id) where ${isSo(sql`r.id`, true)}`,
      )
      const so = new Set(found.map(({ id }) => id))
      return ids.map((id) => so.has(id))
    },
  })
}
