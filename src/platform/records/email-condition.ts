import { type SQL, sql } from '../../database/drizzle.ts'
import { folded } from '../../database/folded.ts'
import { bareEmail, smallAscii } from '../../email-address.ts'
import { patternToFold } from '../../folded-text.ts'
import type { Field } from '../model/fields.ts'
import { escapeLike } from './condition.ts'
import type { Operator } from './domain-syntax.ts'
import { textsOf } from './number-condition.ts'

const EMAILS = /(?:^|_)(?:email|login)$/

/**
 * Anyone who looks for an e-mail address finds it, whatever stands around it (`Anna <anna@example.com>`): what fits beside the text
 * itself, as a condition on the column; undefined where the text is but the address.
 */
export function otherEmailsSql(
  name: string,
  field: Field,
  { operator, value }: { operator: Operator; value: unknown },
  column: SQL,
): SQL | undefined {
  if (field.kind !== 'char' || !EMAILS.test(name)) return undefined
  const written = textsOf(value)
  const bare = written.filter((each) => each.includes('@')).map(bareEmail)
  const others = [...new Set([...bare, ...bare.map(smallAscii)])].filter((each) => !written.includes(each))
  if (others.length === 0) return undefined
  if (!operator.includes('like')) return sql`${column} = any(${sql.param(others)}::text[])`
  const tests = others.map((each) => partSql(column, `%${escapeLike(each)}%`, operator))
  return sql`(${sql.join(tests, sql` or `)})`
}

function partSql(column: SQL, pattern: string, operator: Operator): SQL {
  if (!operator.includes('ilike')) return sql`${column} like ${pattern}`
  return sql`${folded(column)} like ${folded(sql`${patternToFold(pattern)}::text`)}`
}
