import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from '../../database/database.ts'
import { asError, Refusal } from '../../errors.ts'
import { ID_IN_ADDRESS } from '../../lenient-values.ts'
import type { Platform } from '../../platform/access/env.ts'
import type { ApiOperation } from '../../platform/api/api-operation.ts'
import { ERROR_REPLIES } from '../../platform/api/openapi-replies.ts'
import { envOf, errorBody } from '../../platform/api/rpc.ts'
import { authenticate } from '../../platform/identity/authenticate.ts'
import type { Identities } from '../../platform/identity/identities.ts'
import { dispositionOf } from '../../platform/media/shown-type.ts'
import { records } from '../../platform/records/records.ts'

const PATH = '/connect/voice/:id/preview'
/** Where the platform publishes what its voices sound like; they are public, and nothing of ours goes along. */
const HOST = 'storage.googleapis.com'
const FOLDER = '/eleven-public-prod/'
const ANSWER_TIMEOUT_MS = 15_000
/** A sentence or two. */
const BYTES_MAX = 5 * 1024 * 1024
const KEPT_SECONDS = 600
const AUDIO_TYPE = /^audio\/[\w.+-]{1,40}$/

interface PreviewParts {
  platform: Platform
  db: Database
  identities: Identities
  /** The platform's own address, where the configuration names another one. */
  baseUrl: string | undefined
}

interface Requested {
  Params: { id: string }
}

/** What a voice sounds like, for everybody who may read voices; a browser is sent to nobody else for it. */
export function voicePreviewRoute(app: FastifyInstance, parts: PreviewParts): void {
  app.register((scope, _options, done) => {
    scope.setErrorHandler((thrown, request, reply) => {
      const refusal = thrown instanceof Refusal ? thrown : undefined
      if (refusal === undefined) parts.platform.log.error({ err: asError(thrown), url: request.url }, 'no preview')
      const { status, body } = errorBody(refusal ?? thrown)
      return reply.code(status).type('application/json; charset=utf-8').send(body)
    })
    scope.get<Requested>(PATH, (request, reply) => answer(parts, request, reply))
    done()
  })
}

/** The route as the API document shows it. */
export const VOICE_PREVIEW_OPERATION: ApiOperation = {
  method: 'get',
  path: PATH,
  tag: 'audio',
  id: 'listen_to_voice',
  summary: 'What a voice sounds like',
  proof: 'key',
  reply: { contentType: 'audio/*', schema: { type: 'string', format: 'binary' } },
  others: ERROR_REPLIES,
}

async function answer(parts: PreviewParts, request: FastifyRequest<Requested>, reply: FastifyReply) {
  const url = await findUrl(parts, request)
  if (url === undefined) throw nothingHere()
  const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS)
  const found = await fetch(url, { redirect: 'error', signal }).catch((cause: unknown) => {
    throw new Refusal('unavailable', 'preview-away', {}, { cause })
  })
  const type = (found.headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (!found.ok || found.body === null || !AUDIO_TYPE.test(type)) {
    await found.body?.cancel()
    throw nothingHere()
  }
  reply.headers({
    'cache-control': `private, max-age=${KEPT_SECONDS}`,
    'x-content-type-options': 'nosniff',
    'content-disposition': dispositionOf(`voice-${request.params.id}`, type, AUDIO_TYPE),
  })
  return reply.type(type).send(Readable.from(limited(found.body), { objectMode: false }))
}

async function findUrl({ platform, db, identities, baseUrl }: PreviewParts, request: FastifyRequest<Requested>) {
  const identity = await authenticate(identities, request)
  const settings = await platform.settings.get()
  const { id } = request.params
  if (!ID_IN_ADDRESS.test(id)) return undefined
  const [voice] = await db.transaction((tx) => {
    const env = envOf({ platform, settings, identity }, tx)
    return records(env, 'connect.voiceai_voice').searchRead([['id', '=', Number(id)]], ['preview_url'], { limit: 1 })
  })
  return allowed(voice?.preview_url, baseUrl)
}

/** Undefined for an address that is not the platform's: nothing else is fetched for anybody. */
function allowed(written: unknown, baseUrl: string | undefined): string | undefined {
  if (typeof written !== 'string' || !URL.canParse(written)) return undefined
  const url = new URL(written)
  const isOfBase = baseUrl !== undefined && url.origin === new URL(baseUrl).origin
  const isPublished =
    url.protocol === 'https:' && url.host === HOST && url.username === '' && url.pathname.startsWith(FOLDER)
  return isOfBase || isPublished ? url.href : undefined
}

async function* limited(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > BYTES_MAX) throw new Error(`the preview has more than ${BYTES_MAX} bytes`)
    yield chunk
  }
}

function nothingHere(): Refusal {
  return new Refusal('not-found', 'preview-not-there')
}
