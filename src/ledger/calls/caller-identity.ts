import { type SQL, sql } from '../../database/drizzle.ts'
import { IDENTITY_PATTERNS } from '../../withheld.ts'

/**
 * For a statement: whether a stored caller says who it is; calls of others are never taken for calls of one person
 * (docs/reference/domain.md#callers-without-an-identity).
 */
export function hasIdentitySql(column: SQL): SQL {
  const { identity, withheld } = IDENTITY_PATTERNS
  return sql`coalesce(${column} ~* ${identity}::text and ${column} !~* ${withheld}::text, false)`
}

/** For a statement: whether a stored address is that of somebody who withholds their number; spaces between digits do not count. */
export function isWithheldSql(column: SQL): SQL {
  const { withheld } = IDENTITY_PATTERNS
  return sql`(${column} ~* ${withheld}::text or regexp_replace(${column}, '[[:space:]().-]', '', 'g') ~* ${withheld}::text)`
}
