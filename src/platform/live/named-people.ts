// Record rules say mostly "the people the record names": one statement for everybody, however many people have a page open.
import type { Queryable } from '../../database/database.ts'
import { type SQL, sql } from '../../database/drizzle.ts'
import type { Models } from '../model/declaration.ts'
import type { Field } from '../model/fields.ts'
import type { Model } from '../model/model.ts'
import { alternativesOf, anyOf, type Condition, type Domain } from '../records/domain-syntax.ts'

const USERS = 'res.users'

/** A rule that is a choice: paths to users of whom one has to be the reader, and what else is enough. */
interface Choice {
  paths: string[]
  others: Domain
}

/** The parts of a rule for this person; undefined for a rule of another form, which is asked for each person as it stands. */
export function choiceOf(models: Models, model: Model, domain: Domain, userId: number): Choice | undefined {
  const paths: string[] = []
  const others: Domain[] = []
  for (const alternative of alternativesOf(domain)) {
    const [first, ...rest] = alternative
    const only = Array.isArray(first) && rest.length === 0 ? (first as Condition) : undefined
    if (only !== undefined && namesUser(models, model, only, userId)) paths.push(only[0])
    else others.push(alternative)
  }
  return paths.length === 0 ? undefined : { paths: paths.toSorted(), others: others.length === 0 ? [] : anyOf(others) }
}

function namesUser(models: Models, model: Model, [path, operator, value]: Condition, userId: number): boolean {
  const isOne = operator === '=' && value === userId
  const isListed = operator === 'in' && Array.isArray(value) && value.length === 1 && value[0] === userId
  const links = linksOf(models, model, path)
  return (isOne || isListed) && links !== undefined && links.at(-1)?.target === USERS
}

type Link = Extract<Field, { kind: 'many2many' | 'one2many' }> | (Field & { kind: 'many2one'; target: string })

/** The fields along a path; undefined where one of them is no link. */
function linksOf(models: Models, model: Model, path: string): Link[] | undefined {
  const links: Link[] = []
  let at = model
  for (const name of path.split('.')) {
    const field = at.fields[name]
    if (field === undefined || !isLink(field)) return undefined
    links.push(field)
    at = models.get(field.target)
  }
  return links
}

function isLink(field: Field): field is Link {
  return ['many2one', 'one2many', 'many2many'].includes(field.kind)
}

/** Which of the records each user is named by, along the paths. */
export async function recordsByUser(
  { db, models }: { db: Queryable; models: Models },
  model: Model,
  { paths, ids }: { paths: readonly string[]; ids: ReadonlySet<number> },
): Promise<Map<number, number[]>> {
  const parts = paths.map((path) => pairsSql(models, model, path, [...ids]))
  const pairs = await db.query<{ id: number; named: number }>(sql.join(parts, sql` union `))
  const byUser = new Map<number, number[]>()
  for (const { id, named } of pairs) {
    const own = byUser.get(named)
    if (own === undefined) byUser.set(named, [id])
    else own.push(id)
  }
  return byUser
}

/** Pairs of a record and a user that it names. */
function pairsSql(models: Models, model: Model, path: string, ids: readonly number[]): SQL {
  const names = path.split('.')
  let reached = { model, row: sql`t0` }
  const joins: SQL[] = []
  for (const [at, link] of (linksOf(models, model, path) ?? []).entries()) {
    const target = models.get(link.target)
    const row = sql.raw(`t${at + 1}`)
    joins.push(sql`join ${joinSql(link, names[at] ?? '', { from: reached.row, to: row, target })}`)
    reached = { model: target, row }
  }
  return sql`select t0.id, ${reached.row}.id as named from ${sql.identifier(model.table)} t0 ${sql.join(joins, sql` `)}
    where t0.id = any(${sql.param([...ids])}::bigint[])`
}

function joinSql(link: Link, name: string, { from, to, target }: { from: SQL; to: SQL; target: Model }): SQL {
  const table = sql.identifier(target.table)
  if (link.kind === 'many2one') return sql`${table} ${to} on ${to}.id = ${from}.${sql.identifier(name)}`
  if (link.kind === 'one2many') return sql`${table} ${to} on ${to}.${sql.identifier(link.inverse)} = ${from}.id`
  const { table: pairs, here, there } = link.relation
  const pair = sql`(select p.${sql.identifier(here)} as here, p.${sql.identifier(there)} as id from ${sql.identifier(pairs)} p)`
  return sql`${pair} ${to} on ${to}.here = ${from}.id`
}
