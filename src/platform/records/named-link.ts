import { type SQL, sql } from '../../database/drizzle.ts'
import { Refusal } from '../../errors.ts'
import type { Env } from '../access/env.ts'
import type { Identity } from '../access/identity.ts'
import type { Field } from '../model/fields.ts'
import type { Model } from '../model/model.ts'
import { shown } from './condition.ts'
import { ruleFor } from './record-links.ts'

/** The id of the one record that has this code or name; a refusal when none has, or several have. */
export async function findNamed(env: Env, path: string, target: Model, name: string): Promise<number> {
  const visible = ruleFor(env, target)
  if (visible === 'none') throw new Refusal('forbidden', 'you-not-allowed-link', { path, name: target.name })
  for (const column of namingColumns(target, env.identity)) {
    const rows = await env.db.query<{ id: number }>(
      sql`select t.id from ${sql.identifier(target.table)} t where t.${sql.identifier(column)} = ${name} ${and(visible)} limit 2`,
    )
    const [first, second] = rows
    if (second !== undefined) {
      throw new Refusal('refused', 'api-must-id-several-records-have-name', {
        path,
        name: target.name,
        name2: shown(name),
      })
    }
    if (first !== undefined) return first.id
  }
  throw new Refusal('refused', 'api-must-id-record-its-code-name', { path, name: target.name, name2: shown(name) })
}

/** Links to many with every code and name in them read as an id: of lists of links, and of the commands 3, 4 and 6. */
export async function withIds(env: Env, path: string, target: Model, value: unknown): Promise<unknown> {
  if (!Array.isArray(value)) return value
  const read = async (each: unknown): Promise<unknown> => {
    if (typeof each === 'string') return findNamed(env, path, target, each.trim())
    if (!Array.isArray(each)) return each
    const [code, id, ids] = each
    if (code === 6) return [code, id, await withIds(env, path, target, ids)]
    return (code === 3 || code === 4) && typeof id === 'string' ? [code, await read(id)] : each
  }
  const ids: unknown[] = []
  for (const each of value) ids.push(await read(each))
  return ids
}

/** Columns that name a record: those that only one may have, then what it is shown as. */
function namingColumns(target: Model, identity: Identity): string[] {
  const isText = (field: Field | undefined): boolean =>
    field?.kind === 'char' && (field.groups === undefined || field.groups.some((group) => identity.groups.has(group)))
  const unique = Object.entries(target.fields).flatMap(([name, field]) =>
    isText(field) && 'isUnique' in field && field.isUnique === true ? [name] : [],
  )
  return [...new Set([...unique, ...target.display.columns.slice(0, 1)])].filter((name) => isText(target.fields[name]))
}

function and(visible: SQL | undefined): SQL {
  return visible === undefined ? sql`` : sql`and (${visible})`
}
