import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from '../../database/database.ts'
import { Refusal } from '../../errors.ts'
import { ID_IN_ADDRESS } from '../../lenient-values.ts'
import type { Platform } from '../../platform/access/env.ts'
import { envOf } from '../../platform/api/rpc.ts'
import { authenticate } from '../../platform/identity/authenticate.ts'
import type { Identities } from '../../platform/identity/identities.ts'
import type { MediaStore } from '../../platform/media/media-store.ts'
import { sendStored } from '../../platform/media/send-stored.ts'
import { fileEndingOf, shownType } from '../../platform/media/shown-type.ts'
import { equalInConstantTime } from '../../platform/secrets/secrets.ts'
import type { TelcoClient } from '../../ports/telco-client.ts'
import { AUDIO_ROUTES, type AudioSource, findAudio } from './audio-source.ts'
import { answerMediaErrors, askedOf, passOn } from './pass-on.ts'

/** How long one transfer may take: anyone who listens that slowly asks again for the rest. */
const TRANSFER_TIMEOUT_MS = 10 * 60_000
const NOT_KEPT = 'private, no-store'
/** Audio types that a browser is told; anything else is only bytes to it. */
const AUDIO_TYPE = /^audio\/[\w.+-]{1,40}$/

interface MediaRouteParts {
  platform: Platform
  db: Database
  identities: Identities
  media: MediaStore
  client: TelcoClient
}

/**
 * Audio for people who are signed in and may see the record: our own copy, else the provider's, passed on without its
 * address or our credentials. And whether this is the installation that somebody takes it for.
 */
export function recordingMediaRoutes(app: FastifyInstance, parts: MediaRouteParts): void {
  app.register((scope, _options, done) => {
    answerMediaErrors(scope, parts.platform, {
      nothingHere,
      away: 'audio-cannot-fetched-from-phone-provider',
      failed: 'audio could not be served',
      cacheControl: NOT_KEPT,
    })
    for (const route of AUDIO_ROUTES) {
      scope.route<{ Params: { id: string } }>({
        // HEAD has a route of its own: the framework's would say that there are no bytes.
        method: ['GET', 'HEAD'],
        url: `/connect/${route.path}/:id`,
        async handler(request, reply) {
          const source = await findSource(parts, route, request)
          const headers = { 'cache-control': NOT_KEPT, 'x-content-type-options': 'nosniff' }
          reply.headers(headers)
          return (await sendOwn(parts, source, request, reply)) ?? sendProviders(parts, source, request, reply)
        },
      })
    }
    scope.get<{ Params: { uid: string } }>('/connect/:uid/', async (request, reply) => {
      const { instanceUid } = await parts.platform.settings.get()
      reply.type('text/plain; charset=utf-8').header('cache-control', 'no-store')
      return reply.send(equalInConstantTime(request.params.uid, instanceUid) ? 'True' : 'False')
    })
    done()
  })
}

async function findSource(
  { platform, db, identities }: MediaRouteParts,
  route: (typeof AUDIO_ROUTES)[number],
  request: FastifyRequest<{ Params: { id: string } }>,
): Promise<AudioSource> {
  const identity = await authenticate(identities, request)
  const { id } = request.params
  const settings = await platform.settings.get()
  const source = ID_IN_ADDRESS.test(id)
    ? await db.transaction((tx) => findAudio(envOf({ platform, settings, identity }, tx), Number(id), route))
    : undefined
  if (source === undefined) throw nothingHere()
  return source
}

/** Undefined when we have no copy. */
async function sendOwn(
  { media }: MediaRouteParts,
  { reference, type }: AudioSource,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply | undefined> {
  if (reference === undefined) return undefined
  const shown = shownType(type, AUDIO_TYPE)
  nameFile(request, reply, shown)
  return sendStored(media, { reference, type: shown }, request, reply)
}

async function sendProviders(
  { client }: MediaRouteParts,
  { url }: AudioSource,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (url === undefined) throw nothingHere()
  const answer = await client.openMedia(url, askedOf(request, reply, TRANSFER_TIMEOUT_MS))
  const shown = shownType(answer.contentType, AUDIO_TYPE)
  nameFile(request, reply, shown)
  return passOn(answer, shown, request, reply)
}

/** A download is named after its record, with the ending of its type: `recording-7.mp3`. */
function nameFile(request: FastifyRequest, reply: FastifyReply, type: string): void {
  const [, , kind = '', id = ''] = new URL(request.url, 'http://here').pathname.split('/')
  const filename = `${kind.replace(/s$/, '')}-${id}${fileEndingOf(type)}`
  reply.header('content-disposition', `inline; filename="${filename}"`)
}

function nothingHere(): Refusal {
  return new Refusal('not-found', 'no-audio-not-yours-hear')
}
