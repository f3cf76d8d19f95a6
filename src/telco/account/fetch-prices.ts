import { sql } from '../../database/drizzle.ts'
import { param, statement } from '../../database/statement.ts'
import type { JobKind } from '../../jobs/queue.ts'
import { setCallPrice } from '../../ledger/calls/call-updates.ts'
import type { OpenEnv } from '../../platform/access/env.ts'
import { type FetchedCall, ProviderRefused, type TelcoClient } from '../../ports/telco-client.ts'
import { publishedTime } from '../../time.ts'

/** Calls looked at in one run, the newest first: enough for six a second, and no more than a glance at the table. */
const CALLS_LOOKED_AT_MAX = 2_000
/** Calls whose price is asked for in one run; the provider limits how often it can be asked. */
const CALLS_PRICED_MAX = 100
/** The provider charges within minutes; what has no price by then gets none. */
const WAIT_HOURS = 24
const TERMINAL = sql`('completed', 'busy', 'failed', 'no-answer', 'canceled')`

interface UnpricedCall {
  id: number
  sids: string[]
  is_old: boolean
}

const UNPRICED = statement<UnpricedCall, { now: string }>(
  'calls_unpriced',
  sql`select c.id, (c.create_date < ${param('now')}::timestamp - make_interval(hours => ${sql.raw(String(WAIT_HOURS))})) as is_old,
        (select array_agg(l.sid order by l.id) from connect_channel l where l.call = c.id) as sids
      from connect_call c
      where c.id > (select coalesce(max(id), 0) - ${sql.raw(String(CALLS_LOOKED_AT_MAX))} from connect_call)
        and c.is_price_fetched is not true and c.status in ${TERMINAL}
        and exists (select 1 from connect_channel l where l.call = c.id)
      order by c.id limit ${sql.raw(String(CALLS_PRICED_MAX))}`,
)

/** Fills in what calls have cost: the sum over all of their legs, once the provider has charged for every one. */
export function callPricesJob(open: OpenEnv, client: TelcoClient): JobKind {
  return {
    name: 'call-prices',
    cron: '*/5 * * * *',
    attemptsMax: 1,
    retryDelaySeconds: 60,
    async work() {
      const calls = await open(async (env) => {
        if (!env.settings.fetchesCallPrices) return []
        return env.db.run(UNPRICED, { now: publishedTime(env.now) })
      })
      for (const call of calls) {
        const price = await priceOf(client, call)
        if (price !== undefined) await open((env) => setCallPrice(env.db, call.id, price))
      }
    },
  }
}

/** Undefined while the provider has not charged for every leg; a call that is old by then gets what is known. */
async function priceOf(client: TelcoClient, { sids, is_old: isOld }: UnpricedCall) {
  const legs = []
  for (const sid of sids) legs.push(await fetchPrice(client, sid))
  const known = legs.filter((leg) => leg.price !== undefined)
  if (known.length < legs.length && !isOld) return undefined
  const amount = known.reduce((sum, leg) => sum + (leg.price ?? 0), 0)
  return { amount: known.length === 0 ? null : Number(amount.toFixed(6)), unit: known[0]?.priceUnit ?? null }
}

async function fetchPrice(client: TelcoClient, sid: string): Promise<Pick<FetchedCall, 'price' | 'priceUnit'>> {
  try {
    return await client.fetchCall(sid)
  } catch (error) {
    // A leg that the provider does not know costs nothing.
    if (error instanceof ProviderRefused) return { price: 0, priceUnit: undefined }
    throw error
  }
}
