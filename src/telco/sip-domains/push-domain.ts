import { sql } from '../../database/drizzle.ts'
import { withLease } from '../../jobs/lease.ts'
import { notifyChanged } from '../../platform/records/notify-changed.ts'
import { records } from '../../platform/records/records.ts'
import type { StepContext } from '../../sync/provider.ts'
import { savingFailure } from '../../sync/push-failure.ts'
import { workOnEach } from '../../sync/run-steps.ts'
import { freshSettings, inServiceEnv } from '../../sync/service-env.ts'
import { MARKUP_ROUTE } from '../applications/application.ts'
import { markupUrl, readWebhookBase, statusUrl } from '../applications/webhook-url.ts'
import type { DomainConfig, DomainMappings, ProviderDomain } from '../client/sip-domains.ts'
import { mayExist, type PushOutcome, unlessMissing } from '../sync/errors.ts'
import type { Push } from '../sync/push-request.ts'
import { TELCO } from '../sync/push-request.ts'
import { requireReady } from '../sync/readiness.ts'
import type { TelcoParts } from '../sync/telco-parts.ts'

export const DOMAIN_MODEL = 'connect.telco.domain'
/**
 * Where calls of SIP phones are routed (docs/reference/contract.md#telephony-webhooks), unless another application
 * steers them.
 */
const DOMAIN_PATH = '/telco/webhook/domain'
/** The provider's limit for names of credential lists. */
const LIST_NAME_CHARS_MAX = 64

export interface StoredDomain {
  id: number
  friendly_name: string
  sid: string | null
  cred_list_sid: string | null
  config: DomainConfig
}

interface DomainRow {
  id: number
  friendly_name: string
  sid: string | null
  cred_list_sid: string | null
  domain_name: string
  application: [id: number, name: string]
}

/** Has the provider hold every SIP domain of ours, with its two mappings; domains that only it has are ignored. */
export async function syncDomains(parts: TelcoParts, step: StepContext): Promise<void> {
  const known = await parts.account.domains.list()
  const stored = await listDomains(parts)
  await step.progress.count('total', stored.length)
  await workOnEach(step, {
    model: DOMAIN_MODEL,
    targets: stored.map((domain) => ({ ...domain, name: domain.friendly_name })),
    work: ({ id }) => pushDomain(parts, id, known),
    retry: ({ id }): Push => ({ kind: 'domain', id }),
  })
}

/** SIP domains as the provider is to hold them; all of them, or one. */
export function listDomains(parts: TelcoParts, id?: number): Promise<StoredDomain[]> {
  return inServiceEnv(parts, async (env) => {
    const rows = await records(env, DOMAIN_MODEL).searchRead(
      id === undefined ? [] : [['id', '=', id]],
      ['friendly_name', 'sid', 'cred_list_sid', 'domain_name', 'application'],
      { order: 'id' },
    )
    const { apiUrl, fallbackUrl, edge } = await readWebhookBase(env)
    const stored: StoredDomain[] = []
    for (const row of rows as unknown as DomainRow[]) {
      const [application] = await records(env, 'connect.telco.markup').read(
        [row.application[0]],
        ['code_type', 'method'],
      )
      const isRoute = application?.code_type === 'model_method' && application.method === MARKUP_ROUTE.method
      const path = isRoute ? DOMAIN_PATH : `/telco/webhook/markup/${row.application[0]}`
      const config = {
        host: row.domain_name,
        name: row.friendly_name,
        voiceUrl: markupUrl(apiUrl, path, edge) ?? '',
        fallbackUrl: markupUrl(fallbackUrl, path, edge) ?? undefined,
        statusUrl: statusUrl(apiUrl, '/telco/webhook/callstatus', edge) ?? '',
      }
      stored.push({ ...row, config })
    }
    return stored
  })
}

/**
 * Brings the provider's SIP domain in sync with ours: one of that name in the account is adopted, another is made. The
 * list of its credentials may call and register. Throws, and saves why.
 */
export function pushDomain(parts: TelcoParts, id: number, known?: readonly ProviderDomain[]): Promise<PushOutcome> {
  return withLease(parts.db, `telco domain ${id}`, async () => {
    const [stored] = await listDomains(parts, id)
    if (stored === undefined) return 'unchanged'
    return savingFailure(parts, TELCO, { model: DOMAIN_MODEL, id }, async () => {
      requireReady(await freshSettings(parts.platform))
      const { sid, outcome } = await push(parts, stored, known ?? (await parts.account.domains.list()))
      if (!(await savePushed(parts, stored, { sid, listSid: stored.cred_list_sid }))) return 'unchanged'
      const { listSid, isChanged } = await provide(parts, stored, sid)
      await savePushed(parts, stored, { sid, listSid })
      return outcome === 'unchanged' && isChanged ? 'updated' : outcome
    })
  })
}

/** What the provider holds in another way than we do; undefined when nothing. */
export function domainProblem({ config }: StoredDomain, there: ProviderDomain | undefined): string | undefined {
  if (there === undefined) return 'The phone provider does not have it.'
  if (!isSameHost(there.host, config.host)) return `The phone provider has it as ${there.host}.`
  if (there.name !== config.name) return `The phone provider calls it "${there.name}".`
  if (there.voiceUrl !== config.voiceUrl) return 'The phone provider has another address for its calls.'
  if (there.fallbackUrl !== config.fallbackUrl) return 'The phone provider has another fallback address.'
  if (there.statusUrl !== config.statusUrl) return 'The phone provider has another address for call events.'
  return there.mayRegister ? undefined : 'Phones may not register with it.'
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
  if (there === undefined) return { sid: await create(), outcome: 'created' }
  const isAdopted = there.sid !== stored.sid
  const isSame = domainProblem(stored, there) === undefined
  if (!isSame) await domains.update(there.sid, config)
  if (isAdopted) return { sid: there.sid, outcome: 'adopted' }
  return { sid: there.sid, outcome: isSame ? 'unchanged' : 'updated' }

  /** Creating is never repeated blindly: after an unclear answer the domain is looked for by its host. */
  async function create(): Promise<string> {
    try {
      return await domains.create(config)
    } catch (error) {
      const made = mayExist(error) ? findDomain(stored, await domains.list()) : undefined
      if (made === undefined) throw error
      return made.sid
    }
  }
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
async function savePushed(
  parts: TelcoParts,
  stored: StoredDomain,
  { sid, listSid }: { sid: string; listSid: string | null },
): Promise<boolean> {
  const isSaved = await inServiceEnv(parts, async (env) => {
    const rows = await env.db.query(
      sql`update connect_telco_domain set sid = ${sid}, cred_list_sid = ${listSid}, sync_error = null
          where id = ${stored.id}::bigint returning id`,
    )
    if (sid !== stored.sid || listSid !== stored.cred_list_sid) await notifyChanged(env, DOMAIN_MODEL, [stored.id])
    return rows.length > 0
  })
  if (!isSaved) await removeDomain(parts, { sid, listSid, host: stored.config.host })
  return isSaved
}

/**
 * Removes a SIP domain at the provider, where it may be gone already, and its credentials unless the list is not ours.
 */
export async function removeDomain(
  { account }: TelcoParts,
  { sid, listSid, host }: { sid: string; listSid: string | null; host: string },
): Promise<void> {
  await unlessMissing(() => account.domains.delete(sid))
  const lists = listSid === null ? [] : await account.credentialLists.list()
  const own = lists.find((list) => list.sid === listSid && list.name === listName(host))
  if (own !== undefined) await unlessMissing(() => account.credentialLists.delete(own.sid))
}
