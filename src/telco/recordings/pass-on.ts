import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type MediaAnswer, ProviderUnavailable } from '../../ports/telco-client.ts'
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
