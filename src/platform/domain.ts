import { type SQL, sql } from '../database/drizzle.ts'
import { Refusal } from '../errors.ts'
import { ACCESS, requireAccess } from './access.ts'
import { conditionSql } from './condition.ts'
import { type Condition, type Domain, OPERATORS, type Operator } from './domain-syntax.ts'
import { type Field, isColumn } from './fields.ts'
import { type Identity, isManager } from './identity.ts'
import type { Model } from './model.ts'
import { getField, type Models } from './models.ts'
import { ruleDomain } from './rules.ts'

/** Conditions and operators one domain may have. */
export const DOMAIN_TERMS_MAX = 500
/** Links one condition may follow: `call.partner.name` has two. */
const PATH_LINKS_MAX = 4

interface Scope {
  models: Models
  identity: Identity
}

/** Compiles a domain on a model (its table named `alias`) to a condition; undefined when it admits every row. */
export function domainSql(scope: Scope, model: Model, domain: unknown, alias: string): SQL | undefined {
  const terms: SQL[] = []
  const tokens = parseDomain(domain)
  for (const token of tokens.toReversed()) {
    if (token === '!') terms.push(sql`(not coalesce(${take(terms)}, false))`)
    else if (token === '&') terms.push(sql`(${take(terms)} and ${take(terms)})`)
    else if (token === '|') terms.push(sql`(${take(terms)} or ${take(terms)})`)
    else terms.push(termSql(scope, model, token, alias))
  }
  if (terms.length === 0) return undefined
  return sql.join(terms.toReversed(), sql` and `)
}

/** The condition for the rows this identity may work with; undefined when it is all of them. */
export function visibleSql(scope: Scope, model: Model, alias: string): SQL | undefined {
  const domain = ruleDomain(
    model,
    scope.identity,
    Object.keys(ACCESS[model.name] ?? {}).filter((group) => hasRights(model, group)),
  )
  if (domain.length === 0) return undefined
  // Rules may look at what the identity itself may not read.
  return domainSql({ ...scope, identity: { ...scope.identity, isElevated: true } }, model, domain, alias)
}

/** Reads a domain as it came over the wire; throws a refusal that says what is wrong with it. */
export function parseDomain(domain: unknown): Domain {
  if (domain === undefined || domain === null) return []
  if (!Array.isArray(domain)) throw new Refusal('refused', 'A domain is a list of conditions [field, operator, value].')
  if (domain.length > DOMAIN_TERMS_MAX) throw new Refusal('refused', `A domain has at most ${DOMAIN_TERMS_MAX} terms.`)
  return domain.map(parseToken)
}

function hasRights(model: Model, group: string): boolean {
  return (ACCESS[model.name]?.[group] ?? '-') !== '-'
}

function parseToken(token: unknown): Condition | '&' | '|' | '!' {
  if (token === '&' || token === '|' || token === '!') return token
  if (!Array.isArray(token) || token.length !== 3 || typeof token[0] !== 'string' || typeof token[1] !== 'string') {
    throw new Refusal('refused', `${JSON.stringify(token)} is not a condition [field, operator, value].`)
  }
  return [token[0], token[1], token[2]]
}

function take(terms: SQL[]): SQL {
  const term = terms.pop()
  if (term === undefined) throw new Refusal('refused', 'The domain has an operator with too few conditions after it.')
  return term
}

function termSql(scope: Scope, model: Model, [path, operatorText, value]: Condition, alias: string): SQL {
  const operator = OPERATORS.find((each) => each === operatorText.toLowerCase())
  if (operator === undefined) throw new Refusal('refused', `The domain operator "${operatorText}" is not known.`)
  // Always-true and always-false leaves, as Odoo's clients send them.
  if (/^\d+$/.test(path) && operator === '=') return sql`${Number(path)}::int = ${Number(value)}::int`
  const links = path.split('.')
  if (links.length > PATH_LINKS_MAX) throw new Refusal('refused', `The path "${path}" follows too many links.`)
  return pathSql(scope, model, { links, operator, value }, alias)
}

interface Term {
  links: string[]
  operator: Operator
  value: unknown
}

