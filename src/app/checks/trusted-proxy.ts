import type { Connection } from '../own-api/connection.ts'
import { type InstallationCheck, type Installed, note, type Outcome, ok, wrong } from './finding.ts'
import { publicAddressProblem } from './public-address.ts'

/** The newest ones that were handled: what strangers send is rejected and says nothing of a proxy. */
const DELIVERIES_LOOKED_AT = 20
const FORWARDED = 'x-forwarded-proto'

interface Seen {
  connection: Pick<Connection, 'call'>
  settings: Pick<Installed, 'api_url'>
  /** The numbers of the service: it may have been started with another environment than the person who looks. */
  metrics: string
}

/** Whether a proxy stands in front whose headers the service does not believe. */
export const PROXY_CHECK: InstallationCheck<Seen> = { check: 'trusted proxy', look: lookAtTrust }

async function lookAtTrust({ connection, settings, metrics }: Seen): Promise<Outcome | Outcome[]> {
  // At an address that only this machine reaches, emulators and samples send the header without any proxy.
  if (publicAddressProblem(settings.api_url) !== undefined) return []
  const [, trusts] = /^connect_trusts_proxy (\d)/m.exec(metrics) ?? []
  if (trusts === undefined) return note('is not reported', 'Set METRICS_TOKEN to the same value as the service.')
  if (trusts === '1') return ok('TRUST_PROXY is set')
  const rows = await connection.call<{ headers: Record<string, string> | null }[]>('connect.delivery', 'search_read', {
    domain: [['verdict', '=', 'handled']],
    fields: ['headers'],
    limit: DELIVERIES_LOOKED_AT,
  })
  const forwarded = rows.filter(({ headers }) => headers?.[FORWARDED] !== undefined).length
  if (forwarded === 0) return ok('no webhook came through a proxy')
  return wrong(
    `${forwarded} of the last ${rows.length} webhooks came through a proxy, but TRUST_PROXY is not set: everyone seems to come from the proxy, so wrong passwords of a stranger lock everyone out, and session cookies are not Secure`,
    'Start the service with TRUST_PROXY set to the address of the proxy, such as TRUST_PROXY=127.0.0.1.',
  )
}
