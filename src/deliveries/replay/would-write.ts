import type { NotedWrite } from '../../database/noted-writes.ts'
import type { Model } from '../../platform/model/model.ts'

/** A value that a delivery would change. */
export interface Write {
  model: string
  id: number
  field: string
  from: unknown
  to: unknown
}

/** Values that one comparison shows. */
const WRITES_MAX = 200
/** Written with every row, whatever else changes. */
const OWN: readonly string[] = ['id', 'create_date', 'create_uid', 'write_date', 'write_uid']

/** What was written, value by value, of records that somebody can read; what was written back to what it was is left out. */
export function writesOf(models: Iterable<Model>, noted: readonly NotedWrite[]): Write[] {
  const byTable = new Map([...models].filter(({ access }) => access !== undefined).map((each) => [each.table, each]))
  const rows = new Map<string, { model: Model; id: number; from: NotedWrite['from']; to: NotedWrite['to'] }>()
  for (const { table, from, to } of noted) {
    const model = byTable.get(table)
    const id = Number((to ?? from)?.id)
    if (model === undefined || Number.isNaN(id)) continue
    const key = `${table} ${id}`
    rows.set(key, { model, id, from: rows.has(key) ? (rows.get(key)?.from ?? null) : from, to })
  }
  return [...rows.values()].flatMap(changedValues).slice(0, WRITES_MAX)
}

function changedValues({
  model,
  id,
  from,
  to,
}: {
  model: Model
  id: number
  from: NotedWrite['from']
  to: NotedWrite['to']
}): Write[] {
  return Object.entries(model.fields).flatMap(([field, { kind, isProtected, groups }]) => {
    if (OWN.includes(field) || kind === 'binary') return []
    const [was, is] = [from?.[field] ?? null, to?.[field] ?? null]
    if (JSON.stringify(was) === JSON.stringify(is)) return []
    const isSecret = kind === 'secret' || isProtected === true || groups?.length === 0
    return { model: model.name, id, field, from: isSecret ? null : was, to: isSecret ? 'changed' : is }
  })
}
