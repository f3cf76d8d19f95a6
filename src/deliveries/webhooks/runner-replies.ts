import { asError } from '../../errors.ts'
import type { Authentication, Reply } from './webhook-table.ts'

/** Answers of the runner itself, whatever the table. */
export const TOO_LARGE = errorReply(413, 'The body is too large.')
/** The answer to a delivery that neither the database nor the disk could save: its sender sends it again. */
export const NOT_SAVED = errorReply(503, 'The delivery could not be saved. Send it again later.')
export const BROKEN_BODY = errorReply(503, 'The body could not be received.')
export const NO_ROOM = errorReply(503, 'Too many large bodies are being received; try again.')

function errorReply(status: number, error: string): Reply {
  return { status, contentType: 'application/json; charset=utf-8', body: JSON.stringify({ error }) }
}

/** The verdict when a check of a sender throws: it lets nobody in. */
export function checkFailed(error: unknown): Extract<Authentication, { ok: false }> {
  return { ok: false, reason: `The check of the signature failed: ${asError(error).message}`, isSigned: true }
}
