import { type SQL, sql } from '../../database/drizzle.ts'
import { idList } from '../../database/ids.ts'
import { Refusal } from '../../errors.ts'
import { type Operation, requireAccess } from '../access/access.ts'
import { type Identity, isManager } from '../access/identity.ts'
import type { Models } from '../model/declaration.ts'
import { type ColumnField, type ComputedField, type Field, isColumn } from '../model/fields.ts'
import type { Model } from '../model/model.ts'
import { getField } from '../model/models.ts'
import { ruleDomain } from '../model/rules.ts'
import { conditionSql, shown } from './condition.ts'
import { alternativesOf, anyOf, type Condition, type Domain, OPERATORS, type Operator } from './domain-syntax.ts'
import { otherEmailsSql } from './email-condition.ts'
import { otherFormsSql } from './number-condition.ts'
import { SearchBudget } from './search-budget.ts'

/** Conditions and operators one domain may have. */
const DOMAIN_TERMS_MAX = 500
/** Links one condition may follow: `call.partner.name` has two. */
const PATH_LINKS_MAX = 4

export interface Scope {
  models: Models
  identity: Identity
  /** In which national numbers are read. */
  country?: string | undefined
  /** Some of the rows are wanted, and not all of them counted. */
  isPage?: boolean | undefined
}

interface CountedScope extends Scope {
  budget: SearchBudget
  /** Links are looked up for one row after the other. */
  isRowByRow?: boolean
}

/** Compiles a domain on a model (its table named `alias`) to a condition; undefined when it admits every row. */
export function domainSql(
  asked: Scope & { isRowByRow?: boolean; budget?: SearchBudget },
  model: Model,
  domain: unknown,
  alias: string,
): SQL | undefined {
  const scope = { ...asked, budget: asked.budget ?? new SearchBudget() }
  const terms: SQL[] = []
  const tokens = parseDomain(domain)
  for (const token of tokens.toReversed()) {
    if (token === '!') terms.push(sql`(not coalesce(${nextTerm(terms)}, false))`)
    else if (token === '&') terms.push(sql`(${nextTerm(terms)} and ${nextTerm(terms)})`)
    else if (token === '|') terms.push(sql`(${nextTerm(terms)} or ${nextTerm(terms)})`)
    else terms.push(termSql(scope, model, token, alias))
  }
  if (terms.length === 0) return undefined
  return sql.join(terms.toReversed(), sql` and `)
}

/** The condition for the rows with which this identity may do something; undefined when it is all of them. */
export function visibleSql(scope: Scope, model: Model, alias: string, operation: Operation = 'read'): SQL | undefined {
  const domain = ruleDomain(model, scope.identity, operation)
  if (domain.length === 0) return undefined
  // Rules may look at what the identity itself may not read.
  const { models, identity, country } = scope
  return ruleSql({ models, country, identity: { ...identity, isElevated: true } }, model, domain, alias)
}

/** A rule as a condition; what several of its choices ask of one linked row is asked in one look at that row. */
export function ruleSql(scope: Scope, model: Model, domain: Domain, alias: string): SQL {
  const asked = { ...scope, isRowByRow: domain.includes('|') }
  const parts = [...Map.groupBy(alternativesOf(domain), sharedLink)].map(([link = '', choices]) => {
    const field = model.fields[link]
    if (choices.length < 2 || field?.kind !== 'many2one' || field.target === undefined) {
      return domainSql(asked, model, anyOf(choices), alias) ?? sql`true`
    }
    const [target, inner] = [scope.models.get(field.target), `${alias}_`]
    const there = anyOf(choices.map((choice) => choice.map((token) => behindLink(token, link))))
    const fits = domainSql(asked, target, there, inner) ?? sql`true`
    return sql`exists (select 1 from ${sql.identifier(target.table)} ${sql.identifier(inner)}
      where ${sql.identifier(inner)}.id = ${sql.identifier(alias)}.${sql.identifier(link)} and (${fits}) offset 0)`
  })
  const either = sql.join(
    parts.map((part) => sql`(${part})`),
    sql` or `,
  )
  return parts.length === 1 ? either : sql`(${either})`
}

/** The link that every condition follows first. */
function sharedLink(domain: Domain): string | undefined {
  const paths = domain.flatMap((token) => (Array.isArray(token) ? [String(token[0])] : []))
  const links = new Set(paths.map((path) => (path.includes('.') ? path.split('.')[0] : undefined)))
  return links.size === 1 ? [...links][0] : undefined
}

function behindLink(token: Domain[number], link: string): Domain[number] {
  if (token === '&' || token === '|' || token === '!') return token
  const [path, operator, value] = token
  return [path.slice(link.length + 1), operator, value]
}

