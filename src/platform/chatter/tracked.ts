import type { Env } from '../access/env.ts'
import { type ColumnField, isColumn } from '../model/fields.ts'
import type { Model, Row } from '../model/model.ts'
import { displayNames } from '../records/record-read.ts'
import { messagePost } from './chatter.ts'

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

async function wordsOf(env: Env, field: ColumnField, values: readonly unknown[]): Promise<(string | null)[]> {
  const ids = values.filter((value) => typeof value === 'number')
  const names =
    field.kind === 'many2one' ? await displayNames(env, env.platform.models.get(field.target ?? ''), ids) : undefined
  return values.map((value) => {
    if (value === null) return null
    if (names !== undefined) return names.get(Number(value)) ?? String(value)
    return field.choices?.find(([choice]) => choice === value)?.[1] ?? String(value)
  })
}
