import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { param, statement } from '../../database/statement.ts'
import { asError, Refusal } from '../../errors.ts'
import { ID_IN_ADDRESS } from '../../lenient-values.ts'
import { requireAccess } from '../../platform/access/access.ts'
import type { Env, Platform } from '../../platform/access/env.ts'
import type { ApiOperation } from '../../platform/api/api-operation.ts'
import { ERROR_REPLIES } from '../../platform/api/openapi-replies.ts'
import { envOf, errorBody } from '../../platform/api/rpc.ts'
import { authenticate } from '../../platform/identity/authenticate.ts'
import type { Identities } from '../../platform/identity/identities.ts'
import { records } from '../../platform/records/records.ts'
import { ProviderRefused, ProviderUnavailable, type TelcoClient } from '../../ports/telco-client.ts'
import { passOn } from '../recordings/pass-on.ts'

const PATH = '/connect/message/:id/media/:n'
/** What a browser may show on our address; anything else, and what may hold a script, is only ever downloaded. */
const SHOWN_TYPE = /^(?:image\/(?:png|jpe?g|gif|webp)|(?:audio|video)\/[\w.+-]{1,40}|application\/pdf)$/
const FILE = 'application/octet-stream'
/** What is sent with a message has 16 MB at most (WhatsApp); whoever loads that slowly asks again for the rest. */
const TRANSFER_TIMEOUT_MS = 5 * 60_000
const KEPT_SECONDS = 600
const POSITION = /^\d{1,2}$/

interface MessageMediaParts {
  platform: Platform
  db: Database
  identities: Identities
  client: TelcoClient
}

interface Requested {
  Params: { id: string; n: string }
}

const MEDIA_OF = statement<{ url: string | null; type: string | null }, { id: number; n: number }>(
  'message_media_of',
  sql`select media -> ${param('n')}::int ->> 'url' as url, media -> ${param('n')}::int ->> 'type' as type
      from connect_message where id = ${param('id')} and direction = 'incoming'`,
)

/** What came with a message, for whoever may read it: passed on from the provider without its address or our credentials. */
export function messageMediaRoute(app: FastifyInstance, parts: MessageMediaParts): void {
  app.register((scope, _options, done) => {
    scope.setErrorHandler((thrown, request, reply) => refuse(parts, thrown, request, reply))
    // HEAD has a route of its own: the framework's would say that there are no bytes.
    scope.route<Requested>({ method: ['GET', 'HEAD'], url: PATH, handler: (...asked) => answer(parts, ...asked) })
    done()
  })
}

/** The route as the API document shows it. */
export const MESSAGE_MEDIA_OPERATION: ApiOperation = {
  method: 'get',
  path: PATH,
  tag: 'audio',
  id: 'open_media_of_message',
  summary: 'Picture, audio or file that came with a message; the first is 0',
  proof: 'key',
  reply: { contentType: '*/*', schema: { type: 'string', format: 'binary' } },
  others: { ...ERROR_REPLIES, 206: 'The part that the header Range asked for', 416: 'No such part' },
}

async function answer(parts: MessageMediaParts, request: FastifyRequest<Requested>, reply: FastifyReply) {
  const url = await findUrl(parts, request)
  const gone = new AbortController()
  reply.raw.once('close', () => gone.abort())
  const opened = await parts.client.openMessageMedia(url, {
    method: request.method === 'HEAD' ? 'HEAD' : 'GET',
    range: request.headers.range,
    signal: AbortSignal.any([gone.signal, AbortSignal.timeout(TRANSFER_TIMEOUT_MS)]),
  })
  const type = bareType(opened.contentType)
  const { id, n } = request.params
  reply.headers({
    'cache-control': `private, max-age=${KEPT_SECONDS}`,
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'content-disposition': `${type === FILE ? 'attachment' : 'inline'}; filename="message-${id}-${n}"`,
  })
  return passOn(opened, type, request, reply)
}

async function findUrl({ platform, db, identities }: MessageMediaParts, request: FastifyRequest<Requested>) {
  const identity = await authenticate(identities, request)
  const settings = await platform.settings.get()
  const { id, n } = request.params
  if (!ID_IN_ADDRESS.test(id) || !POSITION.test(n)) throw nothingHere()
  const found = await db.transaction(async (tx) => {
    const env = envOf({ platform, settings, identity }, tx)
    if (!(await isVisible(env, Number(id)))) return undefined
    const [row] = await tx.run(MEDIA_OF, { id: Number(id), n: Number(n) })
    return row?.url ?? undefined
  })
  if (found === undefined) throw nothingHere()
  return found
}

/** Not there and not allowed look alike. */
async function isVisible(env: Env, id: number): Promise<boolean> {
  try {
    requireAccess(env.identity, env.platform.models.get('connect.message'), 'read')
    await records(env, 'connect.message').requireVisible([id])
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

function refuse({ platform }: MessageMediaParts, thrown: unknown, request: FastifyRequest, reply: FastifyReply) {
  const refusal = asRefusal(thrown)
  if (refusal === undefined || refusal.kind === 'unavailable') {
    platform.log.error({ err: asError(thrown), url: request.url }, 'media of a message could not be served')
  }
  const { status, body } = errorBody(refusal ?? thrown)
  reply.removeHeader('content-disposition')
  return reply.code(status).header('cache-control', 'no-store').type('application/json; charset=utf-8').send(body)
}

function asRefusal(thrown: unknown): Refusal | undefined {
  if (thrown instanceof ProviderRefused) return nothingHere()
  if (thrown instanceof ProviderUnavailable) {
    const sentence = 'The media cannot be fetched from the phone provider right now.'
    return new Refusal('unavailable', sentence, { cause: thrown })
  }
  return thrown instanceof Refusal ? thrown : undefined
}

function nothingHere(): Refusal {
  return new Refusal('not-found', 'There are no such media, or they are not yours to see.')
}

function bareType(type: string | undefined): string {
  const bare = (type ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
  return SHOWN_TYPE.test(bare) ? bare : FILE
}
