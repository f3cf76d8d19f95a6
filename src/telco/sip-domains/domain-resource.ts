import { sql } from '../../database/drizzle.ts'
import { idList } from '../../database/ids.ts'
import type { Env } from '../../platform/access/env.ts'
import type { Change, RowOf } from '../../platform/model/model.ts'
import { type Difference, differing } from '../../sync/provider.ts'
import { savePushed, unlessMissing } from '../../sync/push.ts'
import { touches } from '../../sync/requests.ts'
import { Resource } from '../../sync/resource.ts'
import { inServiceEnv } from '../../sync/service-env.ts'
import { MARKUP_ROUTE, markupModel } from '../applications/application.ts'
import { markupUrl, readWebhookBase, statusUrl } from '../applications/webhook-url.ts'
import { sipHost } from '../client/hosts.ts'
import type { DomainConfig, DomainMappings, ProviderDomain } from '../client/sip-domains.ts'
import { comparePhones } from '../phone-users/compare-phones.ts'
import { callsProblem, NOT_THERE } from '../sync/problems.ts'
import { TELCO, type TelcoParts } from '../sync/telco.ts'
import { domainModel } from './domain.ts'

const MODEL = domainModel.name
/**
 * Where calls of SIP phones are routed (docs/reference/contract.md#telephony-webhooks), unless another application
 * steers them.
 */
const DOMAIN_PATH = '/telco/webhook/domain'
/** The provider's limit for names of credential lists. */
const LIST_NAME_CHARS_MAX = 64

type StoredDomain = RowOf<typeof domainModel, 'id' | 'friendly_name' | 'sid' | 'cred_list_sid'> & {
  config: DomainConfig
}

interface Domain {
  stored: StoredDomain
  wanted: DomainConfig
  there: ProviderDomain
  gone: { sid: string; listSid: string | null; host: string }
}

/**
 * Every SIP domain of ours; one of that host in the account is adopted, and domains that only the provider has are ignored.
 * The list of its credentials may call and register.
 */
export const domainResource = new Resource<TelcoParts, 'domain', Domain>(TELCO, {
  kind: 'domain',
  model: domainModel,
  step: 'SIP domains',
  pushedOn: ['subdomain', 'friendly_name', 'application'],
  pushedWith: [{ model: markupModel, saved: domainsOfRoute }],
  list: listDomains,
  nameOf: ({ friendly_name: name }) => name,
  uidOf: ({ sid }) => sid,
  wanted: (_parts, { config }) => config,
  actual: ({ account }) => account.domains.list(),
  match: findDomain,
  find: async ({ account }, stored) => findDomain(stored, await account.domains.list()),
  idThere: ({ sid }) => sid,
  problem(wanted, there) {
    if (!isSameHost(there.host, wanted.host)) return `Twilio has it as ${there.host}.`
    return callsProblem(there, wanted) ?? (there.mayRegister ? undefined : 'Phones may not register with it.')
  },
  drift: { absent: () => NOT_THERE, within: compareWithin },
  create: async ({ account }, wanted) => ({ uid: await account.domains.create(wanted) }),
  update: ({ account }, { uid }, wanted) => account.domains.update(uid, wanted),
  saved: (stored, { uid }) => ({
    set: sql`sid = ${uid}, cred_list_sid = ${stored.cred_list_sid}`,
    isNotified: uid !== stored.sid,
  }),
  provide: (parts, stored, { uid }) => provideList(parts, stored, uid),
  removal: {
    of: (stored, { uid: sid }) => ({ sid, listSid: stored.cred_list_sid, host: stored.config.host }),
    read: readGone,
    remove: removeDomain,
  },
})

/** Whether an application is a route of the service is part of the addresses of its SIP domains. */
async function domainsOfRoute({ db }: Env, { id, values, isNew }: Change): Promise<number[]> {
  if (isNew || !touches(values, ['code_type', 'method'])) return []
  const domains = await db.query<{ id: number }>(
    sql`select id from connect_telco_domain where application = ${id}::bigint order by id`,
  )
  return domains.map((domain) => domain.id)
}

async function readGone({ db }: Env, ids: readonly number[]): Promise<Domain['gone'][]> {
  const rows = await db.query<{ sid: string; cred_list_sid: string | null; subdomain: string }>(
    sql`select sid, cred_list_sid, subdomain from connect_telco_domain
        where id in (${idList(ids)}) and sid is not null order by id`,
  )
  return rows.map(({ sid, cred_list_sid: listSid, subdomain }) => ({ sid, listSid, host: sipHost(subdomain) }))
}

