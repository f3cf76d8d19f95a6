import type { Queryable } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'

/** Why a delivery was rejected whose header is well-formed and timely, and whose body was signed with another secret. */
export const MISFIT =
  'The signature does not match the post-call webhook secret. Sync with ElevenLabs, and check that no proxy changes the body.'

/** The same sentence as earlier builds logged it. */
const MISFIT_BEFORE =
  'The signature does not match the voiceai_post_call_webhook_secret of the settings: run connect sync voiceai, ' +
  'and see that no proxy changes the body.'

const ROUTE = '/connect_voiceai/post_call'

/**
 * The newest delivery of the log, after that one, that was signed with another secret, where none that the platform signed
 * with ours came later. Undefined when all fits. Anybody can send such a delivery: it is asked for where a person
 * synchronises, or where the platform says that a delivery of its own was refused.
 */
export async function findMisfit(db: Queryable, after = 0): Promise<number | undefined> {
  // Our own trial of the secret is stored nowhere.
  const [row] = await db.query<{ misfit: number }>(
    sql`select misfit from (
          select max(id) filter (where verdict = 'rejected' and reason in (${MISFIT}, ${MISFIT_BEFORE})) as misfit,
                 max(id) filter (where verdict = 'handled' and inbox is not null) as fit
          from connect_delivery where route = ${ROUTE} and id > ${after}::bigint
        ) newest where misfit > coalesce(fit, 0)`,
  )
  return row?.misfit
}
