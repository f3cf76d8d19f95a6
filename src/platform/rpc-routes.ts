import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from '../database/database.ts'
import { asError, Refusal } from '../errors.ts'
import type { Platform } from './env.ts'
import { authenticate, findIdentity } from './identity/authenticate.ts'
import type { Identities } from './identity/identities.ts'
import { openApiDocument } from './openapi.ts'
import { openApiPage } from './openapi-page.ts'
import { callMethod, errorBody } from './rpc.ts'

/** Bytes one call may have; media goes through its own routes. */
const CALL_BYTES_MAX = 16 * 1024 * 1024
const OTHER_METHODS = ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

export interface ApiParts {
  platform: Platform
  db: Database
  identities: Identities
}

/** Serves `POST /json/2/<model>/<method>` and the API document. */
export function rpcRoutes(app: FastifyInstance, { platform, db, identities }: ApiParts): void {
  app.register((scope, _options, done) => {
    answerJsonErrors(scope, platform)
    scope.post<{ Params: { model: string; method: string } }>(
      '/json/2/:model/:method',
      { bodyLimit: CALL_BYTES_MAX },
      async (request) => {
        const identity = await authenticate(identities, request)
        return callMethod(platform, db, identity, { ...request.params, body: request.body })
      },
    )
    scope.route({
      method: OTHER_METHODS,
      url: '/json/2/:model/:method',
      handler: (_request, reply) =>
        reply
          .code(405)
          .header('allow', 'POST')
          .send(errorBody(new Refusal('malformed', 'The API is called with POST.')).body),
    })
    scope.get('/api/openapi.json', async (request) => {
      const identity = await findIdentity(identities, request)
      return openApiDocument(platform.models, identity)
    })
    scope.get('/api/docs', (_request, reply) => reply.type('text/html; charset=utf-8').send(openApiPage()))
    scope.all('/json/*', notFound)
    scope.all('/api/*', notFound)
    done()
  })
}

/** Parses JSON strictly and answers every error in the API's shape, one place for all of them. */
export function answerJsonErrors(scope: FastifyInstance, platform: Platform): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, parsed) => {
    try {
      parsed(null, body === '' ? undefined : JSON.parse(body as string))
    } catch {
      parsed(new Refusal('malformed', 'The body is not valid JSON.'))
    }
  })
  scope.setErrorHandler((thrown, request, reply) => {
    const refusal = asRefusal(thrown)
    if (refusal === undefined) platform.log.error({ err: asError(thrown), url: request.url }, 'a request failed')
    const { status, body } = errorBody(refusal ?? thrown)
    return reply.code(status).send(body)
  })
}

/** What the framework itself refuses, in our words. */
function asRefusal(thrown: unknown): Refusal | undefined {
  if (thrown instanceof Refusal) return thrown
  const status = typeof thrown === 'object' && thrown !== null && 'statusCode' in thrown ? thrown.statusCode : undefined
  if (status === 413) return new Refusal('too-large', 'The body is too large.')
  if (status === 415) return new Refusal('wrong-type', 'The body must be application/json.')
  if (status === 400) return new Refusal('malformed', 'The request is malformed.')
  return undefined
}

function notFound(_request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return reply.code(404).send(errorBody(new Refusal('not-found', 'There is nothing at this address.')).body)
}
