import { asError } from '../../errors.ts'
import { isLocalHost, privateAddressProblem } from '../../public-address.ts'
import { type Installed, note, type Outcome, ok, wrong } from './finding.ts'

const TIMEOUT_MS = 8_000
const OK = 200
const SET_IT = 'connect settings set api_url https://your.public.address'

/** What came of asking the public address, as a provider would, whether this service answers there. */
export type Reached =
  | { kind: 'unset' | 'unreadable' | 'local' | 'not-https' | 'reached' | 'answered-by-others' }
  | { kind: 'answered'; status: number }
  | { kind: 'unreachable'; reason: string }

/** Why no provider can reach an address, whatever answers there; undefined when it has to be asked. */
export function publicAddressProblem(apiUrl: string | null | undefined): Reached | undefined {
  if (!apiUrl) return { kind: 'unset' }
  if (!URL.canParse(apiUrl)) return { kind: 'unreadable' }
  const { protocol, hostname } = new URL(apiUrl)
  if (isLocalHost(hostname) || privateAddressProblem(hostname) !== undefined) return { kind: 'local' }
  return protocol === 'https:' ? undefined : { kind: 'not-https' }
}

/** Asks the address, unless no provider can reach it anyway. */
export async function reachAddress(apiUrl: string | null | undefined): Promise<Reached> {
  const problem = publicAddressProblem(apiUrl)
  if (problem !== undefined) return problem
  try {
    const url = `${apiUrl?.replace(/\/+$/, '')}/healthz`
    const reply = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS), redirect: 'manual' })
    const text = await reply.text()
    if (reply.status !== OK) return { kind: 'answered', status: reply.status }
    return { kind: text.includes('"alive"') ? 'reached' : 'answered-by-others' }
  } catch (thrown) {
    return { kind: 'unreachable', reason: whyUnreachable(asError(thrown)) }
  }
}

/** What the system says of a connection that was not made, in words. */
const REASONS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'there is no server with that name',
  EAI_AGAIN: 'the name server does not answer',
  ECONNREFUSED: 'nothing listens there',
  EHOSTUNREACH: 'there is no route to it',
  ENETUNREACH: 'there is no route to it',
  ECONNRESET: 'the connection broke',
  UND_ERR_CONNECT_TIMEOUT: 'there is no answer',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is not signed by an authority',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is not signed by an authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate chain is incomplete',
}

function whyUnreachable(error: Error): string {
  if (error.name === 'TimeoutError') return 'there is no answer'
  const cause = error.cause instanceof Error ? error.cause : error
  const code = 'code' in cause ? String(cause.code) : ''
  return REASONS[code] ?? cause.message
}

/** Whether the public address is set, is https, is public, and reaches this service, unless both providers are emulated here. */
export async function lookAtPublicAddress(
  { api_url: apiUrl }: Pick<Installed, 'api_url'>,
  isPlayed: boolean,
): Promise<Outcome> {
  // Providers that are played on this machine reach it by any name.
  if (isPlayed && publicAddressProblem(apiUrl) === undefined) {
    return note('is not checked: Twilio and ElevenLabs are emulated on this machine')
  }
  const reached = await reachAddress(apiUrl)
  const not = (finding: string, fix: string): Outcome => wrong(finding, fix, 'api_url')
  switch (reached.kind) {
    case 'unset':
      return not('The public address is not set, so Twilio and ElevenLabs cannot call Connect', SET_IT)
    case 'unreadable':
      return not(`${apiUrl} is not a web address`, SET_IT)
    case 'local':
      return not(`${apiUrl} is an address that only this machine or network can reach`, SET_IT)
    case 'not-https':
      return not(`${apiUrl} is not https`, 'Put a TLS proxy in front and set the public address to its https address.')
    case 'reached':
      return ok(`${apiUrl} reaches this service`)
    case 'answered-by-others':
      return not(`something else answers at ${apiUrl}`, 'Make the proxy pass every path to Connect.')
    case 'answered':
      return not(`${apiUrl}/healthz answers ${reached.status}`, describeStatus(reached.status))
    case 'unreachable': {
      const fix = 'Check DNS, the certificate and the proxy in front of the service.'
      return not(`${apiUrl} cannot be reached from here: ${reached.reason}`, fix)
    }
  }
}

function describeStatus(status: number): string {
  const isRedirect = status >= 300 && status < 400
  return isRedirect
    ? 'Webhooks lose their fields on redirects: set the public address to the one it redirects to.'
    : 'The proxy must pass every path to the service.'
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
