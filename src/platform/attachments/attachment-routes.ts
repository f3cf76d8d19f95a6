import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { ID_IN_ADDRESS } from '../../lenient-values.ts'
import type { Env } from '../access/env.ts'
import type { Identity } from '../access/identity.ts'
import type { ApiOperation } from '../api/api-operation.ts'
import { ERROR_REPLIES } from '../api/openapi-replies.ts'
import { envOf } from '../api/rpc.ts'
import { type ApiParts, answerJsonErrors } from '../api/rpc-routes.ts'
import { authenticate } from '../identity/authenticate.ts'
import type { MediaStore } from '../media/media-store.ts'
import { sendStored } from '../media/send-stored.ts'
import { BYTES, dispositionOf, FILE_POLICY, SHOWN_TYPE, shownType } from '../media/shown-type.ts'
import { ATTACHMENT_PATH } from './attachment.ts'
import { FILE_BYTES_MAX } from './receive-file.ts'
import { findStoredFile, nothingHere } from './stored-file.ts'
import { type UploadRequest, Uploads } from './uploads.ts'

const UPLOAD = '/api/attachment'
const FILE = `${ATTACHMENT_PATH}:id`
const binary = { type: 'string', format: 'binary' }

const Sent = Type.Object({
  id: Type.Integer({ description: 'For `attachment_ids` of `message_post`.' }),
  name: Type.String(),
  type: Type.String({ description: 'By what the file begins with, whatever its sender calls it.' }),
  bytes: Type.Integer(),
  url: Type.String(),
})

/** As the API document shows them. */
export const ATTACHMENT_OPERATIONS: readonly ApiOperation[] = [
  {
    tag: 'files',
    proof: 'key',
    method: 'post',
    path: UPLOAD,
    id: 'send_attachment',
    summary: 'Send a file, to be put on a note; one that is on none goes after a day',
    query: { name: 'What the file is called' },
    request: { contentType: BYTES, schema: binary },
    reply: { contentType: 'application/json', schema: Sent },
  },
  {
    tag: 'files',
    proof: 'key',
    method: 'get',
    path: FILE,
    id: 'open_attachment',
    summary: 'A file on a note, for everybody who may read the record',
    reply: { contentType: '*/*', schema: binary },
    others: { ...ERROR_REPLIES, 206: 'The part that the header Range asked for', 416: 'No such part' },
  },
]

type Parts = ApiParts & { media: MediaStore }
interface FileRequest {
  Params: { id: string }
}

/** Takes in files for notes, and gives them to everybody who may read the record of the note. */
export function attachmentRoutes(app: FastifyInstance, parts: Parts): void {
  const uploads = new Uploads(parts)
  app.register((scope, _options, done) => {
    answerJsonErrors(scope, parts.platform)
    scope.addContentTypeParser(BYTES, (_request, payload, parsed) => parsed(null, payload))
    scope.post<UploadRequest>(UPLOAD, {
      bodyLimit: FILE_BYTES_MAX,
      onRequest: (request, reply) => uploads.begin(request, reply),
      handler: (request) => uploads.takeIn(request),
    })
    // HEAD has a route of its own: the framework's would say that there are no bytes.
    scope.route<FileRequest>({
      method: ['GET', 'HEAD'],
      url: FILE,
      handler: (request, reply) => give(parts, request, reply),
    })
    done()
  })
}

async function give(parts: Parts, request: FastifyRequest<FileRequest>, reply: FastifyReply): Promise<FastifyReply> {
  const identity = await authenticate(parts.identities, request)
  const { id } = request.params
  if (!ID_IN_ADDRESS.test(id)) throw nothingHere()
  const { name, type, reference } = await inTransaction(parts, identity, (env) => findStoredFile(env, Number(id)))
  reply.headers({
    'x-content-type-options': 'nosniff',
    'content-security-policy': FILE_POLICY,
    'content-disposition': dispositionOf(name, type, SHOWN_TYPE),
  })
  const sent = await sendStored(parts.media, { reference, type: shownType(type, SHOWN_TYPE) }, request, reply)
  if (sent === undefined) throw nothingHere()
  return sent
}

async function inTransaction<Result>(
  { db, platform }: Parts,
  identity: Identity,
  work: (env: Env) => Promise<Result>,
): Promise<Result> {
  const settings = await platform.settings.get()
  return db.transaction((tx) => work(envOf({ platform, settings, identity }, tx)))
}