/** Reads a domain as it came over the wire; throws a refusal that says what is wrong with it. */
export function parseDomain(domain: unknown): Domain {
  if (domain === undefined || domain === null) return []
  // The API takes lists only.
  if (!Array.isArray(domain)) throw new TypeError('a domain is a list')
  if (domain.length > DOMAIN_TERMS_MAX)
    throw new Refusal('refused', 'api-domain-has-at-most-terms', { domain_terms: DOMAIN_TERMS_MAX })
  return domain.map(parseToken)
}

function parseToken(token: unknown): Condition | '&' | '|' | '!' {
  if (token === '&' || token === '|' || token === '!') return token
  if (Array.isArray(token) && token.length === 3) {
    const [path, operator, value] = token
    // The always-true and always-false conditions of Odoo's clients have a number in the place of a field.
    if (path === 1 || path === 0) return [String(path), String(operator), value]
    if (typeof path === 'string' && typeof operator === 'string') return [path, operator, value]
  }
  throw new Refusal('refused', 'api-not-condition-field-operator-value', { token: shown(token) })
}

function nextTerm(terms: SQL[]): SQL {
  const term = terms.pop()
  if (term === undefined) throw new Refusal('refused', 'api-domain-has-operator-with-too-few')
  return term
}

function termSql(scope: CountedScope, model: Model, [path, operatorText, value]: Condition, alias: string): SQL {
  const operator = OPERATORS.find((each) => each === operatorText.toLowerCase())
  if (operator === undefined)
    throw new Refusal('refused', 'api-domain-operator-not-known', { operatortext: shown(operatorText) })
  if (path === '1' || path === '0') return constantSql(path, operator, value)
  const links = path.split('.')
  if (links.length > PATH_LINKS_MAX)
    throw new Refusal('refused', 'api-path-follows-too-many-links', { path: shown(path) })
  return pathSql(scope, model, { links, operator, value }, alias)
}

function constantSql(path: string, operator: Operator, value: unknown): SQL {
  if (operator !== '=' && operator !== '!=') {
    throw new Refusal('refused', 'api-condition-can-only-have-operator', { path })
  }
  const isEqual = Number(path) === Number(value)
  return isEqual === (operator === '=') ? sql`true` : sql`false`
}

interface Term {
  links: string[]
  operator: Operator
  value: unknown
}

function pathSql(scope: CountedScope, model: Model, term: Term, alias: string): SQL {
  const [name = '', ...rest] = term.links
  const own = sql`${sql.identifier(alias)}.id`
  const field = name === 'id' ? ID : getField(model, name)
  requireSearchable(scope.identity, model, name, field)
  if (field.kind === 'computed') return factSql(scope, field, { ...term, own, path: `${model.name}.${name}` })
  if (!isColumn(field)) return manySql(scope, field, { ...term, links: rest }, { own, alias })
  if (field.kind !== 'many2one' && rest.length > 0)
    throw new Refusal('refused', 'api-not-link', { name, model: model.name })
  const column = sql`${sql.identifier(alias)}.${sql.identifier(name)}`
  if (field.kind !== 'many2one' || (rest.length === 0 && !isNameSearch(term))) {
    const condition = textOrNumberSql(scope, model, { ...term, name, column, field }, alias)
    scope.budget.compare(term.operator, term.value)
    return condition
  }
  const { term: positive, isNegative } = rest.length === 0 ? positiveOf(term) : { term, isNegative: false }
  const target = { term: { ...positive, links: rest }, column }
  // Beside an `or`, all rows of the other model would be read first: one row is looked up by its id.
  if (scope.isRowByRow === true && !isNegative) {
    return sql`exists (${linkedRows(scope, field.target, target, alias)} offset 0)`
  }
  const found = sql`${column} in (${targetIds(scope, field.target, target.term, alias)})`
  return isNegative ? sql`(not coalesce(${found}, false))` : found
}

/** One comparison of a column; a number and an e-mail address are found in every form that they are written in. */
function textOrNumberSql(
  { country }: CountedScope,
  model: Model,
  { name, column, field, operator, value }: Term & { name: string; column: SQL; field: ColumnField },
  alias: string,
): SQL {
  const path = `${model.name}.${name}`
  const own = conditionSql(column, field, { operator, value, path })
  const others =
    otherFormsSql(model, name, field, { operator, value, country }, alias) ??
    otherEmailsSql(name, field, { operator, value }, column)
  if (others === undefined || ORDERED.includes(operator)) return own
  const isNegative = operator === '!=' || operator.startsWith('not ')
  return isNegative ? sql`(${own} and not coalesce(${others}, false))` : sql`(${own} or ${others})`
}

/** Which of two comes first is a question of texts. */
const ORDERED: readonly Operator[] = ['<', '<=', '>', '>=', '=like', '=ilike']

/** What is worked out is searched where it is one condition on the row. */
function factSql(
  { budget, isPage = false }: CountedScope,
  { isSo }: ComputedField,
  { links, own, path, ...comparison }: Term & { own: SQL; path: string },
): SQL {
  if (isSo === undefined || links.length > 1) {
    const [model, [name = '']] = [path.slice(0, path.lastIndexOf('.')), links]
    throw new Refusal('refused', 'api-field-cannot-searched', { name, model })
  }
  budget.compare(comparison.operator, comparison.value)
  return conditionSql(sql`(${isSo(own, isPage)})`, FACT, { ...comparison, path })
}

