/** A search domain: conditions and the prefix operators `&`, `|`, `!`; conditions side by side are joined by `&`. */
export type Domain = readonly (Condition | '&' | '|' | '!')[]
export type Condition = readonly [field: string, operator: string, value: unknown]

/** Operators a condition may have, as Odoo's domains name them. */
export const OPERATORS = [
  '=',
  '!=',
  '<',
  '<=',
  '>',
  '>=',
  'in',
  'not in',
  'like',
  'not like',
  'ilike',
  'not ilike',
  '=like',
  '=ilike',
] as const
export type Operator = (typeof OPERATORS)[number]
