import webhooks from 'twilio/lib/webhooks/webhooks.js'
import type { Form } from './form.ts'

const { validateRequest } = webhooks

/** An HMAC-SHA1 in base64. Anything else matches nothing, so no time is spent on it. */
const SIGNATURE = /^[A-Za-z0-9+/]{27}=$/

/** What can be known of the address at which the provider asked. */
export interface RequestAddress {
  /** The Host header. */
  readonly host: string | undefined
  /** The host a trusted proxy says it was asked for; leave it out when no proxy is trusted. */
  readonly forwardedHost?: string | undefined
  /** Path and query exactly as they came. */
  readonly rawTarget: string
  /** settings.api_url, perhaps with a path of its own. */
  readonly apiUrl: string | undefined
}

/** True when the signature was made with one of the account's Auth Tokens for one of the addresses and this form. */
export function telcoSignatureMatches({
  authTokens,
  signature,
  urls,
  form,
}: {
  readonly authTokens: readonly string[]
  readonly signature: string | undefined
  readonly urls: readonly string[]
  readonly form: Readonly<Form>
}): boolean {
  if (signature === undefined || !SIGNATURE.test(signature)) return false
  return authTokens.some((token) => token !== '' && urls.some((url) => isSignedFor(url, token, signature, form)))
}

/** The SDK's comparison (constant time, with and without the default port); it throws for some addresses. */
function isSignedFor(url: string, token: string, signature: string, form: Readonly<Form>): boolean {
  try {
    return validateRequest(token, signature, url, form)
  } catch {
    return false
  }
}

/**
 * The addresses that the provider may have signed: the request's own and the public one, with the same raw path and
 * query, https whatever the inner connection was, without a fragment.
 */
export function signedUrls({ host, forwardedHost, rawTarget, apiUrl }: RequestAddress): string[] {
  const target = originForm(rawTarget)
  // The public address first: it is the one that we give to the provider, and each wrong one costs eight hashes.
  const bases = [...publicBases(apiUrl), ...hostBases(forwardedHost), ...hostBases(host)]
  return [...new Set(bases.map((base) => base + target))]
}

/** Path and query of a request target, also of one that names scheme and host; never a fragment. */
export function originForm(rawTarget: string): string {
  const withoutFragment = rawTarget.split('#', 1)[0] ?? ''
  const target = withoutFragment.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?]*/i, '')
  return target.startsWith('/') ? target : `/${target}`
}

const HOST = /^[^\s/?#@\\]+$/

function hostBases(host: string | undefined): string[] {
  if (host === undefined || !HOST.test(host)) return []
  // The port of an inner connection is not the one the provider knows; the SDK itself tries the default one.
  return [`https://${host}`, `https://${host.replace(/:\d+$/, '')}`]
}

let latest: { apiUrl: string | undefined; bases: readonly string[] } = { apiUrl: undefined, bases: [] }

/** The public address as it stands, and without its path for a proxy that hands the path on. */
export function publicBases(apiUrl: string | undefined): readonly string[] {
  // It is the same for every request until somebody changes the setting.
  if (latest.apiUrl !== apiUrl) latest = { apiUrl, bases: basesOf(apiUrl) }
  return latest.bases
}

function basesOf(apiUrl: string | undefined): string[] {
  const match = /^[a-z][a-z0-9+.-]*:\/\/([^/?#\s\\]+)([^?#\s]*)/i.exec((apiUrl ?? '').trim())
  if (match === null) return []
  const [, authority = '', path = ''] = match
  // Not through `new URL()`: the provider signs the characters of the address as they were pushed.
  const origins = [...new Set([authority, authority.replace(/:\d+$/, '')])].map((name) => `https://${name}`)
  const prefix = path.replace(/\/+$/, '')
  return [...new Set(origins.flatMap((origin) => [origin + prefix, origin]))]
}
