import type { Reply } from '../../deliveries/webhooks/webhook-table.ts'
import type { Env, OpenEnv } from '../../platform/access/env.ts'
import type { DialPlan } from '../routing/dial-plan.ts'
import { loadDialPlan } from '../routing/load-dial-plan.ts'
import type { RoutingContext } from './answering.ts'
import { type GatheredRecords, recordAlone } from './gathered-records.ts'
import { parseRequest, rawQuery } from './request.ts'
import { ROWS } from './table.ts'
import { recordAndAnswer } from './telco-webhooks.ts'

/**
 * Answers a form as the route of that address does, for a rehearsal: nothing is authenticated or logged. `target` is
 * path and query below the prefix. Undefined when there is no such route.
 */
export async function answerUnverified(
  context: RoutingContext,
  open: OpenEnv,
  { target, form }: { target: string; form: Readonly<Record<string, string>> },
): Promise<Reply | undefined> {
  const path = target.split('?', 1)[0] ?? ''
  for (const row of ROWS) {
    const pattern = new RegExp(`^${row.path.replaceAll(/:(\w+)/g, '(?<$1>[^/]+)')}$`)
    const found = pattern.exec(path)
    if (found === null) continue
    const request = parseRequest({ form, query: rawQuery(target), params: { ...found.groups } })
    const recordRequest = (...waiting: Parameters<GatheredRecords['recordRequest']>) => recordAlone(...waiting, planOf)
    return (await recordAndAnswer(row, { context, open, request, recordRequest })).reply
  }
  return undefined
}

/** As it is in this transaction, where it may have been changed to see what would be answered. */
function planOf({ db }: Env): Promise<DialPlan> {
  return loadDialPlan(db)
}
