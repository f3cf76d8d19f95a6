import type { Database } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import type { JobKind } from '../../jobs/queue.ts'
import type { Platform } from '../../platform/access/env.ts'
import { envOf } from '../../platform/api/rpc.ts'
import type { Identities } from '../../platform/identity/identities.ts'
import { markUnreported } from '../calls/call-updates.ts'
import { type CallEvent, SAYS_NO_MORE } from './leg-event.ts'
import { recordKnownLegs } from './record-legs.ts'

/** The settings let a call last for a day at most; an hour more is for its reports. */
const STALE_HOURS = 25
const STALE = sql`(now() at time zone 'utc') - make_interval(hours => ${STALE_HOURS}::int)`
/** Legs one step ends, each in a call of its own or not. */
const LEGS_AT_ONCE = 100

/**
 * The hourly job that ends legs whose end was never reported, as the weakest end there is: what the provider reports of them
 * afterwards still counts.
 */
export function endStaleLegsJob(db: Database, platform: Platform, identities: Identities): JobKind {
  return {
    name: 'end-stale-legs',
    cron: '23 * * * *',
    attemptsMax: 3,
    retryDelaySeconds: 60,
    async work() {
      while ((await endSome(db, platform, identities)) === LEGS_AT_ONCE);
    },
  }
}

async function endSome(db: Database, platform: Platform, identities: Identities): Promise<number> {
  const settings = await platform.settings.get()
  const identity = { ...(await identities.webhook()), isElevated: true }
  const stale = await db.query<{ sid: string }>(
    sql`select sid from connect_channel where status in ('queued', 'initiated', 'ringing', 'in-progress')
          and create_date < ${STALE} and write_date < ${STALE}
        order by id limit ${LEGS_AT_ONCE}::int`,
  )
  if (stale.length === 0) return 0
  platform.log.warn({ legs: stale.map(({ sid }) => sid) }, 'legs are ended whose end was never reported')
  await db.transaction(async (tx) => {
    const recorded = await recordKnownLegs(envOf({ platform, settings, identity }, tx), stale.map(unreportedEnd))
    const over = recorded.flatMap(({ callId, isOver }) => (isOver && callId !== undefined ? [callId] : []))
    await markUnreported(tx, over)
  })
  return stale.length
}

/** Nothing is known of it but that it cannot go on. */
function unreportedEnd({ sid }: { sid: string }): CallEvent {
  return {
    sid,
    parentSid: '',
    direction: undefined,
    status: 'failed',
    caller: '',
    called: '',
    to: '',
    callType: 'phone',
    duration: undefined,
    timestampMs: undefined,
    errorCode: '',
    errorMessage: '',
    ...SAYS_NO_MORE,
  }
}
