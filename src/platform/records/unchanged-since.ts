import { sql } from '../../database/drizzle.ts'
import { Refusal } from '../../errors.ts'
import { requireAccess } from '../access/access.ts'
import type { Env } from '../access/env.ts'
import type { Model, Values } from '../model/model.ts'
import { displayNames, readRows } from './record-read.ts'
import { records } from './records.ts'

/** A `write_stamp`, or a `write_date`, which is the same in whole seconds. */
const STAMP = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})?$/

/**
 * Refuses a change when somebody else has changed the record since it was read, where the writer says when that was:
 * `unchanged_since` of the context. The record stays locked until the change is made. `fields` of the refusal are those
 * of the values that now hold something else than what is written.
 */
export async function requireUnchanged(env: Env, model: Model, ids: readonly number[], given: Values): Promise<void> {
  const since = readStamp(env)
  if (since === undefined) return
  const [id, ...others] = ids
  if (id === undefined || others.length > 0) {
    throw new Refusal('refused', 'api-with-unchanged-since-one-record-changed')
  }
  requireAccess(env.identity, model, 'write')
  await records(env, model.name).requireVisible([id], 'write', 'for update')
  const stored = since.includes('.') ? sql`write_date` : sql`date_trunc('second', write_date)`
  const [row] = await env.db.query<{ at: string; by: number | null; is_same: boolean }>(
    sql`select write_date::text as at, write_uid as by, ${stored} = ${since}::timestamp as is_same
        from ${sql.identifier(model.table)} where id = ${id}::bigint`,
  )
  if (row === undefined || row.is_same) return
  const { at, by } = row
  const names = by === null ? undefined : await displayNames(env, env.platform.models.get('res.users'), [by])
  const name = names?.get(by ?? 0)
  throw new Refusal(
    'conflict',
    'changed-meanwhile',
    { value: name ?? 'Somebody', model: model.name },
    {
      details: { by: by === null ? null : [by, name ?? ''], at, fields: await differing(env, model, id, given) },
    },
  )
}

function readStamp({ context: { unchanged_since: since } }: Env): string | undefined {
  if (since === undefined || since === null) return undefined
  if (typeof since === 'string' && STAMP.test(since)) return since
  throw new Refusal('refused', 'api-unchanged-since-context-must-write-stamp')
}

async function differing(env: Env, model: Model, id: number, given: Values): Promise<string[]> {
  const names = Object.keys(given).filter((name) => Object.hasOwn(model.fields, name))
  if (names.length === 0) return []
  const [row] = await readRows(env, model, [id], { names })
  return names.filter((name) => JSON.stringify(idOf(row?.[name])) !== JSON.stringify(idOf(given[name])))
}

/** A link is read as a pair, and mostly written as its id. */
function idOf(value: unknown): unknown {
  const isPair = Array.isArray(value) && value.length === 2 && typeof value[1] === 'string'
  return (isPair ? value[0] : value) ?? null
}
