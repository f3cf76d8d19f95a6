import type { Database, Queryable } from '../../database/database.ts'
import { type SQL, sql } from '../../database/drizzle.ts'
import type { ColumnField } from '../model/declaration.ts'
import { isColumn } from '../model/fields.ts'
import type { Model } from '../model/model.ts'
import type { Counts, RowsForgotten } from './person.ts'
import { BLOT, toRegExp } from './written-forms.ts'

/** Rows that one statement reads: few enough that nobody who waits for the embedded database notices. */
const ROWS_AT_ONCE = 1_000
/** The same for models with long texts. */
const LONG_ROWS_AT_ONCE = 100
const WORDS = ['char', 'text', 'html', 'json']

interface Blotting {
  models: Iterable<Model>
  /** What each model does with rows that name the person; the others have the name blotted out. */
  forgotten: Readonly<Record<string, RowsForgotten>>
  /** Models that say nothing of people outside. */
  left: readonly string[]
}

/** Goes through every text of every model for what the pattern finds, some rows at a time; counts the rows. */
export async function blotOut(db: Database, pattern: string, { models, forgotten, left }: Blotting): Promise<Counts> {
  const counts: Counts = {}
  if (pattern === '') return counts
  for (const model of models) {
    // A model without a table shows what is stored elsewhere.
    const isLeft = left.includes(model.name) || model.rows !== undefined
    const columns = isLeft ? [] : wordColumns(model)
    if (columns.length === 0) continue
    const found = await eachMatch(db, { model, columns, pattern }, forgotten[model.name])
    if (found > 0) counts[model.name] = found
  }
  return counts
}

interface Search {
  model: Model
  columns: readonly (readonly [string, ColumnField])[]
  pattern: string
}

function wordColumns({ fields }: Model): [string, ColumnField][] {
  return Object.entries(fields).filter(
    (each): each is [string, ColumnField] =>
      isColumn(each[1]) && WORDS.includes(each[1].kind) && each[1].generatedAs === undefined,
  )
}

async function eachMatch(db: Database, search: Search, forget: RowsForgotten | undefined): Promise<number> {
  const { model, columns, pattern } = search
  const table = sql.identifier(model.table)
  const limit = columns.some(([, field]) => field.isHeavy === true) ? LONG_ROWS_AT_ONCE : ROWS_AT_ONCE
  const texts = columns.map(([name]) => sql`t.${sql.identifier(name)}::text`)
  let found = 0
  for (let after = 0; ; ) {
    const [page] = await db.query<{ last: number | null }>(
      sql`select max(id) as last from (select id from ${table} where id > ${after}::bigint order by id limit ${limit}::int) p`,
    )
    const last = page?.last ?? null
    if (last === null) return found
    found += await db.transaction(async (tx) => {
      const rows = await tx.query<{ id: number } & Record<string, string | null>>(
        sql`select t.id, ${sql.join(
          texts.map((text, place) => sql`${text} as ${sql.identifier(`c${place}`)}`),
          sql`, `,
        )}
            from ${table} t where t.id > ${after}::bigint and t.id <= ${last}::bigint
              and concat_ws(E'\\n', ${sql.join(texts, sql`, `)}) ~* ${pattern} for update`,
      )
      if (rows.length > 0 && forget !== undefined)
        await forget(
          tx,
          rows.map(({ id }) => id),
        )
      else for (const row of rows) await blotRow(tx, search, row)
      return rows.length
    })
    after = last
  }
}

async function blotRow(
  db: Queryable,
  { model, columns, pattern }: Search,
  row: { id: number } & Record<string, string | null>,
): Promise<void> {
  const finder = toRegExp(pattern)
  if (finder === undefined) return
  const changes = columns.flatMap(([name, field], place): SQL[] => {
    const text = row[`c${place}`]
    const blotted = text?.replaceAll(finder, BLOT)
    if (blotted === undefined || blotted === text) return []
    const value = blotted === BLOT && field.required !== true ? null : blotted
    const written = field.kind === 'json' ? sql`${value}::jsonb` : sql`${value}`
    return [sql`${sql.identifier(name)} = ${written}`]
  })
  if (changes.length === 0) return
  await db.query(
    sql`update ${sql.identifier(model.table)} set ${sql.join(changes, sql`, `)} where id = ${row.id}::bigint`,
  )
}
