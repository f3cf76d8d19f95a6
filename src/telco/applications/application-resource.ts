import { sql } from '../../database/drizzle.ts'
import { idList } from '../../database/ids.ts'
import type { Env } from '../../platform/access/env.ts'
import { requestPush } from '../../sync/requests.ts'
import { Resource } from '../../sync/resource.ts'
import { listStored } from '../../sync/stored-records.ts'
import type { ApplicationConfig, ProviderApplication } from '../client/applications.ts'
import { callsProblem, NOT_THERE } from '../sync/problems.ts'
import { TELCO, type TelcoParts } from '../sync/telco.ts'
import { markupModel } from './application.ts'

/** The provider's limit for names of applications. */
const NAME_CHARS_MAX = 64

interface Application {
  stored: Awaited<ReturnType<typeof listApplications>>[number]
  wanted: ApplicationConfig
  there: ProviderApplication
  gone: { sid: string }
}

/**
 * Every application of ours; what else the provider has is nobody's business here. One that it does not know is looked for
 * under its id of before a move between regions, then under its own address.
 */
export const applicationResource = new Resource<TelcoParts, 'application', Application>(TELCO, {
  kind: 'application',
  model: markupModel,
  step: 'applications',
  pushedOn: ['name'],
  // Calls need its id.
  isNeededAtOnce: true,
  list: listApplications,
  nameOf: ({ name }) => name,
  uidOf: ({ sid }) => sid,
  olderUidOf: ({ old_sid: sid }) => sid,
  wanted: (_parts, stored) => ({
    name: stored.name.slice(0, NAME_CHARS_MAX).toWellFormed(),
    voiceUrl: stored.voice_url ?? '',
    fallbackUrl: stored.voice_fallback_url ?? undefined,
    statusUrl: stored.voice_status_url ?? '',
  }),
  actual: ({ account }) => account.applications.list(),
  match: ({ sid }, actual) => actual.find((each) => each.sid === sid),
  idThere: ({ sid }) => sid,
  problem: (wanted, there) => callsProblem(there, wanted),
  drift: { absent: () => NOT_THERE },
  create: async ({ account }, wanted) => ({ uid: await account.applications.create(wanted) }),
  findLeft: findByAddress,
  findMade: findByAddress,
  update: ({ account }, { uid }, wanted) => account.applications.update(uid, wanted),
  saved(stored, { uid }) {
    const isNew = uid !== stored.sid
    return {
      set: sql`sid = ${uid}, old_sid = ${isNew ? (stored.sid ?? stored.old_sid) : stored.old_sid}`,
      isNotified: isNew,
      andThen: (env) => (isNew ? pushSenders(env, stored.id) : undefined),
    }
  },
  removal: {
    of: (_stored, { uid: sid }) => ({ sid }),
    read: ({ db }, ids) =>
      db.query(sql`select sid from connect_telco_markup where id in (${idList(ids)}) and sid is not null order by id`),
    remove: ({ account }, { sid }) => account.applications.delete(sid),
  },
})

function listApplications(parts: TelcoParts, id?: number) {
  const fields = {
    columns: ['id', 'name', 'sid', 'old_sid'],
    addresses: ['voice_url', 'voice_status_url', 'voice_fallback_url'],
  } as const
  return listStored(parts, markupModel, fields, id)
}

/** Its address names our record, so an application with it that no other record has is the one. */
async function findByAddress(
  { account, db }: TelcoParts,
  wanted: ApplicationConfig,
): Promise<{ uid: string } | undefined> {
  const named = await account.applications.list({ name: wanted.name })
  const same = named.filter(({ voiceUrl }) => voiceUrl !== undefined && isSameAddress(voiceUrl, wanted.voiceUrl))
  const known = await db.query<{ sid: string | null }>(sql`select sid from connect_telco_markup`)
  const made = same.find(({ sid }) => !known.some((each) => each.sid === sid))
  return made === undefined ? undefined : { uid: made.sid }
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
