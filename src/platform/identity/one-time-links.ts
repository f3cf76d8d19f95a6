import { hash, randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../../errors.ts'
import type { ApiOperation } from '../api/api-operation.ts'
import { ERROR_REPLIES } from '../api/openapi-replies.ts'
import { type ApiParts, answerJsonErrors } from '../api/rpc-routes.ts'
import { refuseLookers } from './authenticate.ts'
import { openSession } from './open-session.ts'
import { ownPath } from './own-path.ts'

const TOKEN_BYTES = 32
const TOKEN_CHARS_MAX = 100
/** Long enough to find the address in a terminal. */
const VALID_MS = 15 * 60_000
const LINKS_MAX = 20
const PATH = '/sign-in/once/:token'

interface Link {
  userId: number
  /** The page it leads to. */
  page: string
  endsMs: number
}

/**
 * Addresses that sign somebody in once. They live in this process alone and end with it, and nothing that is sent over the
 * network makes one: only who runs the process does, such as the demo.
 */
export class OneTimeLinks {
  readonly #open = new Map<string, Link>()

  /** The path of a link that works once, for a quarter of an hour. */
  issue({ userId, page, now }: { userId: number; page: string; now: Date }): string {
    const token = randomBytes(TOKEN_BYTES).toString('base64url')
    const oldest = this.#open.keys().next().value
    if (this.#open.size >= LINKS_MAX && oldest !== undefined) this.#open.delete(oldest)
    // Looked up by its hash, so that the time of a comparison says nothing of a token.
    this.#open.set(hash('sha256', token), { userId, page, endsMs: now.getTime() + VALID_MS })
    return PATH.replace(':token', token)
  }

  /** Whom it signs in, and where it leads; undefined when it was used, has ended, or never was. */
  take(token: string, now: Date): Omit<Link, 'endsMs'> | undefined {
    const key = hash('sha256', token)
    const link = this.#open.get(key)
    this.#open.delete(key)
    return link === undefined || link.endsMs < now.getTime() ? undefined : link
  }
}

/** Signs in the person who opens a one-time link, and leads them to its page. Who only looks at the address does not use it up. */
export function oneTimeRoutes(app: FastifyInstance, parts: ApiParts, links: OneTimeLinks): void {
  app.register((scope, _options, done) => {
    answerJsonErrors(scope, parts.platform)
    scope.get<{ Params: { token: string } }>(PATH, { onRequest: refuseLookers }, async (request, reply) => {
      const { token } = request.params
      if (isFromElsewhere(request)) return leadAway(request, reply, 'elsewhere')
      const link = token.length > TOKEN_CHARS_MAX ? undefined : links.take(token, parts.platform.clock())
      reply.headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
      if (link === undefined) return leadAway(request, reply, 'used')
      await openSession(parts, request, reply, { userId: link.userId })
      return reply.redirect(ownPath(link.page), 303)
    })
    done()
  })
}

/** Whether a page of another site sent the browser here: nobody is signed in by what they did not mean to open. */
function isFromElsewhere({ headers }: FastifyRequest): boolean {
  return ['cross-site', 'same-site'].includes(String(headers['sec-fetch-site']))
}

/** A browser is led to the page that says why nobody is signed in. */
function leadAway({ headers }: FastifyRequest, reply: FastifyReply, why: 'used' | 'elsewhere'): FastifyReply {
  if (headers.accept?.includes('text/html') === true) return reply.redirect(`/sign-in?problem=${why}`, 303)
  throw why === 'used' ? new Refusal('not-found', 'one-time-link') : new Refusal('forbidden', 'link-not-used')
}

/** This route, as the API document shows it. */
export const ONE_TIME_OPERATIONS: readonly ApiOperation[] = [
  {
    method: 'get',
    path: PATH,
    tag: 'sign-in',
    id: 'one_time_link',
    summary: 'Signs in once, by a link that the demo prints, and leads to its page',
    proof: 'nobody',
    reply: { contentType: 'text/html', schema: { type: 'string' } },
    others: { ...ERROR_REPLIES, 303: 'Signed in, or to the page that says why not' },
  },
]
