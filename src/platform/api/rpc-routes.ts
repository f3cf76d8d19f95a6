import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  type Database,
  isRetryable,
  isTimeout,
  isUnavailable,
  MaybeSavedError,
  sqlState,
} from '../../database/database.ts'
import { asError, isOfCredentials, Refusal } from '../../errors.ts'
import { isTooComplex, type JsonLimits } from '../../json.ts'
import type { Platform } from '../access/env.ts'
import { authenticate, findIdentity, Senders } from '../identity/authenticate.ts'
import type { Identities } from '../identity/identities.ts'
import type { ApiOperation } from './api-operation.ts'
import { hasTag, OpenApiDocuments } from './openapi-documents.ts'
import { openApiPageRoutes } from './openapi-page.ts'
import { callMethod, errorBody } from './rpc.ts'
import { untilAnswered } from './until-answered.ts'

/** Bytes one call may have; media goes through its own routes. */
const CALL_BYTES_MAX = 16 * 1024 * 1024

/** Values one call may have when it is long, so that nobody waits for it to be parsed: a thousand records of twenty fields. */
const CALL_JSON_MAX: JsonLimits = { colons: 20_000, marks: 100_000 }

const DATA_EXCEPTIONS = '22'

export interface ApiParts {
  platform: Platform
  db: Database
  identities: Identities
}

/** Serves `POST /json/2/<model>/<method>` and the API document, which shows the operations of all other routes too. */
export function rpcRoutes(
  app: FastifyInstance,
  { platform, db, identities }: ApiParts,
  others: readonly ApiOperation[],
): void {
  const callers = new Senders((request) => authenticate(identities, request))
  app.register((scope, _options, done) => {
    answerJsonErrors(scope, platform)
    const url = '/json/2/:model/:method'
    scope.post<{ Params: { model: string; method: string } }>(
      url,
      { bodyLimit: CALL_BYTES_MAX, onRequest: callers.onRequest },
      (request) =>
        untilAnswered(request.raw.socket, () =>
          callMethod(platform, db, callers.of(request), { ...request.params, body: request.body }),
        ),
    )
    const otherMethods = scope.supportedMethods.filter((method) => method !== 'POST')
    scope.route({ method: otherMethods, url, onRequest: refuseMethod, handler: refuseMethod })
    const documents = new OpenApiDocuments(platform.models, others)
    scope.get('/api/openapi.json', async (request, reply) => {
      const { tag, json, gzip } = await documents.get(await findIdentity(identities, request))
      reply.headers({ etag: tag, 'cache-control': 'private, no-cache', vary: 'accept-encoding, authorization, cookie' })
      if (hasTag(request.headers['if-none-match'], tag)) return reply.code(304).send()
      reply.type('application/json; charset=utf-8')
      if (!/\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(request.headers['accept-encoding'] ?? ''))
        return reply.send(json)
      return reply.header('content-encoding', 'gzip').send(gzip)
    })
    openApiPageRoutes(scope)
    scope.all('/json/*', { onRequest: notFound }, notFound)
    scope.all('/api/*', { onRequest: notFound }, notFound)
    done()
  })
}

/** Parses JSON strictly and answers every error in the API's shape, one place for all of them. */
export function answerJsonErrors(scope: FastifyInstance, platform: Platform): void {
  scope.removeAllContentTypeParsers()
  // Anyone who reports an error can name the line of the log.
  scope.addHook('onSend', (request, reply, payload, done) => {
    reply.header('x-request-id', request.id)
    done(null, payload)
  })
  scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, parsed) => {
    const raw = body as Buffer
    if (isTooComplex(raw, CALL_JSON_MAX)) {
      const { colons, marks } = CALL_JSON_MAX
      parsed(new Refusal('too-large', 'api-body-has-more-than-names-values', { colons, marks }))
      return
    }
    try {
      parsed(null, raw.length === 0 ? undefined : JSON.parse(raw.toString('utf8')))
    } catch {
      parsed(new Refusal('malformed', 'api-body-not-valid-json'))
    }
  })
  scope.setErrorHandler((thrown, request, reply) => {
    const refusal = asRefusal(thrown)
    if (refusal === undefined || refusal.kind === 'unavailable') {
      const level = isOfCredentials(thrown) ? 'warn' : 'error'
      platform.log[level]({ err: asError(thrown), url: request.url, request: request.id }, 'a request failed')
    }
    const { status, body } = errorBody(refusal ?? thrown, { model: modelOf(request), models: platform.models })
    if (refusal?.retryAfterSeconds !== undefined) reply.header('retry-after', String(refusal.retryAfterSeconds))
    // Of the file that could not be given; what is said of it is none.
    return reply.removeHeader('content-disposition').code(status).send(body)
  })
}

/** The model that a call of the API names; whether there is one of that name is another matter. */
function modelOf({ params }: FastifyRequest): string | undefined {
  if (typeof params !== 'object' || params === null || !('model' in params)) return undefined
  return typeof params.model === 'string' ? params.model : undefined
}

/** What the framework and the database refuse, in our words. */
function asRefusal(thrown: unknown): Refusal | undefined {
  if (thrown instanceof Refusal) return thrown
  if (thrown instanceof MaybeSavedError) return new Refusal('unavailable', 'maybe-saved')
  if (isTimeout(thrown)) return new Refusal('refused', 'took-too-long')
  if (isUnavailable(thrown) || isRetryable(thrown)) {
    return new Refusal('unavailable', 'database-unavailable-at-moment-try-again')
  }
  if (sqlState(thrown)?.startsWith(DATA_EXCEPTIONS) === true) {
    return new Refusal('refused', 'value-has-characters-size-cannot-stored')
  }
  const status = typeof thrown === 'object' && thrown !== null && 'statusCode' in thrown ? thrown.statusCode : undefined
  if (status === 413) return new Refusal('too-large', 'api-body-too-large')
  if (status === 415) return new Refusal('wrong-type', 'api-body-must-application-json')
  if (status === 400) return new Refusal('malformed', 'api-request-malformed')
  return undefined
}

async function refuseMethod(_request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { body } = errorBody(new Refusal('malformed', 'api-api-called-with-post'))
  return reply.code(405).header('allow', 'POST').send(body)
}

async function notFound(_request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  return reply.code(404).send(errorBody(new Refusal('not-found', 'api-nothing-at-this-address')).body)
}
