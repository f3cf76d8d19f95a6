import { sql } from '../../database/drizzle.ts'
import { Refusal } from '../../errors.ts'
import { records } from '../../platform/records/records.ts'
import { sayRefusal } from '../../refusals.ts'
import { type Difference, differing, type StepContext } from '../../sync/provider.ts'
import { pushRecord, savePushed } from '../../sync/push.ts'
import { removeGone } from '../../sync/remove-gone.ts'
import { inServiceEnv } from '../../sync/service-env.ts'
import { listStored } from '../../sync/stored-records.ts'
import { workOnEach } from '../../sync/work-on-each.ts'
import type { NumberConfig, ProviderNumber } from '../client/incoming-numbers.ts'
import { callsProblem, doubted, GONE, notHere } from '../sync/problems.ts'
import { type Push, type PushOutcome, TELCO, type TelcoParts } from '../sync/telco.ts'
import { numberModel } from './number.ts'
import { routeNumber } from './number-region.ts'
import { isMisread } from './own-number.ts'

const MODEL = numberModel.name
/** The provider's limit for names of numbers. */
const NAME_CHARS_MAX = 64

type StoredNumber = Awaited<ReturnType<typeof listNumbers>>[number]

/** Has every number of the account here, each leading to this service unless it is ignored; those that are gone go. */
export async function syncNumbers(parts: TelcoParts, step: StepContext): Promise<void> {
  const { progress } = step
  const found = await parts.account.numbers.list()
  await progress.count('total', found.length)
  const before = await listNumbers(parts)
  await workOnEach(step, {
    model: MODEL,
    targets: found
      .filter(({ sid }) => !before.some((each) => each.sid === sid))
      .map((number) => ({ number, name: number.number })),
    work: ({ number }) => upsertFound(parts, before, number),
  })
  const listed = new Set(found.map((number) => number.sid))
  const stored = await listNumbers(parts)
  const ofList = stored.filter((number) => number.sid !== null)
  const known = new Map(found.map((number) => [number.sid, number]))
  await workOnEach(step, {
    model: MODEL,
    targets: ofList.filter(({ sid }) => listed.has(sid ?? '')).map((each) => ({ ...each, name: each.phone_number })),
    work: ({ id, sid }) => pushNumber(parts, id, known.get(sid ?? '')),
    retry: ({ id }): Push => ({ kind: 'number', id }),
  })
  const gone = ofList
    .filter(({ sid }) => !listed.has(sid ?? ''))
    .map((each) => ({ id: each.id, name: each.phone_number }))
  await removeGone(parts, step, {
    model: MODEL,
    found: found.length,
    known: ofList.length,
    gone,
    doubt: doubted('numbers'),
    ...GONE,
  })
}

export async function compareNumbers(parts: TelcoParts): Promise<Difference[]> {
  const found = await parts.account.numbers.list()
  const stored = await listNumbers(parts)
  const differences = stored
    .filter((number) => number.is_ignored !== true)
    .flatMap((number) => {
      const there = found.find((each) => each.sid === number.sid)
      return differing({ what: MODEL, id: number.id, name: number.phone_number }, numberProblem(number, there))
    })
  return [...differences, ...notHere(MODEL, found, { stored, nameOf: ({ number }) => number })]
}

function listNumbers(parts: TelcoParts, id?: number) {
  const fields = {
    columns: ['id', 'phone_number', 'friendly_name', 'sid', 'is_ignored'],
    addresses: ['voice_url', 'voice_status_url', 'voice_fallback_url', 'message_url', 'message_fallback_url'],
  } as const
  return listStored(parts, numberModel, fields, id)
}

/** Brings the provider's number in sync with ours. Throws, and saves why. */
export function pushNumber(parts: TelcoParts, id: number, known?: ProviderNumber): Promise<PushOutcome | 'ignored'> {
  return pushRecord<StoredNumber, PushOutcome | 'ignored'>(parts, TELCO, {
    model: MODEL,
    what: 'number',
    id,
    find: async () => (await listNumbers(parts, id))[0],
    async push(stored, settings) {
      if (stored.is_ignored === true) return 'ignored'
      const there = known ?? (await findAtProvider(parts, stored))
      if (there === undefined) throw new Refusal('not-found', 'number-not-at-provider')
      const isSame = addressProblem(stored, there) === undefined
      if (!isSame) await parts.account.numbers.update(there.sid, configOf(stored))
      const isMoved = await routeNumber(parts, there.number, settings.telcoRegion)
      if (there.trunkSid !== undefined) throw new Refusal('conflict', 'number-on-trunk', { trunk: there.trunkSid })
      await savePushed(parts, { model: MODEL, id, set: sql`sid = ${there.sid}`, isNotified: there.sid !== stored.sid })
      return isSame && !isMoved ? 'unchanged' : 'updated'
    },
  })
}

/** What the provider holds in another way than we do; undefined when nothing. */
function numberProblem(stored: StoredNumber, there: ProviderNumber | undefined): string | undefined {
  if (there === undefined) return sayRefusal('number-not-at-provider').message
  return there.trunkSid === undefined
    ? addressProblem(stored, there)
    : sayRefusal('number-on-trunk', { trunk: there.trunkSid }).message
}

function addressProblem(stored: StoredNumber, there: ProviderNumber): string | undefined {
  const wanted = configOf(stored)
  if (there.voiceApplicationSid !== undefined) return 'An application answers its calls in place of this service.'
  if (there.messageApplicationSid !== undefined) return 'An application gets its messages in place of this service.'
  const problem = callsProblem(there, wanted)
  if (problem !== undefined) return problem
  const isSame = there.messageUrl === wanted.messageUrl && there.messageFallbackUrl === wanted.messageFallbackUrl
  return isSame ? undefined : 'Twilio has another address for its messages.'
}

function configOf(stored: StoredNumber): NumberConfig {
  return {
    name: stored.friendly_name?.slice(0, NAME_CHARS_MAX).toWellFormed() || undefined,
    voiceUrl: stored.voice_url ?? '',
    fallbackUrl: stored.voice_fallback_url ?? undefined,
    statusUrl: stored.voice_status_url ?? '',
    messageUrl: stored.message_url ?? undefined,
    messageFallbackUrl: stored.message_fallback_url ?? undefined,
  }
}

/** Links a number that was entered by hand, or that came back under another id; else creates it. */
async function upsertFound(
  parts: TelcoParts,
  stored: readonly StoredNumber[],
  { sid, number, name }: ProviderNumber,
): Promise<'linked' | 'created'> {
  return inServiceEnv(parts, async (env) => {
    const isUnknown = (each: StoredNumber) =>
      each.sid === null && isMisread(each.phone_number, number, env.settings.country)
    const same = stored.find((each) => each.phone_number === number) ?? stored.find(isUnknown)
    if (same !== undefined) await records(env, MODEL).write([same.id], { sid, phone_number: number })
    else await records(env, MODEL).create([{ phone_number: number, friendly_name: name, sid }])
    return same === undefined ? 'created' : 'linked'
  })
}

async function findAtProvider({ account }: TelcoParts, stored: StoredNumber): Promise<ProviderNumber | undefined> {
  const found = await account.numbers.list({ number: stored.phone_number })
  return found.find((each) => each.number === stored.phone_number)
}
