import { asError } from '../../errors.ts'
import { isLocalHost, privateAddressProblem } from '../../public-address.ts'
import type { Finding, Installed } from './finding.ts'

const TIMEOUT_MS = 8_000
const CHECK = 'public address'

/** Whether the public address is set, is https, is public, and reaches this service. */
export async function checkPublicAddress({ api_url: apiUrl }: Pick<Installed, 'api_url'>): Promise<Finding> {
  if (apiUrl === null) return wrong('api_url is not set, so no provider can reach us', SET_IT)
  if (!URL.canParse(apiUrl)) return wrong(`${apiUrl} is no web address`, SET_IT)
  const { protocol, hostname } = new URL(apiUrl)
  if (isLocalHost(hostname) || privateAddressProblem(hostname) !== undefined) {
    return wrong(`${apiUrl} is an address that only this machine or network can reach`, SET_IT)
  }
  if (protocol !== 'https:') {
    return wrong(`${apiUrl} is not https`, 'Put a TLS proxy in front and set api_url to its https address.')
  }
  try {
    const url = `${apiUrl.replace(/\/+$/, '')}/healthz`
    const reply = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS), redirect: 'manual' })
    return reachable(apiUrl, reply.status, await reply.text())
  } catch (thrown) {
    const error = asError(thrown)
    const reason = error.cause instanceof Error ? error.cause.message : error.message
    const fix = 'Check DNS, the certificate and the proxy in front of the service.'
    return wrong(`${apiUrl} cannot be reached from here: ${reason}`, fix)
  }
}

const SET_IT = 'connect settings set api_url https://your.public.address'

function reachable(apiUrl: string, status: number, body: string): Finding {
  if (status === 200 && body.includes('"alive"')) {
    return { result: 'ok', check: CHECK, finding: `${apiUrl} reaches this service`, fix: '' }
  }
  if (status === 200)
    return wrong(`${apiUrl} is answered by something else`, 'Have the proxy hand every path on to us.')
  const isRedirect = status >= 300 && status < 400
  const fix = isRedirect
    ? 'Providers lose their fields on redirects: set api_url to the address it redirects to.'
    : 'The proxy must hand every path on to the service.'
  return wrong(`${apiUrl}/healthz answers ${status}`, fix)
}

function wrong(finding: string, fix: string): Finding {
  return { result: 'WRONG', check: CHECK, finding, fix }
}