/** SIP domains as the provider is to hold them; all of them, or one. */
function listDomains(parts: TelcoParts, id?: number): Promise<StoredDomain[]> {
  return inServiceEnv(parts, async (env) => {
    const rows = await env.db.query<
      RowOf<typeof domainModel, 'id' | 'friendly_name' | 'sid' | 'cred_list_sid' | 'subdomain' | 'application'> & {
        is_route: boolean
      }
    >(
      sql`select d.id, d.friendly_name, d.sid, d.cred_list_sid, d.subdomain, d.application,
            coalesce(m.code_type = 'model_method' and m.method = ${MARKUP_ROUTE.method}, false) as is_route
          from connect_telco_domain d join connect_telco_markup m on m.id = d.application
          where ${id ?? null}::bigint is null or d.id = ${id ?? null}::bigint order by d.id`,
    )
    const { apiUrl, fallbackUrl, edge } = await readWebhookBase(env)
    return rows.map(({ subdomain, application, is_route: isRoute, ...row }) => {
      const path = isRoute ? DOMAIN_PATH : `/telco/webhook/markup/${application}`
      const config = {
        host: sipHost(subdomain),
        name: row.friendly_name,
        voiceUrl: markupUrl(apiUrl, path, edge) ?? '',
        fallbackUrl: markupUrl(fallbackUrl, path, edge) ?? undefined,
        statusUrl: statusUrl(apiUrl, '/telco/webhook/callstatus', edge) ?? '',
      }
      return { ...row, config }
    })
  })
}

/** Its mappings, and who may register with it. */
async function compareWithin(
  parts: TelcoParts,
  stored: StoredDomain,
  { there, problem }: { there: ProviderDomain; problem: string | undefined },
): Promise<Difference[]> {
  const { id, friendly_name: name, cred_list_sid: listSid } = stored
  const mapping = mappingProblem(stored, await parts.account.domains.listMappings(there.sid))
  const found = problem === undefined ? differing({ what: MODEL, id, name }, mapping) : []
  if (mapping !== undefined || listSid === null) return found
  return [...found, ...(await comparePhones(parts, listSid))]
}

/** What the mappings of a domain lack. */
function mappingProblem(
  { cred_list_sid: listSid }: StoredDomain,
  { calls, registrations }: DomainMappings,
): string | undefined {
  if (listSid === null) return 'It has no credential list.'
  if (!calls.includes(listSid)) return 'Its phones may not call.'
  return registrations.includes(listSid) ? undefined : 'Its phones may not register.'
}

/** The domain of ours in the provider's list: by its id, else by its host. */
function findDomain(stored: StoredDomain, known: readonly ProviderDomain[]): ProviderDomain | undefined {
  return known.find(({ sid }) => sid === stored.sid) ?? known.find(({ host }) => isSameHost(host, stored.config.host))
}

/** Gives the domain a list of credentials that may call and register; an adopted domain keeps its own. */
async function provideList(parts: TelcoParts, stored: StoredDomain, sid: string): Promise<boolean> {
  const { account } = parts
  const mappings = await account.domains.listMappings(sid)
  const listSid = (await findList()) ?? (await account.credentialLists.create(listName(stored.config.host)))
  const missing = (['calls', 'registrations'] as const).filter((use) => !mappings[use].includes(listSid))
  for (const use of missing) await account.domains.map(sid, use, listSid)
  const isNew = listSid !== stored.cred_list_sid
  await savePushed(parts, {
    model: MODEL,
    id: stored.id,
    set: sql`sid = ${sid}, cred_list_sid = ${listSid}`,
    isNotified: sid !== stored.sid || isNew,
    remove: () => removeDomain(parts, { sid, listSid, host: stored.config.host }),
  })
  return missing.length > 0 || isNew

  async function findList(): Promise<string | undefined> {
    const mapped = [...mappings.registrations, ...mappings.calls]
    const ours = stored.cred_list_sid
    if (ours !== null && mapped.includes(ours)) return ours
    const lists = await account.credentialLists.list()
    if (ours !== null && lists.some((list) => list.sid === ours)) return ours
    return mapped[0] ?? lists.find(({ name }) => name === listName(stored.config.host))?.sid
  }
}

/** The name of a list that we make; an adopted domain has one with another name, which other domains may share. */
function listName(host: string): string {
  return host.slice(0, LIST_NAME_CHARS_MAX)
}

function isSameHost(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}

/**
 * Removes a SIP domain at the provider, where it may be gone already, and its credentials unless the list is not ours.
 */
async function removeDomain(
  { account }: TelcoParts,
  { sid, listSid, host }: { sid: string; listSid: string | null; host: string },
): Promise<void> {
  await unlessMissing(TELCO, () => account.domains.delete(sid))
  const lists = listSid === null ? [] : await account.credentialLists.list()
  const own = lists.find((list) => list.sid === listSid && list.name === listName(host))
  if (own !== undefined) await unlessMissing(TELCO, () => account.credentialLists.delete(own.sid))
}
