import { type Connection, ServiceRefusal } from '../../app/own-api/connection.ts'
import type { FieldDescription } from './secret-fields.ts'

const YES: readonly string[] = ['on', 'true', 'yes', '1']
const NO: readonly string[] = ['off', 'false', 'no', '0']
const NUMBER = /^[+-]?\d+(?:\.\d+)?$/
const ID = /^[1-9]\d{0,14}$/
const NAMED_MAX = 5

/**
 * The value that a typed text stands for. An empty text empties the field; a text that is no value of the field's kind is
 * refused with a sentence that says what is expected, so that nothing else is stored than what was typed.
 */
export async function typedValue(connection: Connection, field: FieldDescription, text: string): Promise<unknown> {
  const typed = text.trim()
  if (typed === '' && field.type !== 'boolean') return null
  switch (field.type) {
    case 'boolean':
      return readBoolean(field, typed)
    case 'integer':
    case 'float':
      if (NUMBER.test(typed)) return Number(typed)
      throw refusal(field, typed, 'a number')
    case 'many2one':
      return findLinked(connection, field, typed)
    case 'json':
      return readJson(field, typed)
    default:
      return text
  }
}

function readBoolean(field: FieldDescription, typed: string): boolean {
  const word = typed.toLowerCase()
  if (YES.includes(word)) return true
  if (NO.includes(word)) return false
  throw refusal(field, typed, 'on or off')
}

function readJson(field: FieldDescription, typed: string): unknown {
  try {
    return JSON.parse(typed)
  } catch (error) {
    throw refusal(field, typed, 'JSON', error)
  }
}

/** The one record with this id, code or name. */
async function findLinked(connection: Connection, field: FieldDescription, typed: string): Promise<number> {
  const { relation = '' } = field
  const columns = await connection.call<object>(relation, 'fields_get', { attributes: ['type'] })
  const names = ['code', 'name'].filter((name) => name in columns)
  const found: { id: number; name: string }[] = ID.test(typed)
    ? await search(connection, relation, [['id', '=', Number(typed)]])
    : await searchByName(connection, { relation, names, typed })
  const [first, ...others] = found
  if (first !== undefined && others.length === 0) return first.id
  if (first === undefined) throw refusal(field, typed, `the id, ${names.join(' or ')} of a record of ${relation}`)
  const which = found.map(({ id, name }) => `${name} (${id})`).join(', ')
  throw refusal(field, typed, `one record; this names ${which}. Give the id`)
}

/** Codes come first: the name of one country may be the code of another. */
async function searchByName(
  connection: Connection,
  { relation, names, typed }: { relation: string; names: readonly string[]; typed: string },
): Promise<{ id: number; name: string }[]> {
  const pattern = typed.replaceAll(/[\\%_]/g, String.raw`\$&`)
  for (const name of names) {
    const found = await search(connection, relation, [[name, '=ilike', pattern]])
    if (found.length > 0) return found
  }
  return []
}

function search(connection: Connection, model: string, domain: unknown[]): Promise<{ id: number; name: string }[]> {
  return connection.call(model, 'search_read', { domain, fields: ['name'], limit: NAMED_MAX })
}

function refusal(field: FieldDescription, typed: string, expected: string, cause?: unknown): ServiceRefusal {
  const shown = field.secret || field.protected ? 'What was typed' : `"${typed}"`
  return new ServiceRefusal(400, `${field.name} is not changed: ${shown} should be ${expected}.`, { cause })
}
