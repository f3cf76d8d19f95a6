import { type SQL, sql } from './drizzle.ts'
import { param } from './statement.ts'

/**
 * More rows than one statement is ever given. The limit is there for the planner: of a list it expects ten rows, or a hundred, and
 * then reads through a table of some thousand to join them; of a limit that it cannot know it expects a tenth of that.
 */
const ROWS_MAX = 1_000_000

/** For a query that reads rows out of a list: the limit that tells the planner that they are few. */
export function limitOfRows(): SQL {
  return sql`limit (select ${sql.raw(String(ROWS_MAX))})`
}

/**
 * For `column in ${listed('ids', 'bigint')}`: what is in the list that a statement is given. Written as `any($1)`, the planner takes
 * a plan that knows no values for dearer than one made for the values of each run, and plans at every run: longer than most look-ups
 * take (docs/decisions/0006-hot-statements.md).
 */
export function listed(name: string, type: string): SQL {
  return sql`(select each from unnest(${param(name)}::${sql.raw(type)}[]) as each ${limitOfRows()})`
}
