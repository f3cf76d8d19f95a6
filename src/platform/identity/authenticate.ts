import type {} from '@fastify/cookie'
import type { FastifyRequest } from 'fastify'
import { Refusal } from '../../errors.ts'
import type { Identity } from '../identity.ts'
import type { Identities } from './identities.ts'

/** The cookie of a person's session. */
export const SESSION_COOKIE = 'connect_session'

/** Who sends this request: the owner of its bearer key, or the person of its session. Throws a refusal when nobody is. */
export async function authenticate(identities: Identities, request: FastifyRequest): Promise<Identity> {
  const identity = await findIdentity(identities, request)
  if (identity === undefined) {
    throw new Refusal('unauthorized', 'Sign in, or send an API key: "Authorization: bearer <key>".')
  }
  return identity
}

/** Who sends this request, or undefined. A wrong key is not made up for by a session. */
export async function findIdentity(identities: Identities, request: FastifyRequest): Promise<Identity | undefined> {
  const [scheme, key] = (request.headers.authorization ?? '').trim().split(/\s+/)
  if (scheme !== undefined && scheme !== '') {
    return scheme.toLowerCase() === 'bearer' && key !== undefined ? identities.byKey(key) : undefined
  }
  const token = request.cookies[SESSION_COOKIE]
  return token === undefined ? undefined : identities.bySession(token)
}
