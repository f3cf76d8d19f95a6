import { sql } from '../../database/drizzle.ts'
import { withLease } from '../../jobs/lease.ts'
import { notifyChanged } from '../../platform/records/notify-changed.ts'
import type { StepContext } from '../../sync/provider.ts'
import { savingFailure } from '../../sync/push-failure.ts'
import { workOnEach } from '../../sync/run-steps.ts'
import { freshSettings, inServiceEnv } from '../../sync/service-env.ts'
import type { ApplicationConfig, ProviderApplication } from '../client/applications.ts'
import { mayExist, type PushOutcome, unlessMissing } from '../sync/errors.ts'
import { type Push, requestPush, TELCO } from '../sync/push-request.ts'
import { requireReady } from '../sync/readiness.ts'
import { findStored, listStored, type TelcoParts } from '../sync/telco-parts.ts'

const MODEL = 'connect.telco.markup'
const FIELDS = ['id', 'name', 'sid', 'old_sid', 'voice_url', 'voice_status_url', 'voice_fallback_url'] as const
/** The provider's limit for names of applications. */
const NAME_CHARS_MAX = 64

export interface StoredApplication {
  id: number
  name: string
  sid: string | null
  old_sid: string | null
  voice_url: string | null
  voice_status_url: string | null
  voice_fallback_url: string | null
}

type KnownApplications = ReadonlyMap<string, ProviderApplication>

/** Has the provider hold every application of ours; what else it has is nobody's business here. */
export async function syncApplications(parts: TelcoParts, step: StepContext): Promise<void> {
  const known = await readApplications(parts)
  const stored = await listApplications(parts)
  await step.progress.count('total', stored.length)
  await workOnEach(step, {
    model: MODEL,
    targets: stored,
    work: ({ id }) => pushApplication(parts, id, known),
    retry: ({ id }): Push => ({ kind: 'application', id }),
  })
}

export function listApplications(parts: TelcoParts): Promise<StoredApplication[]> {
  return listStored<StoredApplication>(parts, MODEL, FIELDS)
}

/** What the provider has, by id. */
export async function readApplications({ account }: TelcoParts): Promise<KnownApplications> {
  return new Map((await account.applications.list()).map((each) => [each.sid, each]))
}

/**
 * Brings the provider's application in sync with ours. One that it does not know is looked for under its id of before a
 * move between regions, then under its own address, and made when there is none. Throws, and saves why.
 */
export function pushApplication(parts: TelcoParts, id: number, known?: KnownApplications): Promise<PushOutcome> {
  return withLease(parts.db, `telco application ${id}`, async () => {
    const stored = await findStored<StoredApplication>(parts, MODEL, FIELDS, id)
    if (stored === undefined) return 'unchanged'
    return savingFailure(parts, TELCO, { model: MODEL, id }, async () => {
      requireReady(await freshSettings(parts.platform))
      const { sid, outcome } = await push(parts, stored, known)
      await savePushed(parts, stored, sid)
      return outcome
    })
  })
}

/** What the provider holds in another way than we do; undefined when nothing. */
export function applicationProblem(
  stored: StoredApplication,
  there: ProviderApplication | undefined,
): string | undefined {
  if (there === undefined) return 'The phone provider does not have it.'
  const wanted = configOf(stored)
  if (there.name !== wanted.name) return `The phone provider calls it "${there.name}".`
  if (there.voiceUrl !== wanted.voiceUrl) return 'The phone provider has another address for its calls.'
  if (there.fallbackUrl !== wanted.fallbackUrl) return 'The phone provider has another fallback address.'
  return there.statusUrl === wanted.statusUrl ? undefined : 'The phone provider has another address for call events.'
}

function configOf(stored: StoredApplication): ApplicationConfig {
  return {
    name: stored.name.slice(0, NAME_CHARS_MAX).toWellFormed(),
    voiceUrl: stored.voice_url ?? '',
    fallbackUrl: stored.voice_fallback_url ?? undefined,
    statusUrl: stored.voice_status_url ?? '',
  }
}

async function push(
  parts: TelcoParts,
  stored: StoredApplication,
  known: KnownApplications | undefined,
): Promise<{ sid: string; outcome: PushOutcome }> {
  const { applications } = parts.account
  const config = configOf(stored)
  const there = stored.sid === null ? undefined : known?.get(stored.sid)
  if (there !== undefined && applicationProblem(stored, there) === undefined) {
    return { sid: there.sid, outcome: 'unchanged' }
  }
  for (const sid of [stored.sid, stored.old_sid]) {
    if (sid && (await unlessMissing(() => applications.update(sid, config)))) return { sid, outcome: 'updated' }
  }
  return adoptOrCreate(parts, config)
}

/** Its address names our record, so an application with it is the one, left by a run that was cut off. */
async function adoptOrCreate(
  parts: TelcoParts,
  config: ApplicationConfig,
): Promise<{ sid: string; outcome: PushOutcome }> {
  const { applications } = parts.account
  const made = await findByAddress(parts, config)
  if (made !== undefined) {
    await applications.update(made, config)
    return { sid: made, outcome: 'adopted' }
  }
  try {
    return { sid: await applications.create(config), outcome: 'created' }
  } catch (error) {
    const late = mayExist(error) ? await findByAddress(parts, config) : undefined
    if (late === undefined) throw error
    return { sid: late, outcome: 'created' }
  }
}

async function findByAddress({ account, db }: TelcoParts, config: ApplicationConfig): Promise<string | undefined> {
  const named = await account.applications.list({ name: config.name })
  const same = named.filter(({ voiceUrl }) => voiceUrl !== undefined && isSameAddress(voiceUrl, config.voiceUrl))
  const known = await db.query<{ sid: string | null }>(sql`select sid from connect_telco_markup`)
  return same.find(({ sid }) => !known.some((each) => each.sid === sid))?.sid
}

function isSameAddress(a: string, b: string): boolean {
  return a.split('#')[0] === b.split('#')[0]
}

/** Keeps the id under which the provider knows it. One that was removed here meanwhile is removed there as well. */
async function savePushed(parts: TelcoParts, stored: StoredApplication, sid: string): Promise<void> {
  const isNew = sid !== stored.sid
  const isSaved = await inServiceEnv(parts, async (env) => {
    const rows = await env.db.query(
      sql`update connect_telco_markup set sid = ${sid}, sync_error = null,
            old_sid = ${isNew ? (stored.sid ?? stored.old_sid) : stored.old_sid}
          where id = ${stored.id}::bigint returning id`,
    )
    if (isNew) {
      for (const sender of await listSenders(env.db, stored.id)) await requestPush(env, { kind: 'sender', id: sender })
      await notifyChanged(env, MODEL, [stored.id])
    }
    return rows.length > 0
  })
  if (!isSaved) await unlessMissing(() => parts.account.applications.delete(sid))
}

async function listSenders(db: Pick<TelcoParts['db'], 'query'>, application: number): Promise<number[]> {
  const rows = await db.query<{ id: number }>(
    sql`select id from connect_whatsapp_sender
        where voice_application = ${application}::bigint and sid is not null and no_sync is not true order by id`,
  )
  return rows.map((row) => row.id)
}
