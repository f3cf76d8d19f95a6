// Rows of a model in groups, with their count and what is reckoned of them.
import { sql } from '../../../database/drizzle.ts'
import { Refusal } from '../../../errors.ts'
import type { Env } from '../../access/env.ts'
import type { Value } from '../../model/fields.ts'
import { rowsOf } from '../../model/rows-of.ts'
import { shown } from '../condition.ts'
import { displayNames } from '../record-read.ts'
import { conditions, type ModelSearch } from './find-rows.ts'
import { type AskedGroups, type Grouping, type Measure, parseGrouping } from './grouping.ts'

/** Groups one answer may have. */
const GROUPS_MAX = 5_000

/** Rows that have the same keys. */
interface Group {
  keys: Value[]
  count: number
  /** Of each measure what is known so far, and of how many rows: an average is divided at the end. */
  parts: { value: number | string | null; of: number }[]
}

/** A group as the API gives it: by the names that were asked for, and `__count`. */
export type WireGroup = Record<string, unknown> & { __count: number }

/** The groups in no order. */
async function groupRows(finding: ModelSearch, domain: unknown, asked: AskedGroups): Promise<Group[]> {
  const { env, model } = finding
  const { keys, measures } = parseGrouping(env, model, asked)
  const columns = [
    sql`count(*)::int as count`,
    ...keys.map(({ value }, at) => sql`${value} as ${sql.identifier(`key${at}`)}`),
    ...measures.map(({ value }, at) => sql`${value} as ${sql.identifier(`value${at}`)}`),
    ...measures.map((measure, at) => sql`${presentSql(measure)} as ${sql.identifier(`of${at}`)}`),
  ]
  const places = keys.map((_key, at) => sql.raw(String(at + 2)))
  const grouped = keys.length === 0 ? sql`` : sql`group by ${sql.join(places, sql`, `)}`
  const where = await conditions(finding, domain)
  const rows = await env.db.query<Record<string, Value> & { count: number }>(
    sql`select ${sql.join(columns, sql`, `)} from ${rowsOf(model)} ${where} ${grouped} limit ${GROUPS_MAX + 1}::int`,
  )
  requireFewGroups(rows.length)
  return rows
    .filter(({ count }) => count > 0)
    .map((row) => ({
      count: row.count,
      keys: keys.map((_key, at) => row[`key${at}`] ?? null),
      parts: measures.map((_measure, at) => ({
        value: (row[`value${at}`] ?? null) as number | string | null,
        of: Number(row[`of${at}`]),
      })),
    }))
}

function presentSql({ reckons, column }: Measure) {
  return reckons === 'avg' ? sql`count(${column})::int` : sql`0`
}

function requireFewGroups(count: number): void {
  if (count <= GROUPS_MAX) return
  throw new Refusal('refused', 'api-too-many-groups', { groups: GROUPS_MAX })
}

/** The groups by the names that were asked for, sorted as asked ("__count desc", or by what they are grouped by). */
export async function readGroups(
  { env, model }: ModelSearch,
  domain: unknown,
  { order, limit, ...asked }: AskedGroups & { order?: string | undefined; limit?: number | undefined },
): Promise<WireGroup[]> {
  const grouping = parseGrouping(env, model, asked)
  const groups = await groupRows({ env, model }, domain, asked)
  // Without keys all rows are one group, also when there are none.
  const empty: Group = { keys: [], count: 0, parts: grouping.measures.map(() => ({ value: null, of: 0 })) }
  const all = groups.length === 0 && grouping.keys.length === 0 ? [empty] : groups
  const named = await Promise.all(grouping.keys.map(({ target }, at) => linkNames(env, target, all, at)))
  const wire = all.map((group) => wireGroup(grouping, group, named))
  return wire.toSorted(orderOf(grouping, order)).slice(0, limit)
}

async function linkNames(env: Env, target: string | undefined, groups: readonly Group[], at: number) {
  if (target === undefined) return undefined
  const ids = groups.map(({ keys }) => keys[at]).filter((id) => typeof id === 'number')
  return displayNames(env, env.platform.models.get(target), ids)
}

function wireGroup(
  { keys, measures }: Grouping,
  group: Group,
  named: readonly (ReadonlyMap<number, string> | undefined)[],
): WireGroup {
  const shownKeys = keys.map(({ name }, at) => {
    const value = group.keys[at] ?? null
    return [name, typeof value === 'number' && named[at] !== undefined ? [value, named[at].get(value) ?? ''] : value]
  })
  const reckoned = measures.map(({ name, reckons }, at) => {
    const { value, of } = group.parts[at] ?? { value: null, of: 0 }
    if (reckons === 'avg') return [name, of === 0 ? null : Number(value) / of]
    return [name, reckons === 'sum' ? Number(value) : value]
  })
  return { ...Object.fromEntries([...shownKeys, ...reckoned]), __count: group.count }
}

type Compare = (one: WireGroup, other: WireGroup) => number

function orderOf({ keys, measures }: Grouping, order = ''): Compare {
  const names = keys.map(({ name }) => name)
  const known = [...names, ...measures.map(({ name }) => name), '__count']
  const terms = [...order.split(',').filter((term) => term.trim() !== ''), ...names].map((term) => {
    const [, name = '', direction = 'asc'] = /^\s*([\w:]+)(?:\s+(asc|desc))?\s*$/i.exec(term) ?? []
    if (known.includes(name)) return { name, sign: direction.toLowerCase() === 'desc' ? -1 : 1 }
    throw new Refusal('refused', 'api-groups-sorted-by', { names: known.map(shown).join(', ') })
  })
  return (one, other) => {
    for (const { name, sign } of terms) {
      const compared = compare(one[name], other[name], sign)
      if (compared !== 0) return compared
    }
    return 0
  }
}

/** Links by their name; what has no value comes last, whichever way. */
function compare(one: unknown, other: unknown, sign: number): number {
  const [left, right] = [one, other].map((value) => (Array.isArray(value) ? `${value[1]} ${value[0]}` : value))
  if (left === right) return 0
  if (left === null || left === undefined) return 1
  if (right === null || right === undefined) return -1
  return (left < right ? -1 : 1) * sign
}
