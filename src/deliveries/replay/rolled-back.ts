import type { Env, OpenEnv } from '../../platform/access/env.ts'
import type { Handled, IncomingRequest, Reply, WebhookRow } from '../webhooks/webhook-table.ts'

/** The embedded database serves one transaction at a time: what takes longer is given up. */
const WORK_MS_MAX = 5_000

/** Ends the transaction so that nothing of it is kept. */
class NothingKept extends Error {}

/** The result of work of which the database keeps nothing; `begin` opens the transaction. */
export async function rolledBack<Given, Result extends object>(
  begin: (work: (given: Given) => Promise<void>) => Promise<void>,
  work: (given: Given) => Promise<Result>,
): Promise<Result> {
  let result: Result | undefined
  try {
    await begin(async (given) => {
      result = await work(given)
      throw new NothingKept()
    })
  } catch (error) {
    if (result === undefined) throw error
  }
  if (result === undefined) throw new NothingKept()
  return result
}

/** Does the work of a webhook inside a transaction that is open already. */
export function workInside(row: WebhookRow, request: IncomingRequest, env: Env): Promise<Reply | Handled> {
  if (row.access === 'read') return row.run(env, request)
  const open = openInside(env)
  if (row.access === 'gathered') return row.run({ ...env, open }, request)
  return row.access === 'own' ? row.run(open, request) : open((inside) => row.run(inside, request))
}

/** Transactions of the work are parts of the one around it: what one of them wrote is gone when it fails. */
export function openInside(env: Env): OpenEnv {
  const endsAt = performance.now() + WORK_MS_MAX
  let parts = 0
  return async (work) => {
    // Anyone who waits for another transaction would wait for ever inside this one.
    if (performance.now() > endsAt) throw new Error(`it took longer than ${WORK_MS_MAX} ms`)
    parts += 1
    await env.db.execute(`savepoint part_${parts}`, [])
    try {
      const result = await work(env)
      await env.db.execute(`release savepoint part_${parts}`, [])
      return result
    } catch (error) {
      await env.db.execute(`rollback to savepoint part_${parts}`, [])
      throw error
    }
  }
}
