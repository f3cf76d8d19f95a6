import { type SQL, sql } from '../../../database/drizzle.ts'
import type { Model } from '../../model/model.ts'
import { ruleDomain } from '../../model/rules.ts'
import { domainSql, type Scope } from '../domain.ts'
import { alternativesOf, type Condition, type Domain } from '../domain-syntax.ts'

/**
 * The ids of the rows that an identity reads, where the rule is a choice ("anyone who called, answered or was rung"), some more than
 * once: each is looked up in its own index. Undefined for any other rule. Made for everybody who has few of very many rows.
 */
export function visibleIdsSql(scope: Scope, model: Model): SQL | undefined {
  const choices = alternativesOf(ruleDomain(model, scope.identity))
  if (choices.length < 2) return undefined
  const all = { ...scope, identity: { ...scope.identity, isElevated: true } }
  return sql.join(
    choices.map((choice) => idsOfChoice(all, model, choice)),
    sql` union all `,
  )
}

function idsOfChoice(scope: Scope, model: Model, choice: Domain): SQL {
  const [first, ...others] = choice
  const [name, operator, value] = Array.isArray(first) && others.length === 0 ? (first as Condition) : []
  const field = name === undefined || name.includes('.') ? undefined : model.fields[name]
  if (field?.kind === 'many2many' && operator === 'in' && Array.isArray(value) && value.length === 1) {
    const { table, here, there } = field.relation
    return sql`select pair.${sql.identifier(here)} as id from ${sql.identifier(table)} pair
      where pair.${sql.identifier(there)} = ${value[0]}::bigint`
  }
  const condition = domainSql(scope, model, choice, 'own') ?? sql`true`
  return sql`select own.id from ${sql.identifier(model.table)} own where ${condition}`
}
