import { type SQL, sql } from '../../../database/drizzle.ts'
import type { Model } from '../../model/model.ts'
import { ruleDomain } from '../../model/rules.ts'
import { domainSql, type Scope } from '../domain.ts'
import type { Condition, Domain } from '../domain-syntax.ts'

/** Ids from the one to the other. */
export interface Span {
  from: number
  to: number
}

/**
 * The ids of the rows that an identity works with, where the rule is a choice of links ("whoever called, answered or was rung"), some more than once:
 * each link is looked up in its own index. Undefined for any other rule. Made for whoever has few of very many rows.
 */
export function visibleIdsSql(scope: Scope, model: Model, span?: Span): SQL | undefined {
  const domain = ruleDomain(model, scope.identity)
  const [ors, choices] = [domain.filter((token) => token === '|'), domain.filter((token) => Array.isArray(token))]
  // With as many choices as that, the order of the operators makes no difference.
  if (choices.length < 2 || ors.length !== choices.length - 1 || ors.length + choices.length !== domain.length) {
    return undefined
  }
  const all = { ...scope, identity: { ...scope.identity, isElevated: true } }
  return sql.join(
    choices.map((choice) => idsOfChoice(all, model, choice, span)),
    sql` union all `,
  )
}

function idsOfChoice(scope: Scope, model: Model, choice: Domain[number], span: Span | undefined): SQL {
  const [name, operator, value] = choice as Condition
  const field = name.includes('.') ? undefined : model.fields[name]
  if (field?.kind === 'many2many' && operator === 'in' && Array.isArray(value) && value.length === 1) {
    const { table, here, there } = field.relation
    const id = sql`pair.${sql.identifier(here)}`
    return sql`select ${id} as id from ${sql.identifier(table)} pair
      where pair.${sql.identifier(there)} = ${value[0]}::bigint${inSpan(id, span)}`
  }
  const condition = domainSql(scope, model, [choice], 'own') ?? sql`true`
  return sql`select own.id from ${sql.identifier(model.table)} own where ${condition}${inSpan(sql`own.id`, span)}`
}

function inSpan(id: SQL, span: Span | undefined): SQL {
  return span === undefined ? sql`` : sql` and ${id} between ${span.from}::bigint and ${span.to}::bigint`
}
