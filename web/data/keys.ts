/** The keys under which answers are held: what is held under each kind is said once, here, and a key is made nowhere else. */
import {
  type DataTag,
  type InfiniteData,
  infiniteQueryOptions,
  queryOptions,
  type UnusedSkipTokenInfiniteOptions,
  type UnusedSkipTokenOptions,
} from '@tanstack/react-query'
import type { Domain, Search } from './client.ts'
import type { Methods } from './models.gen.ts'

type Result<Model extends keyof Methods, Name extends keyof Methods[Model]> = Methods[Model][Name] extends {
  result: infer Answer
}
  ? Answer
  : never
type Rows = readonly object[]
type Named = readonly [id: number, name: string]
interface Numbered {
  id: number
}
/** A list as its pages came. */
type Paged<Page> = InfiniteData<Page>

/** Each kind of key: what it is told beside the model, and what is held under it. */
export interface Kinds {
  // Of any model.
  list: { of: [Search]; holds: Rows }
  pages: { of: [{ domain: Domain; fields: readonly string[]; order: string }]; holds: Paged<readonly Numbered[]> }
  one: { of: [id: number, fields: readonly string[]]; holds: object | null }
  count: { of: [Search]; holds: number }
  fields: { of: []; holds: Readonly<Record<string, object>> }
  methods: { of: []; holds: Readonly<Record<string, object>> }
  record: { of: [id: number | undefined]; holds: Record<string, unknown> }
  peek: { of: [id: number]; holds: Record<string, unknown> | null }
  names: { of: [text: string, domain: Domain]; holds: readonly Named[] }
  'all-names': { of: [domain: Domain]; holds: readonly Named[] }
  'name-of': { of: [id: number | undefined]; holds: string }
  'names-of': { of: [ids: readonly number[]]; holds: readonly { id: number; display_name: string }[] }
  called: { of: [ids: readonly number[]]; holds: ReadonlyMap<number, string> }
  chosen: { of: [Domain]; holds: readonly number[] }
  consequences: { of: [id: number]; holds: Rows }
  posts: { of: [id: number]; holds: Paged<Rows> }
  'tool-figures': { of: [model: string, id: number]; holds: Rows }
  'tool-stats': { of: [ids: readonly number[]]; holds: Rows }
  news: { of: [list: readonly unknown[]]; holds: { fresh: readonly number[]; unfit: readonly number[] } }
  // Of one model.
  views: { of: [model: string]; holds: Rows }
  explain: { of: [id: number]; holds: Result<'connect.call', 'explain'> }
  timeline: { of: [id: number]; holds: Result<'connect.call', 'timeline'> }
  legs: { of: [id: number]; holds: Rows }
  'recording-state': { of: [id: number]; holds: Result<'connect.call', 'recording_state'> }
  figures: { of: [from: string, zone: string]; holds: Result<'connect.call', 'stats'> }
  'to-call-back': { of: []; holds: Result<'connect.call', 'to_call_back'> }
  waiting: { of: [Domain]; holds: readonly number[] }
  'ended-after': { of: [{ since: number | undefined }]; holds: Numbered | null }
  'of-tickets': { of: [tickets: readonly number[]]; holds: ReadonlyMap<number, object> }
  'with-draft': { of: [id: number]; holds: Record<string, unknown> | null }
  'of-agents': { of: [from: string]; holds: ReadonlyMap<number, object> }
  'last-hour': { of: [from: string]; holds: Result<'connect.delivery', 'stats'> }
  why: { of: [id: number]; holds: string }
  signature: { of: [id: number]; holds: object }
  replayable: { of: [id: number]; holds: boolean }
  compare: { of: [id: number]; holds: object }
  'sending-obstacle': { of: [object]; holds: Result<'connect.message', 'sending_obstacle'> }
  counts: { of: []; holds: Result<'connect.message', 'conversation_counts'> }
  conversations: { of: [show: string, search: string]; holds: Paged<Rows> }
  conversation: { of: [party: object]; holds: object | null }
  board: { of: [{ team: number | null; domain: Domain }]; holds: Rows }
  'tickets-found': { of: [text: string]; holds: Result<'helpdesk.ticket', 'find'> }
  'ticket-posts': { of: [id: number]; holds: Rows }
  'merged-into': { of: [id: number]; holds: Result<'res.partner', 'merged_into'> }
  duplicates: { of: []; holds: Result<'res.partner', 'duplicates'> }
  erasing: { of: [id: number]; holds: Result<'res.partner', 'erase_preview'> }
  story: { of: [id: number, tab: string]; holds: Paged<Result<'res.partner', 'story'>> }
  lookup: { of: [number: string]; holds: Result<'res.partner', 'lookup'> }
  people: { of: []; holds: Rows }
  'open-links': { of: []; holds: ReadonlyMap<number, object> }
  groups: { of: []; holds: Rows }
  'without-extension': { of: []; holds: readonly Numbered[] }
  silent: { of: []; holds: Rows }
  'rings-no-one': { of: []; holds: Rows }
  'reaches-no-one': { of: [id: number | undefined]; holds: boolean }
  targets: { of: []; holds: Rows }
  'purchase-countries': { of: []; holds: Result<'connect.telco.number', 'purchase_countries'> }
  'purchase-papers': { of: [country: string, kind: string]; holds: Result<'connect.telco.number', 'purchase_papers'> }
  'for-sale': { of: [object | undefined]; holds: Result<'connect.telco.number', 'search_available'> }
  'newest-run': { of: [area: string]; holds: object | null }
  'begun-run': { of: [run: number]; holds: object | null }
  'newest-checks': { of: []; holds: object }
  'settings-row': { of: [fields: readonly string[]]; holds: Record<string, unknown> & Numbered }
  'set-up': { of: []; holds: object }
  address: { of: [address: string | null]; holds: Result<'connect.settings', 'check_address'> }
  impact: { of: [vals: object]; holds: object }
  // Of the service, and of no model.
  models: { of: []; holds: Rows }
  search: { of: [text: string]; holds: Rows }
  helpers: { of: []; holds: readonly string[] }
  'newest-call': { of: []; holds: number }
  moment: { of: []; holds: number }
}
export type Kind = keyof Kinds

