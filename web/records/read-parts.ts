import { callByName } from '../data/client.ts'
import type { FieldInfo } from '../data/queries.ts'
import type { Fields } from './fields.ts'
import { inOrder } from './parts.ts'
import type { Values } from './record-values.ts'

/** Rows that one form shows to be edited; more are shown as links. */
const PARTS_MAX = 100

/** A record with the rows of its parts; undefined when there is none. */
export async function readWithParts(
  model: string,
  id: number,
  fields: Fields,
  names: readonly string[],
): Promise<Values | undefined> {
  const [row] = (await callByName(model, 'read', { ids: [id], fields: names })) as Values[]
  if (row === undefined) return undefined
  const lists = names.flatMap((name) => (fields[name]?.columns === undefined ? [] : [fields[name]]))
  const parts = await Promise.all(lists.map(async (field) => [field.name, await readParts(field, id)] as const))
  // More than a form shows stay as they were read.
  return { ...row, ...Object.fromEntries(parts.filter(([, rows]) => rows.length <= PARTS_MAX)) }
}

async function readParts({ relation = '', relation_field: link, columns = [], orderedBy }: FieldInfo, id: number) {
  const rows = (await callByName(relation, 'search_read', {
    domain: [[link, '=', id]],
    fields: [...columns.map(({ name }) => name), ...(orderedBy === undefined ? [] : [orderedBy])],
    limit: PARTS_MAX + 1,
  })) as Values[]
  return inOrder({ orderedBy, columns }, rows)
}
