import { type SQL, sql } from '../../database/drizzle.ts'
import { idList, manyIds } from '../../database/ids.ts'
import type { Env } from '../access/env.ts'
import { postChanges } from '../chatter/tracked.ts'
import { isColumn } from '../model/fields.ts'
import type { Model, Row } from '../model/model.ts'
import { writerOf, writtenBy } from '../model/written-by.ts'
import { notifySomeChanged } from '../records/notify-changed.ts'

interface Repointing {
  from: readonly number[]
  into: number
}

/** Columns that name a model beside `res_id`. */
const MODEL_COLUMNS = ['model', 'res_model'] as const
/** Who did what with which record is not rewritten; and of notices there is one for each person, kind and record already. */
const LEFT = ['connect.audit', 'connect.erasure', 'connect.notice']

/** Rows of a place that are looked up at once, and then changed in pieces. */
const LOOKED_UP_MAX = 5_000

/** Where rows of a model name a record. */
interface Place {
  model: Model
  column: SQL
  where: SQL
  /** The link, when each record says in its history to what it links from now on. */
  tracked?: string
}

/** How far a repointing has come that goes some rows at a time. */
export interface RepointingProgress {
  place: number
  /** Rows of the place that are still to be changed, as far as they have been looked up. */
  waiting: readonly number[]
  /** What has changed, by model. */
  changed: Map<string, Set<number>>
}

/**
 * Lets everything that names records of a model name another one instead: links, links to many, and what names model and record.
 * The models say what there is, so that a new one needs no line here. What changes is added to the progress.
 */
export async function repoint(
  env: Env,
  target: string,
  ids: Repointing,
  { changed }: Pick<RepointingProgress, 'changed'>,
): Promise<void> {
  for (const place of placesOf(env, target)) {
    await note(env, changed, { model: place.model, ids: await repointPlace(env, place, ids) })
  }
  for (const model of modelsOf(env)) {
    await note(env, changed, { model, ids: await repointPairs(env, model, target, ids) })
  }
}

/**
 * The same for so many rows at most, but for links to many, of which few statements are enough, and for what the kept record itself
 * names. Goes on from the progress, and says whether some may be left.
 */
export async function repointSome(
  env: Env,
  target: string,
  ids: Repointing,
  { progress, rowsMax }: { progress: RepointingProgress; rowsMax: number },
): Promise<boolean> {
  const places = placesOf(env, target)
  let left = rowsMax
  for (let place = places[progress.place]; place !== undefined && left > 0; place = places[progress.place]) {
    const { model } = place
    const others = model.name === target ? sql` and id <> ${ids.into}::bigint` : sql``
    const some = { ...place, where: sql`${place.where}${others}` }
    if (progress.waiting.length === 0) progress.waiting = await lookUp(env, some, ids)
    if (progress.waiting.length === 0) progress.place += 1
    const piece = progress.waiting.slice(0, left)
    progress.waiting = progress.waiting.slice(left)
    await note(env, progress.changed, { model, ids: await repointPlace(env, some, ids, piece) })
    left -= piece.length
  }
  return left === 0
}

async function note(
  env: Env,
  changed: RepointingProgress['changed'],
  { model: { name }, ids }: { model: Model; ids: readonly number[] },
): Promise<void> {
  if (ids.length === 0) return
  changed.set(name, (changed.get(name) ?? new Set()).union(new Set(ids)))
  await notifySomeChanged(env, name, ids)
}

function modelsOf({ platform }: Env): Model[] {
  return [...platform.models].filter(({ name, rows }) => !LEFT.includes(name) && rows === undefined)
}

/** Links, and posts, threads and whatever else names model and record. */
function placesOf(env: Env, target: string): Place[] {
  return modelsOf(env).flatMap((model) => {
    const links = Object.entries(model.fields)
      .filter(([, field]) => isColumn(field) && field.kind === 'many2one' && field.target === target)
      .map(([name, field]): Place => {
        const place = { model, column: sql`${sql.identifier(name)}`, where: sql`` }
        return field.tracked === true && model.hasChatter === true ? { ...place, tracked: name } : place
      })
    const named = MODEL_COLUMNS.find((name) => name in model.fields)
    if (named === undefined || !('res_id' in model.fields)) return links
    return [...links, { model, column: sql`res_id`, where: sql` and ${sql.identifier(named)} = ${target}` }]
  })
}

/**
 * The first rows of a place that name one of the records. All of them are found by the index before the first are taken: asked for
 * the first ones alone, PostgreSQL reads the table from its beginning, and those of somebody who is new stand at its end.
 */
async function lookUp(env: Env, { model, column, where }: Place, { from }: Repointing): Promise<number[]> {
  const rows = await env.db.query<{ id: number }>(sql`with linked as materialized (
      select id from ${sql.identifier(model.table)} where ${column} in (${idList(from)})${where})
    select id from linked order by id limit ${LOOKED_UP_MAX}::int`)
  return rows.map(({ id }) => id)
}

/** The rows that name another one now: those of a piece, or all. */
async function repointPlace(
  env: Env,
  { model, column, where, tracked }: Place,
  { from, into }: Repointing,
  piece?: readonly number[],
): Promise<number[]> {
  if (piece?.length === 0) return []
  const table = sql.identifier(model.table)
  const some = piece === undefined ? sql`` : sql` and id in (${manyIds(piece)})`
  const rows = await env.db.query<Row>(
    sql`select id, ${column} from ${table} where ${column} in (${idList(from)})${where}${some} order by id for update`,
  )
  if (rows.length === 0) return []
  if (tracked !== undefined) for (const row of rows) await postChanges(env, model, row, new Map([[tracked, into]]))
  const ids = rows.map(({ id }) => id)
  await env.db.query(
    sql`update ${table} set ${column} = ${into}::bigint, ${writtenBy(writerOf(env))} where id in (${manyIds(ids)})`,
  )
  return ids
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
