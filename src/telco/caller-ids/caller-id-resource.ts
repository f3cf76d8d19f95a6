import { sql } from '../../database/drizzle.ts'
import { idList } from '../../database/ids.ts'
import type { RowOf } from '../../platform/model/model.ts'
import { columnsOf } from '../../platform/model/statements.ts'
import { records } from '../../platform/records/records.ts'
import type { StepContext } from '../../sync/provider.ts'
import { removeGone, removeSurelyGone } from '../../sync/remove-gone.ts'
import { Resource } from '../../sync/resource.ts'
import { inServiceEnv } from '../../sync/service-env.ts'
import { workOnEach } from '../../sync/work-on-each.ts'
import type { ProviderCallerId } from '../client/caller-ids.ts'
import { doubted, GONE, NOT_THERE, notHere } from '../sync/problems.ts'
import { type PushOutcome, TELCO, type TelcoParts } from '../sync/telco.ts'
import { outgoingCalleridModel } from './outgoing-callerid.ts'

const MODEL = outgoingCalleridModel.name
const EXTERNAL = 'outgoing_callerid'
const OWN = 'number'
const NAME_CHARS_MAX = 64
const COLUMNS = ['id', 'number', 'friendly_name', 'callerid_type', 'status', 'sid'] as const

type StoredCallerId = RowOf<typeof outgoingCalleridModel, (typeof COLUMNS)[number]>

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

interface CallerId {
  stored: StoredCallerId
  /** Its name: everything else is as the provider has it. */
  wanted: string
  there: ProviderCallerId
  gone: { sid: string }
}

/** Numbers of others that the provider has verified: one that waits for it has no id yet, and is in no list. */
export const callerIdResource = new Resource<TelcoParts, 'caller-id', CallerId>(TELCO, {
  kind: 'caller-id',
  model: outgoingCalleridModel,
  step: 'caller IDs',
  // A new one waits until the provider has verified it.
  pushedOn: ({ isNew, values }) => !isNew && 'friendly_name' in values,
  list: async (parts, id) => (await listCallerIds(parts)).filter((each) => id === undefined || each.id === id),
  nameOf: ({ number }) => number,
  uidOf: ({ sid }) => sid,
  wanted: (_parts, { friendly_name: name }) => name,
  actual: ({ account }) => account.callerIds.list(),
  match: ({ number }, actual) => actual.find((each) => each.number === number),
  idThere: ({ sid }) => sid,
  problem: (name, there) => (there.name === name ? undefined : `Twilio calls it "${there.name}".`),
  drift: {
    absent: () => NOT_THERE,
    strangers(found, stored) {
      const isHere = (number: string) => stored.some((each) => each.number === number && each.sid !== null)
      const others = found.filter(({ number }) => !isHere(number))
      return notHere(MODEL, others, { stored, nameOf: ({ number }) => number })
    },
  },
  blocked: (stored) => (isVerified(stored) ? undefined : 'unchanged'),
  update: ({ account }, { uid }, name) => account.callerIds.rename(uid, name.slice(0, NAME_CHARS_MAX).toWellFormed()),
  removal: {
    of: (_stored, { uid: sid }) => ({ sid }),
    // Own numbers are the provider's to remove.
    read: ({ db }, ids) =>
      db.query(
        sql`select sid from connect_telco_outgoing_callerid
            where id in (${idList(ids)}) and callerid_type = ${EXTERNAL} and sid is not null order by id`,
      ),
    remove: ({ account }, { sid }) => account.callerIds.delete(sid),
  },
})

async function listCallerIds({ db }: TelcoParts): Promise<StoredCallerId[]> {
  const columns = columnsOf(outgoingCalleridModel, COLUMNS)
  return db.query<StoredCallerId>(sql`select ${columns} from connect_telco_outgoing_callerid order by id`)
}

function isVerified({ callerid_type: type, sid }: StoredCallerId): boolean {
  return type === EXTERNAL && sid !== null
}

/** Saves here that the provider has verified the number. */
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
    model: MODEL,
    targets: found.map((each) => ({ ...each, sid: each.sid, name: each.number, shownName: each.name })),
    async work({ sid, number, shownName }) {
      const outcome = await upsertCallerId(parts, stored, { type, sid, number, name: shownName })
      const same = stored.find((each) => each.sid === sid || each.number === number)
      const isRenamed = type === EXTERNAL && same !== undefined && same.friendly_name !== shownName
      if (isRenamed) await callerIdResource.push(parts, same.id)
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
    await inServiceEnv(parts, (env) => records(env, MODEL).create([{ number, friendly_name: shown, ...values }]))
    return 'created'
  }
  if (same.callerid_type === type && same.sid === sid && same.status === 'validated') return 'unchanged'
  await inServiceEnv(parts, (env) => records(env, MODEL).write([same.id], values))
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
  const verified = stored.filter(isVerified)
  const mirrored = stored.filter((each) => each.callerid_type === OWN)
  const gone = notListed(mirrored, own)
  // A number that went here too is surely gone, so it is no reason to doubt the list.
  const sure = gone.filter((each) => !isHere(each.name))
  await removeGone(parts, step, {
    model: MODEL,
    found: external.length,
    known: verified.length,
    gone: notListed(verified, external),
    doubt: doubted('verified caller IDs'),
    ...GONE,
  })
  await removeGone(parts, step, {
    model: MODEL,
    found: own.length,
    known: mirrored.length - sure.length,
    gone: gone.filter((each) => isHere(each.name)),
    doubt: doubted('own numbers'),
    ...GONE,
  })
  const removed = 'The number is gone: so is its caller id.'
  await removeSurelyGone(parts, step, { model: MODEL, gone: sure, ...GONE, removed })
}

function notListed(
  stored: readonly StoredCallerId[],
  listed: readonly ProviderCallerId[],
): { id: number; name: string }[] {
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
  await inServiceEnv(parts, (env) => records(env, MODEL).write([first.id], { is_default: true }))
}
