import { sql } from '../../database/drizzle.ts'
import { Refusal } from '../../errors.ts'
import { withLease } from '../../jobs/lease.ts'
import { records } from '../../platform/records/records.ts'
import type { StepContext } from '../../sync/provider.ts'
import { saveSyncError, savingFailure } from '../../sync/push-failure.ts'
import { workOnEach } from '../../sync/run-steps.ts'
import { freshSettings, inServiceEnv } from '../../sync/service-env.ts'
import type { ProviderSender, SenderConfig } from '../client/senders.ts'
import { defaultApplication } from '../sip-domains/domain.ts'
import type { PushOutcome } from '../sync/errors.ts'
import { TELCO } from '../sync/push-request.ts'
import { requireReady } from '../sync/readiness.ts'
import { removeGone } from '../sync/remove-gone.ts'
import { findStored, listStored, type TelcoParts } from '../sync/telco-parts.ts'

export const SENDER_MODEL = 'connect.whatsapp_sender'
const FIELDS = [
  'id',
  'number',
  'sid',
  'no_sync',
  'status',
  'callback_url',
  'status_callback_url',
  'voice_application',
] as const
/** Senders that the provider is still setting up take no changes. */
const UNFINISHED = new Set(['CREATING', 'DRAFT', 'STUBBED', 'PENDING_VERIFICATION', 'VERIFYING', 'TWILIO_REVIEW'])
const NOT_THERE = 'The account at the phone provider does not have this sender.'
const TEXT_CHARS_MAX = 1_000
const LONG_TEXT_CHARS_MAX = 10_000
const URL_CHARS_MAX = 2_000

export interface StoredSender {
  id: number
  number: string
  sid: string | null
  no_sync: boolean | null
  status: string | null
  callback_url: string | null
  status_callback_url: string | null
  voice_application: [id: number, name: string] | null
}

/** Has every WhatsApp sender of the account here, each leading to this service unless it is to be left alone. */
export async function syncSenders(parts: TelcoParts, step: StepContext): Promise<void> {
  const found = await parts.account.senders.list()
  await step.progress.count('total', found.length)
  const before = await listSenders(parts)
  await workOnEach(step, {
    model: SENDER_MODEL,
    targets: found.map((sender) => {
      const same = findSame(before, sender)
      return { sender, same, id: same?.id, name: sender.number }
    }),
    async work({ sender, same }) {
      if (same?.no_sync === true) return 'ignored'
      const id = await upsertSender(parts, same, sender)
      const outcome = await pushSender(parts, id, sender)
      return same === undefined ? 'created' : outcome
    },
  })
  const known = before.filter((each) => each.sid !== null && each.no_sync !== true)
  const sids = new Set(found.map((sender) => sender.sid))
  const numbers = new Set(found.map((sender) => sender.number))
  const gone = known.filter((each) => !sids.has(each.sid ?? '') && !numbers.has(each.number))
  await removeGone(parts, step, {
    model: SENDER_MODEL,
    what: 'WhatsApp senders',
    found: found.length,
    known: known.length,
    gone: gone.map(({ id, number }) => ({ id, name: number })),
  })
}

function findSame(stored: readonly StoredSender[], { sid, number }: ProviderSender): StoredSender | undefined {
  return stored.find((each) => each.sid === sid) ?? stored.find((each) => each.number === number)
}

export function listSenders(parts: TelcoParts): Promise<StoredSender[]> {
  return listStored<StoredSender>(parts, SENDER_MODEL, FIELDS)
}

/**
 * Brings the provider's sender in sync with ours, and only when it differs: every change takes the sender off the line for
 * a moment. Throws, and saves why.
 */
export function pushSender(parts: TelcoParts, id: number, known?: ProviderSender): Promise<PushOutcome | 'waiting'> {
  return withLease(parts.db, `telco sender ${id}`, async () => {
    const stored = await findStored<StoredSender>(parts, SENDER_MODEL, FIELDS, id)
    if (stored === undefined || stored.no_sync === true) return 'unchanged'
    return savingFailure(parts, TELCO, { model: SENDER_MODEL, id }, async () => {
      requireReady(await freshSettings(parts.platform))
      const there = known ?? (await findAtProvider(parts, stored))
      if (UNFINISHED.has(there.status)) return 'waiting'
      const config = await configOf(parts, stored)
      const isSame = addressProblem(config, there) === undefined
      if (!isSame) await parts.account.senders.update(there.sid, config)
      await saveSyncError(parts, { model: SENDER_MODEL, id }, null)
      return isSame ? 'unchanged' : 'updated'
    })
  })
}

