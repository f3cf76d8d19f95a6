import { sql } from '../../database/drizzle.ts'
import { type Env, elevated } from '../access/env.ts'
import { type ColumnField, isColumn } from '../model/fields.ts'
import type { Model, Row } from '../model/model.ts'
import { displayNames } from '../records/record-read.ts'
import { messagePost } from './chatter.ts'

/** Characters of a text that a history shows. */
const TEXT_CHARS_MAX = 200

/** A field that somebody changed, as people read it. */
interface TrackedChange {
  field: string
  from: string | null
  to: string | null
}

/** Posts on a record which of its `tracked` fields were changed, and by whom; nothing when none was. */
export async function postChanges(
  env: Env,
  model: Model,
  before: Row,
  columns: ReadonlyMap<string, unknown>,
): Promise<void> {
  if (model.hasChatter !== true) return
  const changes: TrackedChange[] = []
  const said: string[] = []
  for (const [name, field] of Object.entries(model.fields)) {
    if (field.tracked !== true || !isColumn(field) || !columns.has(name)) continue
    const [was, is] = [before[name] ?? null, columns.get(name) ?? null]
    if (was === is) continue
    const [from = null, to = null] = await wordsOf(env, field, [was, is])
    changes.push({ field: name, from, to })
    said.push(`${field.label}: ${from ?? '–'} → ${to ?? '–'}`)
  }
  if (changes.length === 0) return
  const text = said.join('\n')
  await messagePost(env, { model: model.name, id: before.id, text, type: 'notification', subtype: 'note', changes })
}

/** The beginning of a long text: a history is read line by line. */
function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length > TEXT_CHARS_MAX ? `${line.slice(0, TEXT_CHARS_MAX - 1).toWellFormed()}…` : line
}

async function wordsOf(env: Env, field: ColumnField, values: readonly unknown[]): Promise<(string | null)[]> {
  const ids = values.filter((value) => typeof value === 'number')
  const names =
    field.kind === 'many2one' ? await displayNames(env, env.platform.models.get(field.target ?? ''), ids) : undefined
  return values.map((value) => {
    if (value === null) return null
    if (names !== undefined) return names.get(Number(value)) ?? String(value)
    if (typeof value === 'boolean') return value ? 'Yes' : 'No'
    return field.choices?.find(([choice]) => choice === value)?.[1] ?? shortened(String(value))
  })
}

/** Who changed a tracked field of a record last, and when, as its history says; undefined when nobody did. */
export async function findLastChange(
  env: Env,
  { model, id, field }: { model: string; id: number; field: string },
): Promise<{ by: string | null; at: string } | undefined> {
  const [last] = await env.db.query<{ author_id: number | null; author_name: string | null; at: string }>(
    sql`select author_id, author_name, date as at from mail_message
        where model = ${model} and res_id = ${id}::bigint and changes @> ${JSON.stringify([{ field }])}::jsonb
        order by id desc limit 1`,
  )
  if (last === undefined) return undefined
  const { author_id: author, author_name: agent, at } = last
  if (agent !== null || author === null) return { by: agent, at }
  // Who works on records together may know each other's names.
  const names = await displayNames(elevated(env), env.platform.models.get('res.partner'), [author])
  return { by: names.get(author) ?? null, at }
}
