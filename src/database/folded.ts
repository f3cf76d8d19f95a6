import { type SQL, sql } from './drizzle.ts'

/**
 * A text as people look for it: in small letters, without accents, with ss for ß, plain apostrophes, dashes and blanks. The function comes
 * with the migrations, and indexes are made of it: a migration that replaces it builds them anew (`REINDEX`).
 */
export function folded(text: SQL): SQL {
  return sql`connect_fold(${text})`
}
