import type { Queryable } from '../../database/database.ts'
import type { OpenEnv } from '../../platform/access/env.ts'

/** Queries that are each a transaction of their own. */
export function queriesOf(open: OpenEnv): Queryable {
  return {
    run: (statement, params) => open(({ db }) => db.run(statement, params)),
    query: (query) => open(({ db }) => db.query(query)),
  }
}
