import type { FastifyReply, FastifyRequest } from 'fastify'
import { readRange } from './byte-range.ts'
import type { MediaStore } from './media-store.ts'

/** Our own copy never changes: a browser keeps it for as long as somebody looks or listens, so that not every seek loads it again. */
const OWN_COPY_CACHE = 'private, max-age=600'

/** Sends a stored file, or the part that is asked for; undefined when there is none. Access was checked. */
export async function sendStored(
  media: MediaStore,
  { reference, type }: { reference: string; type: string },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply | undefined> {
  const bytes = await media.measure(reference)
  if (bytes === undefined) return undefined
  const range = readRange(request.headers.range, bytes)
  reply.headers({ 'accept-ranges': 'bytes', 'cache-control': OWN_COPY_CACHE })
  if (range === 'unsatisfiable') return reply.code(416).header('content-range', `bytes */${bytes}`).send()
  const { start, end } = range ?? { start: 0, end: bytes - 1 }
  if (range !== undefined) reply.code(206).header('content-range', `bytes ${start}-${end}/${bytes}`)
  reply.type(type).header('content-length', end - start + 1)
  if (request.method === 'HEAD' || bytes === 0) return reply.send()
  const opened = await media.open(reference, { start, end })
  return opened === undefined ? undefined : reply.send(opened.stream)
}
