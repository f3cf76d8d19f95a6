// Long searches of the API on the embedded database, whose one engine answers nobody while a statement runs: they are made in
// slices of ids, each in a transaction of its own, and webhooks are answered in between (docs/decisions/0028).
import type { Env, OpenEnv } from '../../access/env.ts'
import type { WireRow } from '../record-read.ts'
import { limitedRecords, records, SEARCH_ROWS_MAX, type SearchOptions } from '../records.ts'
import { type LongSearch, requireAffordable, spanOfTexts } from './find-rows.ts'
import { addGroups, type Group, type WireGroup } from './group-rows.ts'
import type { AskedGroups } from './grouping.ts'
import type { Span } from './own-rows.ts'

/** Records that one transaction reads. */
const READ_ROWS = 250
/** Rows in another order than that of their ids that slices are compared for; more are sorted at once, or refused. */
const COMPARED_MAX = 5_000
/** Rows of the first slice, and of the shortest and the longest. */
const SLICE_ROWS = { first: 5_000, min: 500, max: 20_000 }
/** A slice that took longer is followed by one half as large, one that was quicker by one twice as large. */
const SLICE_MS = { min: 15, max: 40 }

interface Search extends SearchOptions {
  model: string
  domain: unknown
}

/** Ids that fit, in the asked order. */
export async function searchInSlices(open: OpenEnv, { model, domain, ...options }: Search): Promise<number[]> {
  const found = await open((env) => limitedRecords(env, model).searchUnlessLong(domain, options))
  return Array.isArray(found) ? found : searchLong(open, { model, domain, ...options }, found)
}

/** How many fit; counting ends at the limit. */
export async function countInSlices(
  open: OpenEnv,
  { model, domain }: Pick<Search, 'model' | 'domain'>,
  limit: number | undefined,
): Promise<number> {
  const counted = await open((env) => limitedRecords(env, model).countUnlessLong(domain, limit))
  if (typeof counted === 'number') return counted
  let count = 0
  await eachSlice(open, { model, found: counted, isUp: false }, async (env, span) => {
    const more = await records(env, model).searchCount(within(domain, span), limit && limit - count, span)
    return () => {
      count += more
      return count !== limit
    }
  })
  return count
}

/** The rows that fit in groups, with what is reckoned of each. */
export async function groupInSlices(
  open: OpenEnv,
  { model, domain, order, limit, ...asked }: Pick<Search, 'model' | 'domain' | 'order' | 'limit'> & AskedGroups,
): Promise<WireGroup[]> {
  const found = await open((env) => limitedRecords(env, model).groupUnlessLong(domain, asked))
  const groups = new Map<string, Group>()
  if (Array.isArray(found)) addGroups(groups, found, asked.measures ?? [])
  else {
    await eachSlice(open, { model, found, isUp: false }, async (env, span) => {
      const part = await records(env, model).groupPart(within(domain, span), { ...asked, span })
      return () => {
        addGroups(groups, part, asked.measures ?? [])
        return true
      }
    })
  }
  return open((env) => limitedRecords(env, model).showGroups([...groups.values()], { order, limit, ...asked }))
}

/** The records that fit, a part of them at a time. */
export async function readInSlices(
  open: OpenEnv,
  search: Search,
  fields: readonly string[] | undefined,
): Promise<WireRow[]> {
  const { model, domain, ...options } = search
  const begun = await open(async (env) => {
    const limited = limitedRecords(env, model)
    const found = await limited.searchUnlessLong(domain, options)
    const isAtOnce = Array.isArray(found) && (found.length <= READ_ROWS || env.platform.queryCostMax === undefined)
    return isAtOnce ? { rows: await limited.readFound(found, fields) } : { found }
  })
  if (begun.rows !== undefined) return begun.rows
  const { found } = begun
  const ids = Array.isArray(found) ? found : await searchLong(open, search, found)
  if (ids.length > READ_ROWS) await open((env) => limitedRecords(env, model).requireFits(ids, fields))
  const rows: WireRow[] = []
  for (let at = 0; at < ids.length; at += READ_ROWS) {
    const part = ids.slice(at, at + READ_ROWS)
    rows.push(...(await open((env) => limitedRecords(env, model).readFound(part, fields))))
  }
  return rows
}

async function searchLong(
  open: OpenEnv,
  { model, domain, offset = 0, limit = SEARCH_ROWS_MAX, order }: Search,
  long: LongSearch,
): Promise<number[]> {
  const wanted = offset + Math.min(limit, SEARCH_ROWS_MAX)
  const { isById } = long
  if (isById === undefined && wanted > COMPARED_MAX) {
    return open((env) => limitedRecords(env, model).search(domain, { offset, limit, order }))
  }
  let best: number[] = []
  await eachSlice(open, { model, found: long, isUp: isById === 'asc' }, async (env, span) => {
    const left = isById === undefined ? wanted : wanted - best.length
    const seen = records(env, model)
    const found = await seen.searchPart(within(domain, span), { order, limit: left, span })
    const both = [...best, ...found]
    const isSorted = isById !== undefined || found.length === 0 || best.length === 0
    const next = isSorted ? both : await seen.searchPart([['id', 'in', both]], { order, limit: wanted })
    return () => {
      best = next
      return isById === undefined || best.length < wanted
    }
  })
  return best.slice(offset, wanted)
}

/** First, so that an operator without its condition cannot take these. */
function within(domain: unknown, { from, to }: Span): unknown[] {
  return [['id', '>=', from], ['id', '<=', to], ...(Array.isArray(domain) ? domain : [])]
}

interface Slicing {
  model: string
  found: LongSearch
  isUp: boolean
}

/**
 * Looks at the rows from the lowest id to the highest, or down from there, in parts that take about as long as a webhook may
 * wait, each in a transaction of its own. What was seen is taken in when that has ended, and says whether to go on.
 */
async function eachSlice(
  open: OpenEnv,
  { model: name, found: { lowest, highest, texts }, isUp }: Slicing,
  look: (env: Env, span: Span) => Promise<() => boolean>,
): Promise<void> {
  let rows = SLICE_ROWS.first
  let spent = 0
  for (let left: Span = { from: lowest, to: highest }; left.from <= left.to; ) {
    const { span, takeIn, tookMs } = await open(async (env) => {
      const model = env.platform.models.get(name)
      const { span, cost } = await spanOfTexts(env, model, { left, rows, isUp, texts })
      spent += cost
      requireAffordable(env, model, spent)
      const began = performance.now()
      const takeIn = await look(env, span)
      return { span, takeIn, tookMs: performance.now() - began }
    })
    if (!takeIn()) return
    left = isUp ? { from: span.to + 1, to: left.to } : { from: left.from, to: span.from - 1 }
    if (tookMs > SLICE_MS.max) rows = Math.max(SLICE_ROWS.min, Math.floor(rows / 2))
    else if (tookMs < SLICE_MS.min) rows = Math.min(SLICE_ROWS.max, rows * 2)
  }
}
