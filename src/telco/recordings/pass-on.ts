import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { asError, isOfCredentials, Refusal } from '../../errors.ts'
import type { Platform } from '../../platform/access/env.ts'
import { errorBody } from '../../platform/api/rpc.ts'
import { type MediaAnswer, type MediaOptions, ProviderRefused, ProviderUnavailable } from '../../ports/telco-client.ts'
import type { PlainCode } from '../../refusals.ts'
import { CredentialsRefused } from '../client/failures.ts'
import { AUDIO_BYTES_MAX, whole } from './download-audio.ts'

/** Passes on what the provider answered, under this type and without any other of its headers. */
export async function passOn(
  answer: MediaAnswer,
  type: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if ((answer.contentLength ?? 0) > AUDIO_BYTES_MAX) throw new ProviderUnavailable('the audio is too large')
  reply.code(answer.status).header('accept-ranges', 'bytes')
  if (answer.contentRange !== undefined) reply.header('content-range', answer.contentRange)
  if (answer.contentLength !== undefined) reply.header('content-length', answer.contentLength)
  if (answer.status === 416 || answer.body === undefined || request.method === 'HEAD') {
    await answer.body?.cancel()
    return reply.type(type).send()
  }
  return reply.type(type).send(Readable.from(whole(answer.body, answer.contentLength), { objectMode: false }))
}

/** What the provider is asked for: what the browser wants of it, for as long as the browser stays and it may take. */
export function askedOf(request: FastifyRequest, reply: FastifyReply, timeoutMs: number): MediaOptions {
  const gone = new AbortController()
  reply.raw.once('close', () => gone.abort())
  return {
    method: request.method === 'HEAD' ? 'HEAD' : 'GET',
    range: request.headers.range,
    signal: AbortSignal.any([gone.signal, AbortSignal.timeout(timeoutMs)]),
  }
}

interface MediaWords {
  nothingHere(): Refusal
  /** Why the provider's cannot be fetched right now. */
  away: PlainCode
  /** The line of the log. */
  failed: string
  cacheControl: string
}

/** Answers every error of routes that pass media on; what the provider does not have is not here either. */
export function answerMediaErrors(scope: FastifyInstance, { log }: Platform, words: MediaWords): void {
  const asRefusal = (thrown: unknown): Refusal | undefined => {
    if (thrown instanceof ProviderRefused) return words.nothingHere()
    if (thrown instanceof CredentialsRefused) {
      return new Refusal('unavailable', 'phone-credentials-refused', {}, { cause: thrown })
    }
    if (thrown instanceof ProviderUnavailable) return new Refusal('unavailable', words.away, {}, { cause: thrown })
    return thrown instanceof Refusal ? thrown : undefined
  }
  scope.setErrorHandler((thrown, request, reply) => {
    const refusal = asRefusal(thrown)
    if (refusal === undefined || refusal.kind === 'unavailable') {
      log[isOfCredentials(thrown) ? 'warn' : 'error']({ err: asError(thrown), url: request.url }, words.failed)
    }
    const { status, body } = errorBody(refusal ?? thrown)
    reply.removeHeader('content-disposition').header('cache-control', words.cacheControl)
    return reply.code(status).type('application/json; charset=utf-8').send(body)
  })
}
