import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { Refusal } from '../../errors.ts'
import { type ApiOperation, jsonBody } from '../../platform/api/api-operation.ts'
import { type ApiParts, answerJsonErrors } from '../../platform/api/rpc-routes.ts'
import { authenticate, Senders } from '../../platform/identity/authenticate.ts'
import { searchEverything } from './search.ts'

const TEXT_CHARS_MAX = 200
const LIMIT_DEFAULT = 6
const LIMIT_MAX = 20
const BODY_BYTES_MAX = 4_096

const Asked = Type.Object({
  text: Type.String({ minLength: 1, maxLength: TEXT_CHARS_MAX }),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: LIMIT_MAX, description: `Hits of each kind; ${LIMIT_DEFAULT} without it.` }),
  ),
})
const Hits = Type.Array(
  Type.Object({
    model: Type.String(),
    id: Type.Integer(),
    title: Type.String(),
    detail: Type.String(),
    matched: Type.Enum(['name', 'number', 'id', 'sid', 'email', 'text']),
  }),
)
const isAsked = Compile(Asked)

/** As the API document shows it. */
export const SEARCH_OPERATIONS: readonly ApiOperation[] = [
  {
    tag: 'search',
    proof: 'key',
    method: 'post',
    path: '/api/search',
    id: 'search_everything',
    summary: 'Contacts, tickets, calls, meetings, messages, numbers, flows, agents and deliveries that a text names',
    request: jsonBody(Asked),
    reply: jsonBody(Hits),
  },
]

/** Finds whatever a text names, among what the asker may read. */
export function searchRoutes(app: FastifyInstance, { platform, db, identities }: ApiParts): void {
  const askers = new Senders((request) => authenticate(identities, request))
  app.register((scope, _options, done) => {
    answerJsonErrors(scope, platform)
    scope.post('/api/search', { bodyLimit: BODY_BYTES_MAX, onRequest: askers.onRequest }, async (request) => {
      const identity = askers.of(request)
      const { body } = request
      if (!isAsked.Check(body)) {
        throw new Refusal('refused', 'api-send-search', { chars: TEXT_CHARS_MAX, limit: LIMIT_MAX })
      }
      const text = body.text.trim()
      if (text === '') return []
      return searchEverything({ platform, db }, { identity, text, limit: body.limit ?? LIMIT_DEFAULT })
    })
    done()
  })
}
