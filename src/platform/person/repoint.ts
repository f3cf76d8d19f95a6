import { type SQL, sql } from '../../database/drizzle.ts'
import { idList } from '../../database/ids.ts'
import type { Env } from '../access/env.ts'
import { postChanges } from '../chatter/tracked.ts'
import { isColumn } from '../model/fields.ts'
import type { Model, Row } from '../model/model.ts'
import { writerOf, writtenBy } from '../model/written-by.ts'
import { notifySomeChanged } from '../records/notify-changed.ts'
import type { Counts } from './person.ts'

interface Repointing {
  from: readonly number[]
  into: number
}

/** Columns that name a model beside `res_id`. */
const MODEL_COLUMNS = ['model', 'res_model'] as const
/** Who did what with which record is not rewritten; and of notices there is one for each person, kind and record already. */
const LEFT = ['connect.audit', 'connect.erasure', 'connect.notice']

/**
 * Lets everything that names records of a model name another one instead: links, links to many, and what names model and record.
 * The models say what there is, so that a new one needs no line here. Gives how many rows changed, by model.
 */
export async function repoint(env: Env, target: string, ids: Repointing): Promise<Counts> {
  const counts: Counts = {}
  for (const model of env.platform.models) {
    if (LEFT.includes(model.name) || model.rows !== undefined) continue
    const changed = new Set([
      ...(await repointColumns(env, model, target, ids)),
      ...(await repointNamed(env, model, target, ids)),
    ])
    for (const id of await repointPairs(env, model, target, ids)) changed.add(id)
    if (changed.size === 0) continue
    counts[model.name] = changed.size
    await notifySomeChanged(env, model.name, [...changed])
  }
  return counts
}

async function repointColumns(env: Env, model: Model, target: string, ids: Repointing): Promise<number[]> {
  const links = Object.entries(model.fields).filter(
    ([, field]) => isColumn(field) && field.kind === 'many2one' && field.target === target,
  )
  const changed: number[] = []
  for (const [name, field] of links) {
    if (field.tracked === true && model.hasChatter === true) await postMoves(env, model, { ...ids, name })
    changed.push(...(await update(env, model, { ...ids, column: sql.identifier(name) })))
  }
  return changed
}

/** Says in the history of each record to what it links from now on, as when somebody changes it (../chatter/tracked.ts). */
async function postMoves(env: Env, model: Model, { from, into, name }: Repointing & { name: string }): Promise<void> {
  const column = sql.identifier(name)
  const rows = await env.db.query<Row>(
    sql`select id, ${column} from ${sql.identifier(model.table)} where ${column} in (${idList(from)}) order by id for update`,
  )
  for (const row of rows) await postChanges(env, model, row, new Map([[name, into]]))
}

/** Posts, threads and whatever else names model and record. */
async function repointNamed(env: Env, model: Model, target: string, ids: Repointing): Promise<number[]> {
  const named = MODEL_COLUMNS.find((name) => name in model.fields)
  if (named === undefined || !('res_id' in model.fields)) return []
  return update(env, model, { ...ids, column: sql`res_id`, where: sql` and ${sql.identifier(named)} = ${target}` })
}

interface Update extends Repointing {
  column: SQL | ReturnType<typeof sql.identifier>
  where?: SQL
}

async function update(env: Env, model: Model, { from, into, column, where = sql`` }: Update): Promise<number[]> {
  const rows = await env.db.query<{ id: number }>(
    sql`update ${sql.identifier(model.table)} set ${column} = ${into}::bigint, ${writtenBy(writerOf(env))}
        where ${column} in (${idList(from)})${where} returning id`,
  )
  return rows.map(({ id }) => id)
}

/** A pair that is there already stays as it is; the others' pairs go with them. */
async function repointPairs(env: Env, model: Model, target: string, { from, into }: Repointing): Promise<number[]> {
  const changed: number[] = []
  for (const field of Object.values(model.fields)) {
    if (field.kind !== 'many2many' || field.target !== target) continue
    const { table, here, there } = field.relation
    const [pairs, own, other] = [sql.identifier(table), sql.identifier(here), sql.identifier(there)]
    const rows = await env.db.query<{ id: number }>(
      sql`insert into ${pairs} (${own}, ${other}) select distinct ${own}, ${into}::bigint from ${pairs}
          where ${other} in (${idList(from)}) on conflict do nothing returning ${own} as id`,
    )
    changed.push(...rows.map(({ id }) => id))
  }
  return changed
}