async function findAtProvider({ account }: TelcoParts, { sid }: StoredSender): Promise<ProviderSender> {
  const there = (await account.senders.list()).find((each) => each.sid === sid)
  if (there === undefined) throw new Refusal('not-found', NOT_THERE)
  return there
}

/** What the provider holds in another way than we do; undefined when nothing. */
export async function senderProblem(
  parts: TelcoParts,
  stored: StoredSender,
  there: ProviderSender | undefined,
): Promise<string | undefined> {
  return there === undefined ? NOT_THERE : addressProblem(await configOf(parts, stored), there)
}

function addressProblem(config: SenderConfig, there: ProviderSender): string | undefined {
  if (there.messageUrl !== config.messageUrl) return 'The phone provider has another address for its messages.'
  if (there.statusUrl !== config.statusUrl) return 'The phone provider has another address for message events.'
  const isOther = config.applicationSid !== undefined && there.applicationSid !== config.applicationSid
  return isOther ? 'Another application answers its calls.' : undefined
}

async function configOf({ db }: TelcoParts, stored: StoredSender): Promise<SenderConfig> {
  const [application] = await db.query<{ sid: string | null }>(
    sql`select sid from connect_telco_markup where id = ${stored.voice_application?.[0] ?? 0}::bigint`,
  )
  return {
    messageUrl: stored.callback_url ?? '',
    statusUrl: stored.status_callback_url ?? '',
    applicationSid: application?.sid ?? undefined,
  }
}

/** Keeps what the provider says of a sender; the id of its record. */
async function upsertSender(
  parts: TelcoParts,
  same: StoredSender | undefined,
  sender: ProviderSender,
): Promise<number> {
  const { profile } = sender
  const values = {
    number: sender.number,
    sid: sender.sid,
    status: cut(sender.status),
    url: cut(sender.address),
    offline_reasons: cut(sender.offlineReasons, LONG_TEXT_CHARS_MAX),
    profile_name: cut(profile.name),
    profile_vertical: cut(profile.vertical),
    profile_about: cut(profile.about, LONG_TEXT_CHARS_MAX),
    profile_address: cut(profile.address, LONG_TEXT_CHARS_MAX),
    profile_description: cut(profile.description, LONG_TEXT_CHARS_MAX),
    profile_logo_url: cut(profile.logoUrl, URL_CHARS_MAX),
    profile_banner_url: cut(profile.bannerUrl, URL_CHARS_MAX),
    profile_privacy_url: cut(profile.privacyUrl, URL_CHARS_MAX),
    profile_terms_url: cut(profile.termsUrl, URL_CHARS_MAX),
    profile_accent_color: cut(profile.accentColor),
    profile_websites: cut(profile.websites, LONG_TEXT_CHARS_MAX),
    profile_emails: cut(profile.emails, LONG_TEXT_CHARS_MAX),
    profile_phone_numbers: cut(profile.phoneNumbers, LONG_TEXT_CHARS_MAX),
    messaging_limit: cut(sender.messagingLimit),
    quality_rating: cut(sender.qualityRating),
  }
  return inServiceEnv(parts, async (env) => {
    const hasApplication = same !== undefined && same.voice_application !== null
    const application = hasApplication ? {} : { voice_application: await defaultApplication(env) }
    if (same !== undefined) {
      await records(env, SENDER_MODEL).write([same.id], { ...values, ...application })
      return same.id
    }
    const [id] = await records(env, SENDER_MODEL).create([{ ...values, ...application }])
    if (id === undefined) throw new Error('the sender was not created')
    return id
  })
}

function cut(text: string | undefined, charsMax = TEXT_CHARS_MAX): string | null {
  const clean = text?.replaceAll('\0', '').trim()
  return clean === undefined || clean === '' ? null : clean.slice(0, charsMax).toWellFormed()
}
