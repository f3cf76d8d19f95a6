import { setImmediate as nextTurn } from 'node:timers/promises'
import webhooks from 'twilio/lib/webhooks/webhooks.js'
import type { Form } from './form.ts'

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

/** What a signature is checked against: Auth Tokens that may have made it, addresses it may be for, and the form. */
export interface SignedRequest {
  readonly authTokens: readonly string[]
  readonly signature: string | undefined
  readonly urls: readonly string[]
  readonly form: Readonly<Form>
}

/** True when the signature was made with one of the account's Auth Tokens for one of the addresses and this form. */
export function telcoSignatureMatches(request: SignedRequest): boolean {
  for (const isRight of comparisons(request)) if (isRight) return true
  return false
}

/** The same for a large form, of which each comparison takes milliseconds: others are served between them. */
export async function largeSignatureMatches(request: SignedRequest): Promise<boolean> {
  for (const isRight of comparisons(request)) {
    if (isRight) return true
    await nextTurn()
  }
  return false
}

/** Whether a header has the form of a signature: an HMAC-SHA1 in base64. Anything else matches nothing. */
export function isWellFormed(signature: string | undefined): signature is string {
  return signature !== undefined && SIGNATURE.test(signature)
}

/**
 * One check of the provider's SDK for each token and address, the likeliest address first. The SDK tries the ways to write an
 * address and compares in constant time; it throws for what is no address.
 */
function* comparisons({ authTokens, signature, urls, form }: SignedRequest): Generator<boolean> {
  if (!isWellFormed(signature)) return
  for (const url of urls) {
    if (!URL.canParse(url)) continue
    for (const token of authTokens) {
      if (token !== '') yield webhooks.validateRequest(token, signature, url, form)
    }
  }
}

/**
 * The addresses that the provider may have signed: the request's own and the public one, with the same raw path and
 * query, https whatever the inner connection was, without a fragment.
 */
export function signedUrls({ host, forwardedHost, rawTarget, apiUrl }: RequestAddress): string[] {
  const target = originForm(rawTarget)
  // The public address first: it is the one that we give to the provider, and each wrong one costs six hashes.
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
function publicBases(apiUrl: string | undefined): readonly string[] {
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