function pathSql(scope: Scope, model: Model, term: Term, alias: string): SQL {
  const [name = '', ...rest] = term.links
  const own = sql`${sql.identifier(alias)}.id`
  if (name === 'id') return conditionSql(own, { kind: 'integer', label: 'ID' }, { ...term, path: 'id' })
  const field = getField(model, name)
  requireSearchable(scope.identity, model, name, field)
  if (isColumn(field)) {
    const column = sql`${sql.identifier(alias)}.${sql.identifier(name)}`
    if (field.kind !== 'many2one') {
      if (rest.length > 0) throw new Refusal('refused', `"${name}" of ${model.name} is not a link.`)
      return conditionSql(column, field, { ...term, path: `${model.name}.${name}` })
    }
    if (rest.length === 0 && !isNameSearch(term))
      return conditionSql(column, field, { ...term, path: `${model.name}.${name}` })
    return sql`${column} in (${targetIds(scope, field.target, { ...term, links: rest }, alias)})`
  }
  if (field.kind === 'computed')
    throw new Refusal('refused', `The field "${name}" of ${model.name} cannot be searched.`)
  return manySql(scope, field, { ...term, links: rest }, { own, alias })
}

function manySql(
  scope: Scope,
  field: Exclude<Field, { kind: 'computed' } | { compute: unknown }>,
  term: Term,
  { own, alias }: { own: SQL; alias: string },
): SQL {
  const { operator, value } = term
  const isEmptyTest = term.links.length === 0 && (value === false || value === null) && ['=', '!='].includes(operator)
  const isNegative = term.links.length === 0 && (operator === '!=' || operator === 'not in')
  const positive: Term = isNegative ? { ...term, operator: operator === '!=' ? '=' : 'in' } : term
  const pairs = (ids: SQL | undefined): SQL => {
    if (field.kind === 'many2many') {
      const { table, here, there } = field.relation
      const chosen = ids === undefined ? sql`` : sql` where ${sql.identifier(there)} in (${ids})`
      return sql`select ${sql.identifier(here)} from ${sql.identifier(table)}${chosen}`
    }
    if (field.kind !== 'one2many') throw new Error('only links to many records have pairs')
    const inverse = sql.identifier(field.inverse)
    const table = sql.identifier(field.target.replaceAll('.', '_'))
    return sql`select ${inverse} from ${table} where ${inverse} is not null${ids === undefined ? sql`` : sql` and id in (${ids})`}`
  }
  if (isEmptyTest)
    return operator === '=' ? sql`${own} not in (${pairs(undefined)})` : sql`${own} in (${pairs(undefined)})`
  const found = pairs(targetIds(scope, 'target' in field ? field.target : undefined, positive, alias))
  return isNegative ? sql`${own} not in (${found})` : sql`${own} in (${found})`
}

/** Ids of the linked model's rows that fit, as far as the identity may see them. */
function targetIds(scope: Scope, target: string | undefined, term: Term, alias: string): SQL {
  const model = scope.models.get(target ?? '')
  requireAccess(scope.identity, model.name, 'read')
  const inner = `${alias}_${model.table}`
  const links = term.links.length > 0 ? term.links : defaultLinks(model, term)
  const chosen = pathSql(scope, model, { ...term, links }, inner)
  const visible = visibleSql(scope, model, inner)
  const where = visible === undefined ? chosen : sql`(${chosen}) and (${visible})`
  return sql`select ${sql.identifier(inner)}.id from ${sql.identifier(model.table)} ${sql.identifier(inner)} where ${where}`
}

/** A link compared with a text is a search in the name of what it points at. */
function isNameSearch({ operator, value }: Term): boolean {
  if (operator.includes('like')) return true
  return typeof value === 'string' && !/^\d*$/.test(value) && (operator === '=' || operator === '!=')
}

function defaultLinks(model: Model, term: Term): string[] {
  return isNameSearch(term) ? [model.display.columns[0] ?? 'name'] : ['id']
}

/** Protected values must not leak by being searched for, one guess at a time. */
export function requireSearchable(identity: Identity, model: Model, name: string, field: Field): void {
  if (field.isProtected === true && !isManager(identity)) {
    throw new Refusal('forbidden', `The field "${name}" of ${model.name} is protected.`)
  }
  if (field.groups !== undefined && !identity.isElevated && !field.groups.some((group) => identity.groups.has(group))) {
    throw new Refusal('forbidden', `The field "${name}" of ${model.name} is not yours to read.`)
  }
  if (field.kind === 'secret' || field.kind === 'binary' || field.kind === 'json') {
    throw new Refusal('refused', `The field "${name}" of ${model.name} cannot be searched or sorted by.`)
  }
}
