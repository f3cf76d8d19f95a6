import type {} from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** The cookie of a person's session, and the one of somebody who is at the OpenID provider. */
type CookieName = 'connect_session' | 'connect_sso'

/**
 * Browsers take a cookie of such a name over https only, from this host and for all of it: no page of a neighbouring host,
 * and nobody on the way, puts one of theirs in its place (RFC 6265bis, 4.1.3.2). Plain http keeps the plain name.
 */
const PREFIX = '__Host-'

type Asking = Pick<FastifyRequest, 'protocol' | 'cookies'>

/** The value that the browser sent; over https none of the plain name counts. */
export function readCookie({ protocol, cookies }: Asking, name: CookieName): string | undefined {
  return cookies[PREFIX + name] ?? (protocol === 'https' ? undefined : cookies[name])
}

/** Gives the browser a cookie that no script reads. `lax` comes back from another site. */
export function giveCookie(
  { protocol }: Asking,
  reply: FastifyReply,
  { name, value, seconds, sameSite }: { name: CookieName; value: string; seconds: number; sameSite: 'strict' | 'lax' },
): void {
  reply.setCookie(nameOver(protocol, name), value, { ...placeOver(protocol), sameSite, maxAge: seconds })
}

/** Has the browser forget it. */
export function dropCookie({ protocol }: Asking, reply: FastifyReply, name: CookieName): void {
  reply.clearCookie(nameOver(protocol, name), placeOver(protocol))
}

function nameOver(protocol: string, name: CookieName): string {
  return protocol === 'https' ? PREFIX + name : name
}

function placeOver(protocol: string) {
  return { path: '/', httpOnly: true, secure: protocol === 'https' }
}
