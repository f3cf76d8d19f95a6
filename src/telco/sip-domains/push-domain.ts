import { sql } from '../../database/drizzle.ts'
import type { RowOf } from '../../platform/model/model.ts'
import type { StepContext } from '../../sync/provider.ts'
import { createOrFind, pushRecord, savePushed, unlessMissing } from '../../sync/push.ts'
import { inServiceEnv } from '../../sync/service-env.ts'
import { workOnEach } from '../../sync/work-on-each.ts'
import { MARKUP_ROUTE } from '../applications/application.ts'
import { markupUrl, readWebhookBase, statusUrl } from '../applications/webhook-url.ts'
import { sipHost } from '../client/hosts.ts'
import type { DomainConfig, DomainMappings, ProviderDomain } from '../client/sip-domains.ts'
import { callsProblem, NOT_THERE } from '../sync/problems.ts'
import { type Push, type PushOutcome, TELCO, type TelcoParts } from '../sync/telco.ts'
import { domainModel } from './domain.ts'

export const DOMAIN_MODEL = domainModel.name
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

/** Has the provider hold every SIP domain of ours, with its two mappings; domains that only it has are ignored. */
export async function syncDomains(parts: TelcoParts, step: StepContext): Promise<void> {
  const stored = await listDomains(parts)
  const known = await parts.account.domains.list()
  await step.progress.count('total', stored.length)
  await workOnEach(step, {
    model: DOMAIN_MODEL,
    targets: stored.map((domain) => ({ ...domain, name: domain.friendly_name })),
    work: ({ id, sid }) => pushDomain(parts, id, { sid, known }),
    retry: ({ id }): Push => ({ kind: 'domain', id }),
  })
}

/** SIP domains as the provider is to hold them; all of them, or one. */
export function listDomains(parts: TelcoParts, id?: number): Promise<StoredDomain[]> {
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

/**
 * Brings the provider's SIP domain in sync with ours: one of that name in the account is adopted, another is made. The
 * list of its credentials may call and register. What was `listed` counts as long as the domain has the id that it had
 * before: another push may have made it since. Throws, and saves why.
 */
export function pushDomain(
  parts: TelcoParts,
  id: number,
  listed?: { sid: string | null; known: readonly ProviderDomain[] },
): Promise<PushOutcome> {
  return pushRecord(parts, TELCO, {
    model: DOMAIN_MODEL,
    what: 'domain',
    id,
    find: async () => (await listDomains(parts, id))[0],
    async push(stored) {
      const isListed = listed !== undefined && listed.sid === stored.sid
      const known = isListed ? listed.known : await parts.account.domains.list()
      const { sid, outcome } = await push(parts, stored, known)
      if (!(await save(parts, stored, { sid, listSid: stored.cred_list_sid }))) return 'unchanged'
      const { listSid, isChanged } = await provide(parts, stored, sid)
      await save(parts, stored, { sid, listSid })
      return outcome === 'unchanged' && isChanged ? 'updated' : outcome
    },
  })
}

/** What the provider holds in another way than we do; undefined when nothing. */
export function domainProblem({ config }: StoredDomain, there: ProviderDomain | undefined): string | undefined {
  if (there === undefined) return NOT_THERE
  if (!isSameHost(there.host, config.host)) return `Twilio has it as ${there.host}.`
  return callsProblem(there, config) ?? (there.mayRegister ? undefined : 'Phones may not register with it.')
}

/** What the mappings of a domain lack. */
export function mappingProblem(
  { cred_list_sid: listSid }: StoredDomain,
  { calls, registrations }: DomainMappings,
): string | undefined {
  if (listSid === null) return 'It has no credential list.'
  if (!calls.includes(listSid)) return 'Its phones may not call.'
  return registrations.includes(listSid) ? undefined : 'Its phones may not register.'
}

/** The domain of ours in the provider's list: by its id, else by its host. */
export function findDomain(stored: StoredDomain, known: readonly ProviderDomain[]): ProviderDomain | undefined {
  return known.find(({ sid }) => sid === stored.sid) ?? known.find(({ host }) => isSameHost(host, stored.config.host))
}

async function push(
  { account: { domains } }: TelcoParts,
  stored: StoredDomain,
  known: readonly ProviderDomain[],
): Promise<{ sid: string; outcome: PushOutcome }> {
  const { config } = stored
  const there = findDomain(stored, known)
  if (there === undefined) {
    const create = () => domains.create(config)
    const findMade = async () => findDomain(stored, await domains.list())?.sid
    return { sid: await createOrFind(TELCO, create, findMade), outcome: 'created' }
  }
  const isAdopted = there.sid !== stored.sid
  const isSame = domainProblem(stored, there) === undefined
  if (!isSame) await domains.update(there.sid, config)
  if (isAdopted) return { sid: there.sid, outcome: 'adopted' }
  return { sid: there.sid, outcome: isSame ? 'unchanged' : 'updated' }
}

/** Gives the domain a list of credentials that may call and register; an adopted domain keeps its own. */
async function provide(
  { account }: TelcoParts,
  stored: StoredDomain,
  sid: string,
): Promise<{ listSid: string; isChanged: boolean }> {
  const mappings = await account.domains.listMappings(sid)
  const listSid = (await findList()) ?? (await account.credentialLists.create(listName(stored.config.host)))
  const missing = (['calls', 'registrations'] as const).filter((use) => !mappings[use].includes(listSid))
  for (const use of missing) await account.domains.map(sid, use, listSid)
  return { listSid, isChanged: missing.length > 0 || listSid !== stored.cred_list_sid }

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

/** False when the domain was removed here meanwhile; then it is removed there as well. */
function save(
  parts: TelcoParts,
  { id, config, sid: before, cred_list_sid: listBefore }: StoredDomain,
  { sid, listSid }: { sid: string; listSid: string | null },
): Promise<boolean> {
  return savePushed(parts, {
    model: DOMAIN_MODEL,
    id,
    set: sql`sid = ${sid}, cred_list_sid = ${listSid}`,
    isNotified: sid !== before || listSid !== listBefore,
    remove: () => removeDomain(parts, { sid, listSid, host: config.host }),
  })
}

/**
 * Removes a SIP domain at the provider, where it may be gone already, and its credentials unless the list is not ours.
 */
export async function removeDomain(
  { account }: TelcoParts,
  { sid, listSid, host }: { sid: string; listSid: string | null; host: string },
): Promise<void> {
  await unlessMissing(TELCO, () => account.domains.delete(sid))
  const lists = listSid === null ? [] : await account.credentialLists.list()
  const own = lists.find((list) => list.sid === listSid && list.name === listName(host))
  if (own !== undefined) await unlessMissing(TELCO, () => account.credentialLists.delete(own.sid))
}
