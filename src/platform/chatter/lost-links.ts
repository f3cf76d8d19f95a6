import { sql } from '../../database/drizzle.ts'
import { idList } from '../../database/ids.ts'
import type { Env } from '../access/env.ts'
import { writeAudit } from '../audit/write-audit.ts'
import { type ColumnField, isColumn } from '../model/fields.ts'
import type { Model } from '../model/model.ts'
import { writerOf, writtenBy } from '../model/written-by.ts'
import { displayNames } from '../records/record-read.ts'
import { messagePosts } from './chatter.ts'

/** Posts of one statement. */
const BATCH = 1_000

/**
 * Clears the tracked links to records that are about to be removed, and says so in the history of each record that loses one:
 * the database alone would clear them without a word.
 */
export async function clearTrackedLinks(env: Env, gone: Model, ids: readonly number[]): Promise<void> {
  const links = [...env.platform.models].flatMap((model) =>
    Object.entries(model.fields).flatMap(([name, field]) =>
      isLost(model, field, gone) ? [{ model, name, field }] : [],
    ),
  )
  if (links.length === 0) return
  const names = await displayNames(env, gone, ids)
  for (const { model, name, field } of links) {
    const rows = await clearLink(env, { model, name }, ids)
    const said = rows.map(({ id, was }) => ({
      id,
      was,
      from: names.get(was) ?? String(was),
    }))
    writeAudit(
      env,
      said.map(({ id, was }) => ({ model: model.name, id, what: 'write', changes: { [name]: [was, null] } })),
    )
    for (let first = 0; first < said.length; first += BATCH) {
      await messagePosts(
        env,
        said.slice(first, first + BATCH).map(({ id, from }) => ({
          ...{ model: model.name, id, text: `${field.label}: ${from} → –`, changes: [{ field: name, from, to: null }] },
          ...({ type: 'notification', subtype: 'note' } as const),
        })),
      )
    }
  }
}

function isLost(model: Model, field: Model['fields'][string], gone: Model): field is ColumnField {
  if (!isColumn(field) || field.tracked !== true || field.target !== gone.name) return false
  return model.hasChatter === true && (field.onDelete ?? 'set null') === 'set null'
}

/** The records that had the link, and to what. */
function clearLink(
  env: Env,
  { model, name }: { model: Model; name: string },
  ids: readonly number[],
): Promise<{ id: number; was: number }[]> {
  const [table, column] = [sql.identifier(model.table), sql.identifier(name)]
  return env.db.query(
    sql`with theirs as (
          select id, ${column} as was from ${table} where ${column} in (${idList(ids)}) order by id for update
        )
        update ${table} t set ${column} = null, ${writtenBy(writerOf(env))}
        from theirs where t.id = theirs.id returning t.id, theirs.was`,
  )
}