/** What belongs to no model is held under this. */
export const SERVICE = 'service'

declare const kindOf: unique symbol
/** A key that was made here. */
type Made = readonly unknown[] & { readonly [kindOf]: Kind }
type Told<K extends Kind> = readonly [model: string, kind: K, ...of: Kinds[K]['of']] & { readonly [kindOf]: K }
/** A key of a kind. */
export type Key<K extends Kind> = DataTag<Told<K>, Kinds[K]['holds'], Error>
type HeldUnder<Of extends Made> = Kinds[Of[typeof kindOf]]['holds']
type PageUnder<Of extends Made> = HeldUnder<Of> extends Paged<infer Page> ? Page : never

/** The key of what is held. */
export function keyOf<const K extends Kind>(model: string, kind: K, ...of: Kinds[K]['of']): Key<K> {
  return [model, kind, ...of] as unknown as Key<K>
}

/** How the keys of a model begin, or those of one kind, or of one kind and one record: to say of all of them that they are old. */
export function keysOf(model: string, kind?: Kind, id?: number): readonly unknown[] {
  return [model, kind, id].filter((part) => part !== undefined)
}

/** A question under a key; an answer of another shape than the kind's does not compile. */
export function asks<Of extends Made, Data extends HeldUnder<Of>>(
  options: UnusedSkipTokenOptions<Data, Error, Data, Of> & { queryKey: Of },
) {
  return queryOptions(options)
}

/** The same for what comes in pages. */
export function asksPages<Of extends Made, Page extends PageUnder<Of>, Param>(
  options: UnusedSkipTokenInfiniteOptions<Page, Error, InfiniteData<Page>, Of, Param> & { queryKey: Of },
) {
  return infiniteQueryOptions(options)
}
