import { hash } from 'node:crypto'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Queryable } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { param, statement } from '../../database/statement.ts'
import { ID_IN_ADDRESS } from '../../lenient-values.ts'
import { hasTag } from '../../platform/api/openapi-documents.ts'
import { dispositionOf, SHOWN_TYPE } from '../../platform/media/shown-type.ts'
import { equalInConstantTime } from '../../platform/secrets/secrets.ts'
import { speechPath } from '../../ports/speech-address.ts'

const FIND = statement<{ filename: string; file: Uint8Array | null }, { id: number }>(
  'speech_file',
  sql`select filename, file from connect_voiceai_file where id = ${param('id')}`,
)

const AUDIO_TYPE = 'audio/mpeg'
/** Audio at one address never changes: other audio gets another address. */
const CACHE = 'public, max-age=86400, immutable'

/**
 * Serves generated speech to everybody who knows its address, so that the telephony provider can play it. The address cannot
 * be guessed, and how long a wrong guess takes says nothing.
 */
export function speechFileRoutes(app: FastifyInstance, { db }: { db: Queryable }): void {
  app.get<{ Params: { id: string; filename: string } }>(
    speechPath({ id: ':id', filename: ':filename' }),
    async ({ params, headers }, reply) => {
      const audio = await findAudio(db, params)
      if (audio === undefined) return notFound(reply)
      const tag = `"${hash('sha256', audio, 'base64url')}"`
      reply.headers({
        etag: tag,
        'cache-control': CACHE,
        'x-content-type-options': 'nosniff',
        'content-disposition': dispositionOf(`speech-${params.id}`, AUDIO_TYPE, SHOWN_TYPE),
      })
      if (hasTag(headers['if-none-match'], tag)) return reply.code(304).send()
      return reply.type(AUDIO_TYPE).send(audio)
    },
  )
}

async function findAudio(db: Queryable, { id, filename }: { id: string; filename: string }) {
  if (!ID_IN_ADDRESS.test(id)) return undefined
  const [row] = await db.run(FIND, { id: Number(id) })
  if (row?.file == null || !equalInConstantTime(row.filename, filename)) return undefined
  return Buffer.from(row.file)
}

function notFound(reply: FastifyReply): FastifyReply {
  return reply.code(404).type('application/json; charset=utf-8').send({ error: 'There is no such file.' })
}
