import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { Refusal } from '../../errors.ts'
import type { Identity } from '../access/identity.ts'
import type { ApiOperation } from '../api/api-operation.ts'
import { type ApiParts, answerJsonErrors } from '../api/rpc-routes.ts'
import { authenticate, requireNoForeignPage } from '../identity/authenticate.ts'
import { readCookie } from '../identity/cookies.ts'
import type { Identities } from '../identity/identities.ts'
import { shown } from '../records/condition.ts'
import type { LiveHub } from './live-hub.ts'

const EVENTS = [
  'hello {build, at, user, heartbeat_ms}: the stream is open; what was loaded before may be old',
  'heartbeat {}: every heartbeat_ms; when two of them are missing, the stream is dead and another is to be opened',
  'records {changes: [{model, ids, gone?, calls?}]}: changed, or gone; ids null: whichever of those that one may read',
  'present {people: [{model, id, user, name, for_ms}]}: is at work there, as in answering; forgotten after for_ms; 0: has gone',
  'reset {}: some may have been missed; load again what is shown',
  'signed-out {}: the session is over',
  'bye {}: the service stops; open another stream',
]

/** As the API document shows it. */
export const LIVE_OPERATIONS: readonly ApiOperation[] = [
  {
    tag: 'live',
    proof: 'key',
    method: 'get',
    path: '/api/live',
    id: 'live',
    summary: 'What changes, as server-sent events, for a browser that is signed in',
    reply: {
      contentType: 'text/event-stream',
      schema: Type.String({ description: `Events with JSON. ${EVENTS.join('. ')}.` }),
    },
  },
]

/** Serves the event stream of the person who is signed in, and ends it when the service stops. */
export function liveRoutes(
  app: FastifyInstance,
  { platform, identities, live }: Pick<ApiParts, 'platform' | 'identities'> & { live: LiveHub },
): void {
  app.addHook('preClose', async () => live.stop())
  app.register((scope, _options, done) => {
    answerJsonErrors(scope, platform)
    scope.get('/api/live', { exposeHeadRoute: false }, async (request, reply) => {
      const { identity, token } = await listenerOf(identities, request)
      const { body } = live.open({ userId: identity.userId, token })
      // Anyone who went away meanwhile never reads it.
      if (request.raw.destroyed) body.destroy()
      reply.raw.once('close', () => body.destroy())
      // Proxies must neither hold it back nor change it.
      reply.headers({ 'cache-control': 'no-store, no-transform', 'x-accel-buffering': 'no' })
      return reply.type('text/event-stream; charset=utf-8').send(body)
    })
    done()
  })
}

/** Whose page listens. Anyone whom the API would not answer has no stream either, and hears the same. */
async function listenerOf(
  identities: Identities,
  request: FastifyRequest,
): Promise<{ identity: Identity; token: string }> {
  const identity = await authenticate(identities, request)
  const token = readCookie(request, 'connect_session')
  if (token === undefined || identity.via?.kind !== 'page') {
    throw new Refusal('unauthorized', 'sign-stream-for-browser-with-session')
  }
  requireNoForeignPage(request)
  const [name] = new URL(request.url, 'http://here').searchParams.keys()
  if (name !== undefined) {
    throw new Refusal('refused', 'stream-has-no-argument', { name: shown(name) })
  }
  return { identity, token }
}
