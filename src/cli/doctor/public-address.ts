import { asError } from '../../errors.ts'
import { isLocalHost, privateAddressProblem } from '../../public-address.ts'
import { type Installed, type Outcome, ok, wrong } from './finding.ts'

const TIMEOUT_MS = 8_000
const SET_IT = 'connect settings set api_url https://your.public.address'

/** Whether the public address is set, is https, is public, and reaches this service. */
export async function lookAtPublicAddress({ api_url: apiUrl }: Pick<Installed, 'api_url'>): Promise<Outcome> {
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
    return describeAnswer(apiUrl, reply.status, await reply.text())
  } catch (thrown) {
    const error = asError(thrown)
    const reason = error.cause instanceof Error ? error.cause.message : error.message
    const fix = 'Check DNS, the certificate and the proxy in front of the service.'
    return wrong(`${apiUrl} cannot be reached from here: ${reason}`, fix)
  }
}

function describeAnswer(apiUrl: string, status: number, body: string): Outcome {
  if (status === 200 && body.includes('"alive"')) return ok(`${apiUrl} reaches this service`)
  if (status === 200) {
    return wrong(`${apiUrl} is answered by something else`, 'Have the proxy hand every path on to us.')
  }
  const isRedirect = status >= 300 && status < 400
  const fix = isRedirect
    ? 'Providers lose their fields on redirects: set api_url to the address it redirects to.'
    : 'The proxy must hand every path on to the service.'
  return wrong(`${apiUrl}/healthz answers ${status}`, fix)
}

/** How a request came in, as the log of deliveries has it. */
interface Asked {
  host: string | null
  headers: Record<string, string> | null
}

/** Signatures are over the public address, and the log shows what was asked: the service must learn both from the proxy. */
export function lookAtProxy({ host, headers }: Asked, base: string): Outcome {
  const wanted = new URL(base).host
  if (headers?.['x-forwarded-proto'] === undefined && headers?.forwarded === undefined) {
    const fix = `Have the proxy send "X-Forwarded-Proto: https" and "X-Forwarded-Host: ${wanted}", and set TRUST_PROXY to its address.`
    return wrong('the proxy does not say that https was used', fix)
  }
  if (host === wanted) return ok(`the service is asked as ${wanted}`)
  const fix = `Have the proxy keep "Host: ${wanted}", or send "X-Forwarded-Host: ${wanted}" and set TRUST_PROXY to its address.`
  return wrong(`the service is asked as ${host ?? 'nobody'}, not as ${wanted}`, fix)
}
