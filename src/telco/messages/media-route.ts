import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { param, statement } from '../../database/statement.ts'
import { Refusal } from '../../errors.ts'
import { ID_IN_ADDRESS } from '../../lenient-values.ts'
import { requireAccess } from '../../platform/access/access.ts'
import type { Env, Platform } from '../../platform/access/env.ts'
import type { ApiOperation } from '../../platform/api/api-operation.ts'
import { ERROR_REPLIES } from '../../platform/api/openapi-replies.ts'
import { envOf } from '../../platform/api/rpc.ts'
import { authenticate } from '../../platform/identity/authenticate.ts'
import type { Identities } from '../../platform/identity/identities.ts'
import { BYTES, FILE_POLICY, fileEndingOf, SHOWN_TYPE, shownType } from '../../platform/media/shown-type.ts'
import { records } from '../../platform/records/records.ts'
import type { TelcoClient } from '../../ports/telco-client.ts'
import { answerMediaErrors, askedOf, passOn } from '../recordings/pass-on.ts'

const PATH = '/connect/message/:id/media/:n'
/** What is sent with a message has 16 MB at most (WhatsApp); anyone who loads that slowly asks again for the rest. */
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

interface MediaOf {
  url: string | null
  is_of_template: boolean
}

const MEDIA_OF = statement<MediaOf, { id: number; n: number }>(
  'message_media_of',
  sql`select coalesce(media -> ${param('n')}::int ->> 'url', case when media is null and ${param('n')}::int = 0 then media_url end) as url,
        direction is distinct from 'incoming' as is_of_template
      from connect_message where id = ${param('id')} and (direction = 'incoming' or content_sid is not null)`,
)

/**
 * What came with a message, or was shown by its template, for everybody who may read it: passed on from the provider, or from where the
 * template has it, without that address or our credentials.
 */
export function messageMediaRoute(app: FastifyInstance, parts: MessageMediaParts): void {
  app.register((scope, _options, done) => {
    answerMediaErrors(scope, parts.platform, {
      nothingHere,
      away: 'media-away',
      failed: 'media of a message could not be served',
      cacheControl: 'no-store',
    })
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
  summary: 'Picture, audio or file that came with a message, or that its template showed; the first is 0',
  proof: 'key',
  reply: { contentType: '*/*', schema: { type: 'string', format: 'binary' } },
  others: { ...ERROR_REPLIES, 206: 'The part that the header Range asked for', 416: 'No such part' },
}

async function answer(parts: MessageMediaParts, request: FastifyRequest<Requested>, reply: FastifyReply) {
  const { url, isOfTemplate } = await findMedia(parts, request)
  const asked = askedOf(request, reply, TRANSFER_TIMEOUT_MS)
  const { client } = parts
  const opened = await (isOfTemplate ? client.openTemplateMedia(url, asked) : client.openMessageMedia(url, asked))
  const type = shownType(opened.contentType, SHOWN_TYPE)
  const { id, n } = request.params
  reply.headers({
    'cache-control': `private, max-age=${KEPT_SECONDS}`,
    'x-content-type-options': 'nosniff',
    'content-security-policy': FILE_POLICY,
    'content-disposition': `${type === BYTES ? 'attachment' : 'inline'}; filename="message-${id}-${n}${fileEndingOf(opened.contentType)}"`,
  })
  return passOn(opened, type, request, reply)
}

async function findMedia({ platform, db, identities }: MessageMediaParts, request: FastifyRequest<Requested>) {
  const identity = await authenticate(identities, request)
  const settings = await platform.settings.get()
  const { id, n } = request.params
  if (!ID_IN_ADDRESS.test(id) || !POSITION.test(n)) throw nothingHere()
  const found = await db.transaction(async (tx) => {
    const env = envOf({ platform, settings, identity }, tx)
    if (!(await isVisible(env, Number(id)))) return undefined
    const [row] = await tx.run(MEDIA_OF, { id: Number(id), n: Number(n) })
    return row?.url ? { url: row.url, isOfTemplate: row.is_of_template } : undefined
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

function nothingHere(): Refusal {
  return new Refusal('not-found', 'media-not-there')
}
