import type { FastifyRequest } from 'fastify'
import { Refusal } from '../../errors.ts'
import { noteVerified } from '../../verified-sockets.ts'
import { type Identity, NOBODY } from '../access/identity.ts'
import { readCookie } from './cookies.ts'
import type { Identities } from './identities.ts'

/** Who sends this request: the owner of its bearer key, or the person of its session. Throws a refusal when nobody is. */
export async function authenticate(identities: Identities, request: FastifyRequest): Promise<Identity> {
  const identity = await findIdentity(identities, request)
  if (identity === undefined) {
    throw new Refusal('unauthorized', 'sign-send-api-key-authorization-bearer')
  }
  return identity
}

/** The same, also of the person who has yet to set up the second factor that the installation wants: for that, and little else. */
export async function authenticatePerson(identities: Identities, request: FastifyRequest): Promise<Identity> {
  const token = readCookie(request, 'connect_session')
  if (request.headers.authorization || token === undefined) return authenticate(identities, request)
  requireOwnPage(request)
  const session = await identities.sessionOf(token)
  if (session === undefined) throw new Refusal('unauthorized', 'sign-send-api-key-authorization-bearer')
  noteVerified(request.raw.socket)
  return session.identity
}

/** Who sends the requests of a route, found before their bodies are read: nobody in particular gets to make us read them. */
export class Senders {
  readonly #found = new WeakMap<FastifyRequest, Identity>()
  /** Of the route; it refuses whom `find` refuses. */
  readonly onRequest: (request: FastifyRequest) => Promise<void>

  constructor(find: (request: FastifyRequest) => Promise<Identity>) {
    this.onRequest = async (request) => {
      this.#found.set(request, await find(request))
    }
  }

  /** Whom `find` found. */
  of(request: FastifyRequest): Identity {
    return this.#found.get(request) ?? NOBODY
  }
}

/** Who sends this request, or undefined. A wrong key is not made up for by a session. */
export async function findIdentity(identities: Identities, request: FastifyRequest): Promise<Identity | undefined> {
  const identity = await readIdentity(identities, request)
  if (identity !== undefined) noteVerified(request.raw.socket)
  return identity
}

async function readIdentity(identities: Identities, request: FastifyRequest): Promise<Identity | undefined> {
  const [scheme, key] = (request.headers.authorization ?? '').trim().split(/\s+/)
  if (scheme !== undefined && scheme !== '') {
    return scheme.toLowerCase() === 'bearer' && key !== undefined ? identities.byKey(key) : undefined
  }
  const token = readCookie(request, 'connect_session')
  if (token === undefined) return undefined
  requireOwnPage(request)
  return identities.bySession(token)
}

/**
 * Throws a refusal when a request that would change something and brings a cookie may come from a page that is not ours: a
 * browser sends the cookie along, no matter who wrote the page. Our own pages send JSON or a file's bytes, and the browser says where they are from.
 */
export function requireOwnPage(request: FastifyRequest): void {
  if (READING.includes(request.method)) return
  if (!OF_SCRIPTS.test(request.headers['content-type'] ?? '')) {
    throw new Refusal('wrong-type', 'api-request-with-session-cookie-must-application')
  }
  if (!isSameOrigin(request)) throw new Refusal('forbidden', 'api-request-with-session-cookie-must-come')
}

/** The same of a request that reads and goes on for long: a browser that says that another page asks gets nothing. */
export function requireNoForeignPage(request: FastifyRequest): void {
  if (saysForeignPage(request)) throw new Refusal('forbidden', 'api-request-with-session-cookie-must-come')
}

/**
 * The same for a request that opens a session and so brings none: a browser must not be signed in by another page as
 * somebody else. Programs say nothing of a page.
 */
function requireNoOtherPage(request: FastifyRequest): void {
  if (saysForeignPage(request)) throw new Refusal('forbidden', 'browser-signs-from-page-this-service')
}

function saysForeignPage(request: FastifyRequest): boolean {
  const { 'sec-fetch-site': site, origin } = request.headers
  return (site !== undefined || origin !== undefined) && !isSameOrigin(request)
}

/** `requireNoOtherPage`, before the body is read. */
export async function refuseOtherPages(request: FastifyRequest): Promise<void> {
  requireNoOtherPage(request)
}

/** Refuses the person who looks at an address without opening it, by HEAD or ahead of time: it must not be used up by that. */
export async function refuseLookers({ method, headers }: FastifyRequest): Promise<void> {
  const purposes = [headers['sec-purpose'], headers.purpose, headers['x-purpose'], headers['x-moz']]
  if (method !== 'HEAD' && !purposes.some((each) => /\b(?:prefetch|preview)\b/i.test(String(each ?? '')))) return
  throw new Refusal('forbidden', 'works-once')
}

/** Types that no form has: a browser asks us before it lets another page's script send them. */
const OF_SCRIPTS = /^\s*application\/(?:json|octet-stream)\s*(;|$)/i
const READING = ['GET', 'HEAD', 'OPTIONS']

/** By what the browser says of the page; anyone who sends neither header is no browser and can use a key. */
function isSameOrigin({ headers, host }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  const { origin } = headers
  // Without a scheme: behind a proxy that is not trusted, ours is not known.
  return origin !== undefined && URL.canParse(origin) && [host, headers.host].includes(new URL(origin).host)
}
