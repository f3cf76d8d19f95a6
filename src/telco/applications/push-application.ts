import { sql } from '../../database/drizzle.ts'
import type { Env } from '../../platform/access/env.ts'
import { type Difference, differing, type StepContext } from '../../sync/provider.ts'
import { createOrFind, pushRecord, savePushed, unlessMissing } from '../../sync/push.ts'
import { requestPush } from '../../sync/requests.ts'
import { listStored } from '../../sync/stored-records.ts'
import { workOnEach } from '../../sync/work-on-each.ts'
import type { ApplicationConfig, ProviderApplication } from '../client/applications.ts'
import { callsProblem, NOT_THERE } from '../sync/problems.ts'
import { type Push, type PushOutcome, TELCO, type TelcoParts } from '../sync/telco.ts'
import { markupModel } from './application.ts'

const MODEL = markupModel.name
/** The provider's limit for names of applications. */
const NAME_CHARS_MAX = 64

type StoredApplication = Awaited<ReturnType<typeof listApplications>>[number]
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

export async function compareApplications(parts: TelcoParts): Promise<Difference[]> {
  const known = await readApplications(parts)
  return (await listApplications(parts)).flatMap((stored) =>
    differing(
      { what: MODEL, id: stored.id, name: stored.name },
      applicationProblem(stored, known.get(stored.sid ?? '')),
    ),
  )
}

function listApplications(parts: TelcoParts, id?: number) {
  const fields = {
    columns: ['id', 'name', 'sid', 'old_sid'],
    addresses: ['voice_url', 'voice_status_url', 'voice_fallback_url'],
  } as const
  return listStored(parts, markupModel, fields, id)
}

/** What the provider has, by id. */
async function readApplications({ account }: TelcoParts): Promise<KnownApplications> {
  return new Map((await account.applications.list()).map((each) => [each.sid, each]))
}

/**
 * Brings the provider's application in sync with ours. One that it does not know is looked for under its id of before a
 * move between regions, then under its own address, and made when there is none. Throws, and saves why.
 */
export function pushApplication(parts: TelcoParts, id: number, known?: KnownApplications): Promise<PushOutcome> {
  return pushRecord(parts, TELCO, {
    model: MODEL,
    what: 'application',
    id,
    find: async () => (await listApplications(parts, id))[0],
    async push(stored) {
      const { sid, outcome } = await push(parts, stored, known)
      const isNew = sid !== stored.sid
      await savePushed(parts, {
        model: MODEL,
        id,
        set: sql`sid = ${sid}, old_sid = ${isNew ? (stored.sid ?? stored.old_sid) : stored.old_sid}`,
        isNotified: isNew,
        andThen: (env) => (isNew ? pushSenders(env, id) : undefined),
        remove: () => unlessMissing(TELCO, () => parts.account.applications.delete(sid)),
      })
      return outcome
    },
  })
}

/** What the provider holds in another way than we do; undefined when nothing. */
function applicationProblem(stored: StoredApplication, there: ProviderApplication | undefined): string | undefined {
  return there === undefined ? NOT_THERE : callsProblem(there, configOf(stored))
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
    if (sid && (await unlessMissing(TELCO, () => applications.update(sid, config)))) return { sid, outcome: 'updated' }
  }
  // Left by a run that was cut off.
  const made = await findByAddress(parts, config)
  if (made !== undefined) {
    await applications.update(made, config)
    return { sid: made, outcome: 'adopted' }
  }
  const create = () => applications.create(config)
  return { sid: await createOrFind(TELCO, create, () => findByAddress(parts, config)), outcome: 'created' }
}

/** Its address names our record, so an application with it that no other record has is the one. */
async function findByAddress({ account, db }: TelcoParts, config: ApplicationConfig): Promise<string | undefined> {
  const named = await account.applications.list({ name: config.name })
  const same = named.filter(({ voiceUrl }) => voiceUrl !== undefined && isSameAddress(voiceUrl, config.voiceUrl))
  const known = await db.query<{ sid: string | null }>(sql`select sid from connect_telco_markup`)
  return same.find(({ sid }) => !known.some((each) => each.sid === sid))?.sid
}

function isSameAddress(a: string, b: string): boolean {
  return a.split('#')[0] === b.split('#')[0]
}

/** WhatsApp senders name the application by its id at the provider. */
async function pushSenders(env: Env, application: number): Promise<void> {
  const senders = await env.db.query<{ id: number }>(
    sql`select id from connect_whatsapp_sender
        where voice_application = ${application}::bigint and sid is not null and no_sync is not true order by id`,
  )
  for (const { id } of senders) await requestPush(env, TELCO, { kind: 'sender', id })
}
