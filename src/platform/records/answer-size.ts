import { type SQL, sql } from '../../database/drizzle.ts'
import { Refusal } from '../../errors.ts'
import type { Env } from '../access/env.ts'
import { CHAR_LENGTH_MAX, type Field, isColumn, TEXT_LENGTH_MAX } from '../model/fields.ts'
import type { Model } from '../model/model.ts'
import { rowsOf } from '../model/rows-of.ts'

/** Bytes of texts one answer may have; a single record is answered whatever its size. */
const ANSWER_BYTES_MAX = 16 * 1024 * 1024
/** Records one answer may have when it names a field that is worked out from long texts. */
const HEAVY_ROWS_MAX = 100
/** Records that links back and links to many may list in one answer. */
export const LISTED_LINKS_MAX = 100_000

/** Refuses an answer that would be too large before any of it is in memory. */
export async function requireAnswerFits(
  env: Env,
  model: Model,
  ids: readonly number[],
  fields: readonly (readonly [string, Field])[],
): Promise<void> {
  if (ids.length <= 1) return
  const heavy = fields.find(([, field]) => field.kind === 'computed' && field.isHeavy === true)
  if (heavy !== undefined && ids.length > HEAVY_ROWS_MAX) {
    throw new Refusal('too-large', 'api-field-read-for-at-most-records', {
      value: heavy[0],
      heavy_rows: HEAVY_ROWS_MAX,
      model: model.name,
    })
  }
  const sizes = fields.flatMap(([name, field]) => {
    const size = sizeOf(name, field)
    return size === undefined ? [] : [size]
  })
  const bytesMax = ids.length * sizes.reduce((sum, size) => sum + size.bytesMax, 0)
  if (bytesMax <= ANSWER_BYTES_MAX) return
  const [row] = await env.db.query<{ bytes: number }>(
    sql`select coalesce(sum(${sql.join(
      sizes.map((size) => size.measured),
      sql` + `,
    )}), 0)::float8 as bytes from ${rowsOf(model)} where id = any(${sql.param([...ids])}::bigint[])`,
  )
  if ((row?.bytes ?? 0) > ANSWER_BYTES_MAX) throw tooLarge(model)
}

/** Refuses links to many that list more records than an answer may have. */
export function requireFewLinks(model: Model, count: number): void {
  if (count > LISTED_LINKS_MAX) throw tooLarge(model)
}

function tooLarge(model: Model): Refusal {
  return new Refusal('too-large', 'answer-too-large-ask-for-fewer', { model: model.name })
}

/** How many bytes a text column has at most, and what measures how many it has. */
function sizeOf(name: string, field: Field): { bytesMax: number; measured: SQL } | undefined {
  if (!isColumn(field)) return undefined
  const column = sql.identifier(name)
  switch (field.kind) {
    case 'char':
      return { bytesMax: field.maxLength ?? CHAR_LENGTH_MAX, measured: sql`coalesce(octet_length(${column}), 0)` }
    case 'text':
    case 'html':
      return { bytesMax: field.maxLength ?? TEXT_LENGTH_MAX, measured: sql`coalesce(octet_length(${column}), 0)` }
    case 'json':
      return { bytesMax: TEXT_LENGTH_MAX, measured: sql`coalesce(pg_column_size(${column}), 0)` }
    case 'binary':
      return { bytesMax: ANSWER_BYTES_MAX, measured: sql`coalesce(octet_length(${column}), 0) * 4 / 3` }
    default:
      return undefined
  }
}
