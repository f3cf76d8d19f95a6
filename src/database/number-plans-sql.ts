import { ARGENTINE, NUMBER_CHANGES } from '../number-plans.ts'
import { type SQL, sql } from './drizzle.ts'

// All of it is written into the statement: the patterns are ours, and have no quotes.
const HAS_FORMS = `^\\+(${[...new Set([...NUMBER_CHANGES.map(({ code }) => code.slice(1)), '54'])].join('|')})\\d`
const ARGENTINE_TODAY = '+549\\2'
const ARGENTINE_AT_HOME = '+54\\2'

function replaced(text: SQL, pattern: string, replacement: string): SQL {
  return sql`regexp_replace(${text}, ${sql.raw(`'${pattern}'`)}, ${sql.raw(`'${replacement}'`)})`
}

/** A pattern of what comes after the code, as one of the whole number. */
function withCode(code: string, rest: RegExp): string {
  return `^\\${code}${rest.source.slice(1)}`
}

function groupsOf(replacement: string): string {
  return replacement.replaceAll('$', '\\')
}

function asWrittenTodaySql(number: SQL): SQL {
  return NUMBER_CHANGES.reduce(
    (text, { code, old, today }) => replaced(text, withCode(code, old), code + groupsOf(today)),
    number,
  )
}

/** `formsOfSubscriber` for a statement: an array, for `column = any(…)`; of most numbers it has one entry. */
export function formsOfSubscriberSql(number: SQL): SQL {
  const today = asWrittenTodaySql(number)
  const older = NUMBER_CHANGES.map(({ code, now, before }) =>
    replaced(today, withCode(code, now), code + groupsOf(before)),
  )
  const argentine = [ARGENTINE_TODAY, ARGENTINE_AT_HOME].map((form) => replaced(number, ARGENTINE.source, form))
  const all = sql.join([number, today, ...older, ...argentine], sql`, `)
  return sql`(case when ${number} ~ ${sql.raw(`'${HAS_FORMS}'`)} then array[${all}] else array[${number}] end)`
}

/** `conversationNumber` for a statement: one form for all calls of a subscriber. */
export function oneFormSql(number: SQL): SQL {
  const form = replaced(asWrittenTodaySql(number), ARGENTINE.source, ARGENTINE_TODAY)
  return sql`(case when ${number} ~ ${sql.raw(`'${HAS_FORMS}'`)} then ${form} else ${number} end)`
}
