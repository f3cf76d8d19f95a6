import { sql } from '../../database/drizzle.ts'
import { Refusal } from '../../errors.ts'
import { withLease } from '../../jobs/lease.ts'
import { notifyChanged } from '../../platform/records/notify-changed.ts'
import { records } from '../../platform/records/records.ts'
import type { StepContext } from '../../sync/provider.ts'
import { savingFailure } from '../../sync/push-failure.ts'
import { workOnEach } from '../../sync/run-steps.ts'
import { freshSettings, inServiceEnv } from '../../sync/service-env.ts'
import type { NumberConfig, ProviderNumber } from '../client/incoming-numbers.ts'
import type { PushOutcome } from '../sync/errors.ts'
import type { Push } from '../sync/push-request.ts'
import { TELCO } from '../sync/push-request.ts'
import { requireReady } from '../sync/readiness.ts'
import { removeGone } from '../sync/remove-gone.ts'
import { findStored, listStored, type TelcoParts } from '../sync/telco-parts.ts'
import { routeNumber } from './number-region.ts'

export const NUMBER_MODEL = 'connect.telco.number'
const FIELDS = [
  'id',
  'phone_number',
  'friendly_name',
  'sid',
  'is_ignored',
  'voice_url',
  'voice_status_url',
  'voice_fallback_url',
  'message_url',
  'message_fallback_url',
] as const
/** The provider's limit for names of numbers. */
const NAME_CHARS_MAX = 64
const NOT_THERE = 'The account at the phone provider does not have this number.'

export interface StoredNumber {
  id: number
  phone_number: string
  friendly_name: string | null
  sid: string | null
  is_ignored: boolean | null
  voice_url: string | null
  voice_status_url: string | null
  voice_fallback_url: string | null
  message_url: string | null
  message_fallback_url: string | null
}

/** Has every number of the account here, each leading to this service unless it is ignored; those that are gone go. */
export async function syncNumbers(parts: TelcoParts, step: StepContext): Promise<void> {
  const { progress } = step
  const found = await parts.account.numbers.list()
  await progress.count('total', found.length)
  const before = await listNumbers(parts)
  await workOnEach(step, {
    model: NUMBER_MODEL,
    targets: found.filter((number) => !isHere(before, number)).map((number) => ({ number, name: number.number })),
    work: ({ number }) => upsertFound(parts, before, number),
  })
  const listed = new Set(found.map((number) => number.sid))
  const stored = await listNumbers(parts)
  const ofList = stored.filter((number) => number.sid !== null)
  const known = new Map(found.map((number) => [number.sid, number]))
  await workOnEach(step, {
    model: NUMBER_MODEL,
    targets: ofList.filter(({ sid }) => listed.has(sid ?? '')).map((each) => ({ ...each, name: each.phone_number })),
    work: ({ id, sid }) => pushNumber(parts, id, known.get(sid ?? '')),
    retry: ({ id }): Push => ({ kind: 'number', id }),
  })
  const gone = ofList
    .filter(({ sid }) => !listed.has(sid ?? ''))
    .map((each) => ({ id: each.id, name: each.phone_number }))
  await removeGone(parts, step, {
    model: NUMBER_MODEL,
    what: 'numbers',
    found: found.length,
    known: ofList.length,
    gone,
  })
}

export function listNumbers(parts: TelcoParts): Promise<StoredNumber[]> {
  return listStored<StoredNumber>(parts, NUMBER_MODEL, FIELDS)
}

/** Brings the provider's number in sync with ours. Throws, and saves why. */
export function pushNumber(parts: TelcoParts, id: number, known?: ProviderNumber): Promise<PushOutcome | 'ignored'> {
  return withLease(parts.db, `telco number ${id}`, async () => {
    const stored = await findStored<StoredNumber>(parts, NUMBER_MODEL, FIELDS, id)
    if (stored === undefined) return 'unchanged'
    if (stored.is_ignored === true) return 'ignored'
    return savingFailure(parts, TELCO, { model: NUMBER_MODEL, id }, async () => {
      const settings = await freshSettings(parts.platform)
      requireReady(settings)
      const there = known ?? (await findAtProvider(parts, stored))
      if (there === undefined) throw new Refusal('not-found', NOT_THERE)
      const isSame = addressProblem(stored, there) === undefined
      if (!isSame) await parts.account.numbers.update(there.sid, configOf(stored))
      const isMoved = await routeNumber(parts, there.number, settings.telcoRegion)
      requireNoTrunk(there)
      await savePushed(parts, stored, there.sid)
      return isSame && !isMoved ? 'unchanged' : 'updated'
    })
  })
}

/** What the provider holds in another way than we do; undefined when nothing. */
export function numberProblem(stored: StoredNumber, there: ProviderNumber | undefined): string | undefined {
  if (there === undefined) return NOT_THERE
  return there.trunkSid === undefined ? addressProblem(stored, there) : trunkSentence(there.trunkSid)
}

function addressProblem(stored: StoredNumber, there: ProviderNumber): string | undefined {
  const wanted = configOf(stored)
  if (there.voiceApplicationSid !== undefined) return 'An application answers its calls in place of this service.'
  if (there.messageApplicationSid !== undefined) return 'An application gets its messages in place of this service.'
  if (wanted.name !== undefined && there.name !== wanted.name) return `The phone provider calls it "${there.name}".`
  if (there.voiceUrl !== wanted.voiceUrl) return 'The phone provider has another address for its calls.'
  if (there.fallbackUrl !== wanted.fallbackUrl) return 'The phone provider has another fallback address.'
  if (there.statusUrl !== wanted.statusUrl) return 'The phone provider has another address for call events.'
  const isSame = there.messageUrl === wanted.messageUrl && there.messageFallbackUrl === wanted.messageFallbackUrl
  return isSame ? undefined : 'The phone provider has another address for its messages.'
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

function requireNoTrunk({ trunkSid }: ProviderNumber): void {
  if (trunkSid !== undefined) throw new Refusal('conflict', trunkSentence(trunkSid))
}

function trunkSentence(trunkSid: string): string {
  return `Its calls go to the SIP trunk ${trunkSid}, not to this service: take it off the trunk, or mark it as ignored.`
}

function isHere(stored: readonly StoredNumber[], { sid }: ProviderNumber): boolean {
  return stored.some((each) => each.sid === sid)
}

/** Links a number that was entered by hand, or that came back under another id; else creates it. */
async function upsertFound(
  parts: TelcoParts,
  stored: readonly StoredNumber[],
  { sid, number, name }: ProviderNumber,
): Promise<'linked' | 'created'> {
  const same = stored.find((each) => each.phone_number === number)
  await inServiceEnv(parts, async (env) => {
    if (same !== undefined) await records(env, NUMBER_MODEL).write([same.id], { sid })
    else await records(env, NUMBER_MODEL).create([{ phone_number: number, friendly_name: name, sid }])
  })
  return same === undefined ? 'created' : 'linked'
}

async function findAtProvider({ account }: TelcoParts, stored: StoredNumber): Promise<ProviderNumber | undefined> {
  const found = await account.numbers.list({ number: stored.phone_number })
  return found.find((each) => each.number === stored.phone_number)
}

async function savePushed(parts: TelcoParts, stored: StoredNumber, sid: string): Promise<void> {
  await inServiceEnv(parts, async (env) => {
    await env.db.query(
      sql`update connect_telco_number set sid = ${sid}, sync_error = null where id = ${stored.id}::bigint`,
    )
    if (sid !== stored.sid) await notifyChanged(env, NUMBER_MODEL, [stored.id])
  })
}
