import { mayAccess } from '../access/access.ts'
import type { Env } from '../access/env.ts'
import type { ColumnField } from '../model/declaration.ts'
import { isColumn } from '../model/fields.ts'
import type { Model } from '../model/model.ts'
import { records } from '../records/records.ts'

/** Counted up to here: more is "more than". */
const COUNT_MAX = 10_001

interface Consequence {
  model: string
  label: string
  /** What becomes of them: they go too, lose the link and stay, or forbid the deletion. */
  what: 'deleted' | 'kept' | 'refused'
  count: number
}

/**
 * What hangs on records that somebody is about to delete, so that a question can count it: of records that the asker may
 * read, by links with an index. The others say who wrote a row, and nobody decides by them.
 */
export async function consequencesOf(env: Env, gone: Model, ids: readonly number[]): Promise<Consequence[]> {
  const found: Consequence[] = []
  for (const model of env.platform.models) {
    if (!mayAccess(env.identity, model, 'read')) continue
    for (const [name, field] of Object.entries(model.fields)) {
      if (!isColumn(field) || field.target !== gone.name || !hasIndex(field)) continue
      const count = await records(env, model.name).searchCount([[name, 'in', ids]], COUNT_MAX)
      if (count > 0)
        found.push({ model: model.name, label: model.label, what: fateOf(model, name, field.onDelete), count })
    }
  }
  return found
}

/** An index of the rows that have a value has all that a look for some values can find. */
function hasIndex({ isIndexed }: ColumnField): boolean {
  return isIndexed === true || isIndexed === 'where present'
}

function fateOf(model: Model, name: string, onDelete = 'set null'): Consequence['what'] {
  if (onDelete === 'restrict') return 'refused'
  return onDelete === 'cascade' || model.goesWith?.includes(name) === true ? 'deleted' : 'kept'
}
