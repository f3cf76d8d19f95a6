import { type SQL, sql } from '../../database/drizzle.ts'
import { formsOfSubscriber } from '../../number-plans.ts'
import { toContactKey } from '../../phone.ts'
import { readWritten } from '../../written-number.ts'
import type { Field } from '../model/fields.ts'
import type { Model } from '../model/model.ts'
import { escapeLike } from './condition.ts'
import type { Operator } from './domain-syntax.ts'

const NUMBERS = /(?:^|_)(?:phone|mobile|number|caller|called|ours|theirs|forwarded_from)(?:_normalized)?$/
const LOOKS_LIKE_NUMBER = /^\+?[\d\s().\-/]+$/
/** Fewer digits are in nearly every number; a 0 before fewer of them may be one of the number's own. */
const PART_DIGITS_MIN = 4
const WITHOUT_ZERO_DIGITS_MIN = 5
/** A longer list names what is stored, and nobody has typed it. */
const LIST_READ_MAX = 100

interface Asked {
  operator: Operator
  value: unknown
  country: string | undefined
}

/**
 * Anyone who looks for a number finds it in whichever form it is written and stored: what else fits beside the text itself, as a
 * condition on the table named `alias`; undefined where nothing else does.
 */
export function otherFormsSql(model: Model, name: string, field: Field, asked: Asked, alias: string): SQL | undefined {
  if (field.kind !== 'char' || !NUMBERS.test(name)) return undefined
  const column = (of: string): SQL => sql`${sql.identifier(alias)}.${sql.identifier(of)}`
  const written = textsOf(asked.value)
  const isLike = asked.operator.includes('like')
  const parts = isLike ? written.flatMap(digitsOfPart) : []
  const allForms = new Set(written.flatMap((each) => formsOfNumber(each, asked.country)))
  // A form that has the digits of a part is found by them: to compare each number of a large table once more takes half as long again.
  const forms = [...allForms].filter((form) => !parts.some((digits) => form.includes(digits)))
  const read = `${name.replace(/^partner_/, '')}_normalized`
  const readColumn = Object.hasOwn(model.fields, read) ? [column(read)] : []
  const others = isLike ? forms : forms.filter((form) => !written.includes(form))
  const equal = (of: SQL, values: readonly string[]): SQL[] =>
    values.length === 0 ? [] : [sql`${of} = any(${sql.param(values)}::text[])`]
  const tests = [
    ...equal(column(name), others),
    ...readColumn.flatMap((of) => equal(of, forms)),
    ...parts.flatMap((digits) => {
      // The text itself is looked for in its own column already.
      const others = written.includes(digits) ? readColumn : [column(name), ...readColumn]
      return others.map((of) => sql`${of} like ${`%${escapeLike(digits)}%`}`)
    }),
  ]
  return tests.length === 0 ? undefined : sql`(${sql.join(tests, sql` or `)})`
}

/** The texts that a condition compares with. */
export function textsOf(value: unknown): string[] {
  const values = Array.isArray(value) ? value : [value]
  return values.length > LIST_READ_MAX ? [] : values.filter((each): each is string => typeof each === 'string')
}

function formsOfNumber(written: string, country: string | undefined): string[] {
  const number = toContactKey(written, country)
  return number === undefined ? [] : formsOfSubscriber(number)
}

/** The digits of a part of a number, without what people write between them. */
function digitsOfPart(written: string): string[] {
  const { text } = readWritten(written)
  if (!LOOKS_LIKE_NUMBER.test(text)) return []
  const all = text.replaceAll(/\D/g, '')
  const withoutZero = all.replace(/^0+/, '')
  const digits = withoutZero.length >= WITHOUT_ZERO_DIGITS_MIN ? withoutZero : all
  return digits.length < PART_DIGITS_MIN ? [] : [digits]
}
