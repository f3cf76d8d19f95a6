/** What the address of a list of records says; pure. */
import type { Domain } from '../data/client.ts'

export type Wanted = string | number | boolean

export interface RecordsSearch {
  /** Part of a name. */
  name?: string
  /** What fields are to be, by their names. */
  where?: Readonly<Record<string, Wanted>>
  /** A field to sort by; with a minus before it the greatest stands on top. */
  sort?: string
}

const FIELD = /^[a-z]\w{0,62}$/
const FILTERS_MAX = 20

export function readRecordsSearch(search: Record<string, unknown>): RecordsSearch & Record<string, unknown> {
  const where = readWhere(search.where)
  const name = typeof search.name === 'number' ? String(search.name) : search.name
  return {
    ...(typeof name === 'string' && name !== '' ? { name } : {}),
    ...(where === undefined ? {} : { where }),
    ...(typeof search.sort === 'string' && FIELD.test(search.sort.replace(/^-/, '')) ? { sort: search.sort } : {}),
  }
}

function readWhere(given: unknown): Record<string, Wanted> | undefined {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return undefined
  const read = Object.entries(given).filter(
    (entry): entry is [string, Wanted] =>
      FIELD.test(entry[0]) && ['string', 'number', 'boolean'].includes(typeof entry[1]),
  )
  return read.length === 0 ? undefined : Object.fromEntries(read.slice(0, FILTERS_MAX))
}

/** The search that an address stands for: what the model does not have, or what is not drawn as a filter, is not asked for. */
export function domainOf(
  { name, where = {} }: RecordsSearch,
  has: (field: string) => boolean,
  isFilter: (field: string) => boolean = has,
  storedNames: (shown: string) => readonly string[] = () => [],
): Domain {
  return [
    ...(name === undefined || !has('name') ? [] : named(name, storedNames(name))),
    ...Object.entries(where)
      .filter(([field]) => isFilter(field))
      .map(([field, value]) => [field, '=', value] as const),
  ]
}

/** By the name that is stored, or that is shown in its place. */
function named(name: string, stored: readonly string[]): Domain {
  return stored.length === 0 ? [['name', 'ilike', name]] : ['|', ['name', 'ilike', name], ['name', 'in', stored]]
}

/** The order that an address asks for, in the words of the service. */
export function orderOf({ sort }: RecordsSearch, isSortable: (field: string) => boolean): string | undefined {
  const field = sort?.replace(/^-/, '') ?? ''
  if (!isSortable(field)) return undefined
  return sort?.startsWith('-') === true ? `${field} desc` : field
}
