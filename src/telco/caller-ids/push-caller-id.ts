import { sql } from '../../database/drizzle.ts'
import { withLease } from '../../jobs/lease.ts'
import { records } from '../../platform/records/records.ts'
import type { StepContext } from '../../sync/provider.ts'
import { savingFailure } from '../../sync/push-failure.ts'
import { workOnEach } from '../../sync/run-steps.ts'
import { freshSettings, inServiceEnv } from '../../sync/service-env.ts'
import type { ProviderCallerId } from '../client/caller-ids.ts'
import { type PushOutcome, unlessMissing } from '../sync/errors.ts'
import { TELCO } from '../sync/push-request.ts'
import { requireReady } from '../sync/readiness.ts'
import { type Gone, removeGone } from '../sync/remove-gone.ts'
import type { TelcoParts } from '../sync/telco-parts.ts'

export const CALLER_ID_MODEL = 'connect.telco.outgoing_callerid'
const EXTERNAL = 'outgoing_callerid'
const OWN = 'number'
const NAME_CHARS_MAX = 64

export interface StoredCallerId {
  id: number
  number: string
  friendly_name: string
  callerid_type: typeof EXTERNAL | typeof OWN
  status: string | null
  sid: string | null
}

/** Has every number here that the account may show: first verified ones of others, then its own. */
export async function syncCallerIds(parts: TelcoParts, step: StepContext): Promise<void> {
  const external = await parts.account.callerIds.list()
  const own = await parts.account.numbers.list()
  // A number that was verified and then bought is an own one.
  const ownNumbers = new Set(own.map((each) => each.number))
  const others = external.filter((each) => !ownNumbers.has(each.number))
  await step.progress.count('total', others.length + own.length)
  await upsertFound(parts, step, { type: EXTERNAL, found: others })
  await upsertFound(parts, step, { type: OWN, found: own })
  await removeVanished(parts, step, { external, own })
  await pickDefault(parts)
}

export async function listCallerIds({ db }: TelcoParts): Promise<StoredCallerId[]> {
  return db.query<StoredCallerId>(
    sql`select id, number, friendly_name, callerid_type, status, sid from connect_telco_outgoing_callerid order by id`,
  )
}

/** Tells the provider the name of a verified caller id. Throws, and saves why. */
export function pushCallerId(parts: TelcoParts, id: number): Promise<PushOutcome> {
  return withLease(parts.db, `telco caller id ${id}`, async () => {
    const stored = (await listCallerIds(parts)).find((each) => each.id === id)
    if (stored === undefined || stored.callerid_type !== EXTERNAL || stored.sid === null) return 'unchanged'
    const { sid, friendly_name: name } = stored
    return savingFailure<PushOutcome>(parts, TELCO, { model: CALLER_ID_MODEL, id }, async () => {
      requireReady(await freshSettings(parts.platform))
      await parts.account.callerIds.rename(sid, name.slice(0, NAME_CHARS_MAX).toWellFormed())
      await parts.db.query(
        sql`update connect_telco_outgoing_callerid set sync_error = null where id = ${id}::bigint and sync_error is not null`,
      )
      return 'updated'
    })
  })
}

/** Keeps here that the provider has verified the number. */
export async function upsertVerified(parts: TelcoParts, verified: ProviderCallerId): Promise<void> {
  await upsertCallerId(parts, await listCallerIds(parts), { ...verified, type: EXTERNAL })
}

async function upsertFound(
  parts: TelcoParts,
  step: StepContext,
  { type, found }: { type: StoredCallerId['callerid_type']; found: readonly ProviderCallerId[] },
): Promise<void> {
  const stored = await listCallerIds(parts)
  await workOnEach(step, {
    model: CALLER_ID_MODEL,
    targets: found.map((each) => ({ ...each, sid: each.sid, name: each.number, shownName: each.name })),
    async work({ sid, number, shownName }) {
      const outcome = await upsertCallerId(parts, stored, { type, sid, number, name: shownName })
      const same = stored.find((each) => each.sid === sid || each.number === number)
      const isRenamed = type === EXTERNAL && same !== undefined && same.friendly_name !== shownName
      if (isRenamed) await pushCallerId(parts, same.id)
      return isRenamed && outcome === 'unchanged' ? 'updated' : outcome
    },
  })
}

