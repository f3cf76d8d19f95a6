import { QueryClient } from '@tanstack/react-query'
import {
  call,
  callByName,
  type FieldName,
  type ModelName,
  type Row,
  type Search,
  searchCount,
  searchRead,
} from './client.ts'
import { isPassing } from './errors.ts'
import { isTold } from './invalidation.ts'
import { asks, asksPages, keyOf } from './keys.ts'
import { isLive } from './live.ts'

export const PAGE_ROWS = 100
/** Counted up to here, and shown as "10,000+" beyond. */
export const COUNT_MAX = 10_001
const RETRIES_MAX = 3
const STALE_MS = 15_000

/** What is shown stays while the service is away; without anything to show, or when it is refused, the page says so instead. */
export function throwsInstead(error: Error, { state }: { state: { data: unknown } }): boolean {
  return state.data === undefined || !isPassing(error)
}

/** What the stream tells the changes of stays as it is until they are told; anything else grows old by itself. */
export function createQueries(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: ({ queryKey }) => (isLive() && isTold(queryKey) ? Number.POSITIVE_INFINITY : STALE_MS),
        refetchOnWindowFocus: true,
        retry: (failures, error) => failures < RETRIES_MAX && isPassing(error),
      },
      mutations: { retry: false },
    },
  })
}

/** Some records of a model, newest first unless the order says otherwise. */
export function listQuery<Model extends ModelName, const Field extends FieldName<Model>>(
  model: Model,
  search: Search & { fields: readonly Field[] },
) {
  return asks({
    queryKey: keyOf(model, 'list', search),
    queryFn: () => searchRead(model, search),
  })
}

/**
 * All records of a model, a page at a time: the next page begins below the last id, so nothing is skipped or shown twice;
 * in another order it begins behind as many as there are.
 */
export function pagesQuery<Model extends ModelName, const Field extends FieldName<Model>>(
  model: Model,
  { domain = [], fields, order }: Pick<Search, 'domain' | 'order'> & { fields: readonly Field[] },
) {
  return asksPages({
    queryKey: keyOf(model, 'pages', { domain, fields, order: order ?? 'id desc' }),
    initialPageParam: 0,
    queryFn: ({ pageParam }): Promise<(Row<Model, Field> & { id: number })[]> =>
      searchRead(model, {
        domain: pageParam === 0 || order !== undefined ? domain : [...domain, ['id', '<', pageParam]],
        fields,
        order: order ?? 'id desc',
        limit: PAGE_ROWS,
        ...(order === undefined ? {} : { offset: pageParam }),
      }) as Promise<(Row<Model, Field> & { id: number })[]>,
    getNextPageParam: (last, pages) => {
      if (last.length < PAGE_ROWS) return undefined
      return order === undefined ? last.at(-1)?.id : pages.length * PAGE_ROWS
    },
  })
}

/** One record; undefined when there is none, or none that one may see. */
export function oneQuery<Model extends ModelName, const Field extends FieldName<Model>>(
  model: Model,
  id: number,
  fields: readonly Field[],
) {
  return asks({
    queryKey: keyOf(model, 'one', id, fields),
    queryFn: async () => {
      const [row] = await searchRead(model, { domain: [['id', '=', id]], fields, limit: 1 })
      return row ?? null
    },
  })
}

export function countQuery(model: ModelName, search: Search = {}) {
  return asks({
    queryKey: keyOf(model, 'count', search),
    queryFn: () => searchCount(model, { limit: COUNT_MAX, ...search }),
  })
}

/** How many conversations there are of each sort. */
export function unreadQuery() {
  return asks({
    queryKey: keyOf('connect.message', 'counts'),
    queryFn: () => call('connect.message', 'conversation_counts', {}),
  })
}

/** A condition of what a picker offers; `{ of }` stands for what another field of the record has. */
export type Offered = readonly [field: string, operator: string, value: unknown] | '|' | '!'

/** A field as the service describes it. */
export interface FieldInfo {
  name: string
  type: string
  string: string
  help: string | null
  /** The same without the rules that a value follows. */
  hint?: string | null
  required: boolean
  readonly: boolean
  written_when?: 'creating' | 'drafting'
  store: boolean
  secret: boolean
  protected: boolean
  relation?: string
  relation_field?: string
  /** Whether its records are parts of this one, edited on its form; what of them is entered, where they are shown so. */
  parts?: boolean
  columns?: readonly FieldInfo[]
  /** Of parts that people put in order: the field with the place of each. */
  orderedBy?: string | undefined
  /** Which records of the relation belong there; see `offered`. */
  domain?: readonly Offered[]
  selection?: [value: string, label: string][]
  /** The part of a form that it stands in. */
  section?: string
  /** How it is shown, where that is more than its type says. */
  widget?: string
  /** Whether the person who is signed in may write it. */
  writable?: boolean
  searchable?: boolean
  sortable?: boolean
  indexed?: boolean
  heavy?: boolean
  default?: unknown
  max_length?: number
  min?: number
  max?: number
}

/** What fields a model has, for the person who is signed in. */
export function fieldsQuery(model: string) {
  return asks({
    queryKey: keyOf(model, 'fields'),
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => (await callByName(model, 'fields_get', {})) as Record<string, FieldInfo>,
  })
}