const FACT: ColumnField = { kind: 'boolean', label: 'Fact' }
const ID: Field = { kind: 'integer', label: 'ID', isRecordId: true }

type ManyField = Extract<Field, { kind: 'one2many' | 'many2many' }>

function manySql(scope: CountedScope, field: ManyField, term: Term, { own, alias }: { own: SQL; alias: string }): SQL {
  const isWhole = term.links.length === 0
  if (isWhole && (term.value === false || term.value === null)) {
    const any = pairSql(scope, field, own, targetIds(scope, field.target, undefined, alias))
    if (term.operator === '=') return sql`not ${any}`
    if (term.operator === '!=') return any
  }
  const { term: positive, isNegative } = isWhole ? positiveOf(term) : { term, isNegative: false }
  const found = pairSql(
    scope,
    field,
    own,
    listedIds(scope, positive) ?? targetIds(scope, field.target, positive, alias),
  )
  return isNegative ? sql`not ${found}` : found
}

/** Ids that a rule names: they are not looked up once more. */
function listedIds({ isRowByRow }: CountedScope, { links, operator, value }: Term): SQL | undefined {
  if (isRowByRow !== true || links.length > 0 || operator !== 'in' || !Array.isArray(value)) return undefined
  return value.length > 0 && value.every((id) => typeof id === 'number') ? idList(value) : undefined
}

/**
 * Whether a record is linked with one of `ids`. `offset 0`: beside an `or` the planner would read all links before the first
 * row, of which a page needs a hundred.
 */
function pairSql({ isRowByRow }: CountedScope, field: ManyField, own: SQL, ids: SQL): SQL {
  const end = isRowByRow === true ? sql` offset 0` : sql``
  if (field.kind === 'many2many') {
    const { table, here, there } = field.relation
    return sql`exists (select 1 from ${sql.identifier(table)} pair where pair.${sql.identifier(here)} = ${own} and pair.${sql.identifier(there)} in (${ids})${end})`
  }
  const table = sql.identifier(field.target.replaceAll('.', '_'))
  return sql`exists (select 1 from ${table} pair where pair.${sql.identifier(field.inverse)} = ${own} and pair.id in (${ids})${end})`
}

const POSITIVE: Partial<Record<Operator, Operator>> = {
  '!=': '=',
  'not in': 'in',
  'not like': 'like',
  'not ilike': 'ilike',
}

/** "Linked with none of these" is the opposite of "linked with one of these", and not "linked with another one". */
function positiveOf(term: Term): { term: Term; isNegative: boolean } {
  const operator = POSITIVE[term.operator]
  return operator === undefined ? { term, isNegative: false } : { term: { ...term, operator }, isNegative: true }
}

/** Ids of the linked model's rows that fit (all without a term), as far as the identity may see them. */
function targetIds(scope: CountedScope, target: string | undefined, term: Term | undefined, alias: string): SQL {
  return linkedRows(scope, target, { term }, alias)
}

/** The same; only of the row that a column names, where one is given. */
function linkedRows(
  scope: CountedScope,
  target: string | undefined,
  { term, column }: { term: Term | undefined; column?: SQL },
  alias: string,
): SQL {
  const model = scope.models.get(target ?? '')
  requireAccess(scope.identity, model, 'read')
  scope.budget.followLink()
  // Short, because four of them in a row must stay within the 63 bytes of a name.
  const inner = `${alias}_`
  const conditions: SQL[] = column === undefined ? [] : [sql`${sql.identifier(inner)}.id = ${column}`]
  if (term !== undefined) {
    const links = term.links.length > 0 ? term.links : defaultLinks(model, term)
    conditions.push(pathSql(scope, model, { ...term, links }, inner))
  }
  const visible = visibleSql(scope, model, inner)
  if (visible !== undefined) conditions.push(visible)
  const where = sql.join(
    conditions.map((each) => sql`(${each})`),
    sql` and `,
  )
  const rows = sql`select ${sql.identifier(inner)}.id from ${sql.identifier(model.table)} ${sql.identifier(inner)}`
  return conditions.length === 0 ? rows : sql`${rows} where ${where}`
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
    throw new Refusal('forbidden', 'field-protected', { name, model: model.name })
  }
  if (field.groups !== undefined && !identity.isElevated && !field.groups.some((group) => identity.groups.has(group))) {
    throw new Refusal('forbidden', 'field-not-yours-read', { name, model: model.name })
  }
  if (field.kind === 'secret' || field.kind === 'binary' || field.kind === 'json') {
    throw new Refusal('refused', 'api-field-cannot-searched-sorted-by', { name, model: model.name })
  }
}
