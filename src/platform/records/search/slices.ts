// Long searches of the API on the embedded database, whose one engine answers nobody while a statement runs: they are made in
// slices of ids, each in a transaction of its own, and webhooks are answered in between (docs/decisions/0028).
import { SLICE_COST_MAX } from '../../../database/query-cost.ts'
import type { Env, OpenEnv } from '../../access/env.ts'
import type { WireRow } from '../record-read.ts'
import { limitedRecords, records, SEARCH_ROWS_MAX, type SearchOptions } from '../records.ts'
import type { LongSearch } from './find-rows.ts'
import type { Span } from './own-rows.ts'

/** Records that one transaction reads. */
const READ_ROWS = 250
/** Rows in another order than that of their ids that slices are compared for; more are sorted at once, or refused. */
const COMPARED_MAX = 5_000
/** A slice that took longer is followed by one half as large, one that was quicker by one twice as large. */
const SLICE_MS = { min: 15, max: 60 }

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
  for (const slice of slicesOf(counted, false)) {
    const left = limit === undefined ? undefined : limit - count
    if (left === 0) break
    count += await slice.look(open, (env, ids) => records(env, model).searchCount(within(domain, ids), left, ids))
  }
  return count
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
  for (const slice of slicesOf(long, isById === 'asc')) {
    const left = isById === undefined ? wanted : wanted - best.length
    if (left <= 0) break
    best = await slice.look(open, async (env, ids) => {
      const seen = records(env, model)
      const found = await seen.searchPart(within(domain, ids), { order, limit: left, span: ids })
      if (isById !== undefined) return [...best, ...found]
      if (found.length === 0 || best.length === 0) return [...best, ...found]
      return seen.searchPart([['id', 'in', [...best, ...found]]], { order, limit: wanted })
    })
  }
  return best.slice(offset, wanted)
}

/** First, so that an operator without its condition cannot take these. */
function within(domain: unknown, { from, to }: Span): unknown[] {
  return [['id', '>=', from], ['id', '<=', to], ...(Array.isArray(domain) ? domain : [])]
}

/** The ids from the lowest to the highest, or down from there, in parts that take about as long as a webhook may wait. */
function* slicesOf({ cost, lowest, highest }: LongSearch, isUp: boolean) {
  let length = Math.max(1, Math.ceil((highest - lowest + 1) / Math.ceil(cost / SLICE_COST_MAX)))
  let done = 0
  while (lowest + done <= highest) {
    const last = Math.min(done + length, highest - lowest + 1)
    const span = isUp
      ? { from: lowest + done, to: lowest + last - 1 }
      : { from: highest - last + 1, to: highest - done }
    let tookMs = 0
    yield {
      look: <Result>(open: OpenEnv, work: (env: Env, ids: Span) => Promise<Result>): Promise<Result> =>
        open(async (env) => {
          const began = performance.now()
          try {
            return await work(env, span)
          } finally {
            tookMs = performance.now() - began
          }
        }),
    }
    done = last
    if (tookMs > SLICE_MS.max) length = Math.max(1, Math.floor(length / 2))
    else if (tookMs < SLICE_MS.min) length *= 2
  }
}
