import { createHmac, timingSafeEqual } from 'node:crypto'
import { parse, stringify } from 'node:querystring'
import { setImmediate as nextTurn } from 'node:timers/promises'
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
 * One comparison for each token and each way to write each address, the likeliest first. The SDK's validator (6.2.0,
 * `lib/webhooks/webhooks.js`) accepts the same signatures, but puts the form together anew for each of them.
 */
function* comparisons({ authTokens, signature, urls, form }: SignedRequest): Generator<boolean> {
  if (!isWellFormed(signature)) return
  const given = Buffer.from(signature)
  const fields = signedFields(form)
  for (const url of eachOnce(urls)) {
    for (const token of authTokens) {
      if (token === '') continue
      const expected = createHmac('sha1', token).update(url).update(fields).digest('base64')
      yield timingSafeEqual(Buffer.from(expected), given)
    }
  }
}

/** Every way to write every address, each of them once. */
function* eachOnce(urls: readonly string[]): Generator<string> {
  const seen = new Set<string>()
  for (const url of urls) {
    for (const spelling of spellings(url)) {
      if (!seen.has(spelling)) yield spelling
      seen.add(spelling)
    }
  }
}

/** Names and values in the order of the names; a value that is repeated counts once. */
function signedFields(form: Readonly<Form>): string {
  let text = ''
  for (const name of Object.keys(form).sort()) {
    const values = form[name] ?? ''
    if (typeof values === 'string') text += name + values
    else for (const value of [...new Set(values)].sort()) text += name + value
  }
  return text
}

/** As received, with and without the default port, then as back ends write it that sign an escaped form (SDK 6.2.0). */
function* spellings(url: string): Generator<string> {
  yield withoutPort(url)
  yield withDefaultPort(url)
  if (!URL.canParse(url)) return
  const normalized = new URL(url).toString()
  const both = [withoutPort(normalized), withDefaultPort(normalized)]
  yield* both
  yield* both.map(withLegacyQuery)
}

function withoutPort(url: string): string {
  const parts = splitPort(url)
  return parts === undefined ? url : parts.before + parts.after
}

function withDefaultPort(url: string): string {
  const parts = splitPort(url)
  if (parts === undefined || parts.port !== '') return url
  return `${parts.before}:${/^https:/i.test(url) ? '443' : '80'}${parts.after}`
}

/** The port of an address with its colon, and what stands before and after it, with every other character as it came. */
function splitPort(url: string): { before: string; port: string; after: string } | undefined {
  const [origin = '', scheme = '', authority = ''] = /^([a-z][a-z0-9+.-]*:\/\/)([^/?#]*)/i.exec(url) ?? []
  if (origin === '') return undefined
  // A colon begins a port only behind the last @ and behind the closing bracket of an IPv6 address.
  const hostAt = authority.lastIndexOf('@') + 1
  const bracketAt = authority.lastIndexOf(']')
  const colon = authority.indexOf(':', Math.max(hostAt, bracketAt + 1))
  const end = colon === -1 ? authority.length : colon
  return {
    before: scheme + authority.slice(0, end),
    port: authority.slice(end),
    after: url.slice(origin.length),
  }
}

function withLegacyQuery(url: string): string {
  const at = url.indexOf('?')
  if (at === -1 || at === url.length - 1) return url
  return `${url.slice(0, at)}?${stringify(parse(url.slice(at + 1)))}`
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
