import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isUnavailable } from '../database/database.ts'
import { isUnread } from '../deliveries/webhooks/read-body.ts'
import { asError, Refusal } from '../errors.ts'
import type { Logger } from '../log.ts'
import type { PageAnswer } from './page/page-routes.ts'

const CLIENT_ERROR_MIN = 400
const SERVER_ERROR_MIN = 500

/**
 * Answers what no area answers: an unknown address, which may be one of the page, and an error outside the areas, of which
 * only the log says more.
 */
export function otherAnswers(http: FastifyInstance, log: Logger, page: PageAnswer | undefined): void {
  const answer = (request: FastifyRequest, reply: FastifyReply) =>
    page?.(request, reply) ?? reply.code(404).send({ error: 'There is nothing at this address.' })
  // The framework would read the body first, and complain of its type.
  http.addHook('onRequest', async (request, reply) => {
    if (request.is404 && isUnread(request.raw)) return answer(request, reply)
  })
  http.setNotFoundHandler(answer)
  http.setErrorHandler((thrown, request, reply) => {
    const status = statusOf(thrown)
    if (status >= SERVER_ERROR_MIN) log.error({ err: asError(thrown), url: request.url }, 'a request failed')
    return reply.code(status).send({ error: sentenceOf(thrown, status) })
  })
}

function statusOf(thrown: unknown): number {
  if (thrown instanceof Refusal) return thrown.status
  if (isUnavailable(thrown)) return 503
  const status = typeof thrown === 'object' && thrown !== null && 'statusCode' in thrown ? thrown.statusCode : undefined
  const isOfClient = typeof status === 'number' && status >= CLIENT_ERROR_MIN && status < SERVER_ERROR_MIN
  return isOfClient ? status : 500
}

function sentenceOf(thrown: unknown, status: number): string {
  if (thrown instanceof Refusal) return thrown.message
  if (status === 503) return 'The database is unavailable right now. Try again.'
  return status < SERVER_ERROR_MIN ? 'The request is malformed.' : 'The service could not answer; the log says why.'
}
