import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { asError, Refusal } from '../../errors.ts'
import type { Env } from '../access/env.ts'
import { GROUP, type Identity } from '../access/identity.ts'
import { envOf } from '../api/rpc.ts'
import type { ApiParts } from '../api/rpc-routes.ts'
import { authenticate } from '../identity/authenticate.ts'
import type { MediaStore } from '../media/media-store.ts'
import { BYTES } from '../media/shown-type.ts'
import {
  type Attachment,
  dropAttachment,
  finishAttachment,
  type ReservedFile,
  reserveAttachment,
} from './attachment.ts'
import { readFileName } from './file-name.ts'
import { FILE_BYTES_MAX, receiveFile, requireFits, whyNotStored } from './receive-file.ts'

/** A file for a note, as it is sent. */
export interface UploadRequest {
  Querystring: { name?: string }
}

interface Upload {
  identity: Identity
  reserved: ReservedFile
  /** Gives the room on the disk back. */
  giveBack(): void
  /** Its bytes are being read. */
  isTaken: boolean
}

/**
 * Files on their way. What a file may take of its sender's share and of the disk is kept before any of it is read, and given
 * back when it does not come.
 */
export class Uploads {
  readonly #parts: ApiParts & { media: MediaStore }
  readonly #found = new WeakMap<FastifyRequest, Upload>()

  constructor(parts: ApiParts & { media: MediaStore }) {
    this.#parts = parts
  }

  /** Before the body: of people who work here, and who have not sent a lot already. */
  async begin(request: FastifyRequest<UploadRequest>, reply: FastifyReply): Promise<void> {
    const { identities } = this.#parts
    const identity = await authenticate(identities, request)
    if (!identity.groups.has(GROUP.internal)) throw new Refusal('forbidden', 'files-not-allowed')
    const declared = Number(request.headers['content-length'] ?? 0)
    requireFits(declared)
    const bytes = request.headers['transfer-encoding'] === undefined ? declared : FILE_BYTES_MAX
    const giveBack = this.#keepRoom(bytes)
    try {
      const name = readFileName(request.query.name ?? '')
      const reserved = await this.#inTransaction(identity, (env) => reserveAttachment(env, { name, bytes }))
      const upload = { identity, reserved, giveBack, isTaken: false }
      this.#found.set(request, upload)
      // Of the person who went away, or was refused, before the file was looked at.
      reply.raw.once('close', () => {
        if (!upload.isTaken) void this.#drop(upload)
      })
      if (reply.raw.closed) await this.#drop(upload)
    } catch (error) {
      giveBack()
      throw error
    }
  }

  /** Stores the bytes of a file that was begun. */
  async takeIn(request: FastifyRequest<UploadRequest>): Promise<Attachment> {
    const upload = this.#found.get(request)
    if (upload === undefined) throw new Error('a file comes that nobody has begun')
    upload.isTaken = true
    try {
      // JSON comes as what it says, and no body at all as nothing.
      if (!(request.body instanceof Readable)) throw new Refusal('wrong-type', 'api-file-sent-as', { type: BYTES })
      const file = await receiveFile(this.#parts.media, request.body)
      const sent = await this.#inTransaction(upload.identity, (env) => finishAttachment(env, upload.reserved, file))
      if (sent === undefined) {
        // No row counts its bytes, and none would take them away.
        await this.#parts.media.remove(file.reference)
        throw new Refusal('conflict', 'file-late')
      }
      upload.giveBack()
      return sent
    } catch (error) {
      await this.#drop(upload)
      throw error
    }
  }

  #keepRoom(bytes: number): () => void {
    try {
      return this.#parts.media.expect(bytes)
    } catch (error) {
      throw whyNotStored(error)
    }
  }

  async #drop({ reserved, giveBack }: Upload): Promise<void> {
    giveBack()
    try {
      await dropAttachment(this.#parts.db, reserved)
    } catch (error) {
      // It goes after a day, like every file that is on no note.
      this.#parts.platform.log.warn({ err: asError(error) }, 'a file that did not come is still counted')
    }
  }

  async #inTransaction<Result>(identity: Identity, work: (env: Env) => Promise<Result>): Promise<Result> {
    const { db, platform } = this.#parts
    const settings = await platform.settings.get()
    return db.transaction((tx) => work(envOf({ platform, settings, identity }, tx)))
  }
}
