import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Database, Queryable } from '../database/database.ts'
import { sql } from '../database/drizzle.ts'
import { idOf } from '../database/ids.ts'
import { char, datetime } from '../platform/model/fields.ts'
import { defineModel } from '../platform/model/model.ts'

/** A lease that nobody renews is over: its process is gone. */
const LEASE_SECONDS = 30
const RENEW_MS = 10_000
const WAIT_MS = 120_000
const FIRST_PAUSE_MS = 50
const PAUSE_MS_MAX = 1_000

/** Who is at work on what, where only one process may be: one row while the work lasts. Open to nobody over the API. */
export const leaseModel = defineModel({
  name: 'connect.lease',
  label: 'Lease',
  order: 'id',
  fields: {
    name: char('On what', { required: true, isUnique: true }),
    holder: char('Holder', { required: true }),
    expires_at: datetime('Expires', { required: true }),
  },
})

/** The work waits for another one of the same name that does not end. */
export class LeaseError extends Error {
  constructor(name: string) {
    super(`other work on ${name} does not end`)
    this.name = 'LeaseError'
  }
}

/**
 * Does the work while no other process, and nothing else in this one, does work of the same name. Never call it inside a
 * transaction. Throws a LeaseError when the other work takes longer than `waitMs`.
 */
export async function withLease<Result>(
  db: Database,
  name: string,
  work: () => Promise<Result>,
  { waitMs = WAIT_MS }: { waitMs?: number } = {},
): Promise<Result> {
  const holder = randomUUID()
  await acquire(db, { name, holder, waitMs })
  const renewal = setInterval(() => void claim(db, name, holder).catch(() => undefined), RENEW_MS)
  try {
    return await work()
  } finally {
    clearInterval(renewal)
    await db.query(sql`delete from connect_lease where name = ${name} and holder = ${holder}`)
  }
}

async function acquire(db: Database, { name, holder, waitMs }: { name: string; holder: string; waitMs: number }) {
  const end = Date.now() + waitMs
  for (let pauseMs = FIRST_PAUSE_MS; !(await claim(db, name, holder)); pauseMs = Math.min(pauseMs * 2, PAUSE_MS_MAX)) {
    if (Date.now() >= end) throw new LeaseError(name)
    await delay(pauseMs)
  }
}

/** Claims the lease, or renews our own; false when somebody else holds it. The database's clock is everybody's. */
async function claim(db: Database, name: string, holder: string): Promise<boolean> {
  const rows = await db.query(
    sql`insert into connect_lease (id, name, holder, expires_at)
        values (${idOf('connect_lease', sql`present.name = ${name}`)}, ${name}, ${holder}, (now() at time zone 'utc') + make_interval(secs => ${LEASE_SECONDS}::int))
        on conflict (name) do update set holder = excluded.holder, expires_at = excluded.expires_at
          where connect_lease.holder = excluded.holder or connect_lease.expires_at < (now() at time zone 'utc')
            -- Claimed before the clock was put right.
            or connect_lease.expires_at > excluded.expires_at + make_interval(secs => ${LEASE_SECONDS}::int)
        returning id`,
  )
  return rows.length > 0
}

/** Writes a lease that nobody holds: throws what the database says when it takes no writes. */
export async function writeIdleLease(db: Queryable, name: string): Promise<void> {
  await db.query(
    sql`insert into connect_lease (id, name, holder, expires_at)
        values (${idOf('connect_lease', sql`present.name = ${name}`)}, ${name}, '', now() at time zone 'utc')
        on conflict (name) do update set expires_at = excluded.expires_at`,
  )
}