/** What people call a caller id here stays; everything else is as the provider has it. */
async function upsertCallerId(
  parts: TelcoParts,
  stored: readonly StoredCallerId[],
  { type, sid, number, name }: ProviderCallerId & { type: StoredCallerId['callerid_type'] },
): Promise<PushOutcome> {
  const same = stored.find((each) => each.number === number)
  const values = { callerid_type: type, sid, status: 'validated' }
  if (same === undefined) {
    const shown = name.slice(0, NAME_CHARS_MAX).toWellFormed()
    await inServiceEnv(parts, (env) =>
      records(env, CALLER_ID_MODEL).create([{ number, friendly_name: shown, ...values }]),
    )
    return 'created'
  }
  if (same.callerid_type === type && same.sid === sid && same.status === 'validated') return 'unchanged'
  await inServiceEnv(parts, (env) => records(env, CALLER_ID_MODEL).write([same.id], values))
  return 'updated'
}

async function removeVanished(
  parts: TelcoParts,
  step: StepContext,
  { external, own }: { external: readonly ProviderCallerId[]; own: readonly ProviderCallerId[] },
): Promise<void> {
  const stored = await listCallerIds(parts)
  const here = await parts.db.query<{ phone_number: string }>(sql`select phone_number from connect_telco_number`)
  const isHere = (number: string): boolean => here.some((each) => each.phone_number === number)
  // One that waits to be verified has no id yet, and the provider does not list it.
  const verified = stored.filter((each) => each.callerid_type === EXTERNAL && each.sid !== null)
  const mirrored = stored.filter((each) => each.callerid_type === OWN)
  const gone = notListed(mirrored, own)
  // A number that went here too is surely gone, so it is no reason to doubt the list.
  const sure = gone.filter((each) => !isHere(each.name))
  await removeGone(parts, step, {
    model: CALLER_ID_MODEL,
    what: 'verified caller ids',
    found: external.length,
    known: verified.length,
    gone: notListed(verified, external),
  })
  await removeGone(parts, step, {
    model: CALLER_ID_MODEL,
    what: 'own numbers',
    found: own.length,
    known: mirrored.length - sure.length,
    gone: gone.filter((each) => isHere(each.name)),
  })
  for (const { id, name } of sure) {
    await inServiceEnv(parts, (env) => records(env, CALLER_ID_MODEL).unlink([id]))
    await step.progress.count('removed')
    await step.progress.difference({
      what: CALLER_ID_MODEL,
      id,
      name,
      message: 'The number is gone: so is its caller id.',
    })
  }
}

function notListed(stored: readonly StoredCallerId[], listed: readonly ProviderCallerId[]): Gone[] {
  const numbers = new Set(listed.map((each) => each.number))
  return stored.filter((each) => !numbers.has(each.number)).map(({ id, number }) => ({ id, name: number }))
}

/** Calls need a number to show: the first one that may be shown, until somebody chooses another. */
async function pickDefault(parts: TelcoParts): Promise<void> {
  const [first] = await parts.db.query<{ id: number }>(
    sql`select id from connect_telco_outgoing_callerid where status = 'validated'
          and not exists (select 1 from connect_telco_outgoing_callerid where is_default)
        order by id limit 1`,
  )
  if (first === undefined) return
  await inServiceEnv(parts, (env) => records(env, CALLER_ID_MODEL).write([first.id], { is_default: true }))
}

/** Removes a verified caller id at the provider, where it may be gone already. */
export async function removeCallerId({ account }: TelcoParts, sid: string): Promise<void> {
  await unlessMissing(() => account.callerIds.delete(sid))
}
