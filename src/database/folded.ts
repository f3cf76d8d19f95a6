import { APOSTROPHES } from '../folded-text.ts'
import { type SQL, sql } from './drizzle.ts'

/**
 * A text as people look for it: in small letters, without accents, with ss for ß, plain dashes and blanks, and no apostrophes. The function comes
 * with the migrations, and indexes are made of it: a migration that replaces it builds them anew (`REINDEX`).
 */
export function folded(text: SQL): SQL {
  return sql`connect_fold(${text})`
}

const ANY_APOSTROPHE = sql.raw(`'${APOSTROPHES.replace("'", "''")}', '${' '.repeat(APOSTROPHES.length)}'`)
/** What is between words becomes a blank, also inside of an address. */
const BETWEEN = sql.raw("'@.-_+', '     '")

/** The words of a text, folded; those around an apostrophe both together and apart. The indexes of the migration say the same. */
export function wordsIn(text: SQL): SQL {
  const apart = sql`translate(${text}, ${ANY_APOSTROPHE})`
  const both = sql`${folded(text)} || case when ${apart} = (${text}) then '' else ' ' || ${folded(apart)} end`
  return sql`to_tsvector('simple', translate(${both}, ${BETWEEN}))`
}
