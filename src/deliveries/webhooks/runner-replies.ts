import { asError } from '../../errors.ts'
import type { Authentication, Reply } from './webhook-table.ts'

/** Answers of the runner itself, whatever the table. */
export const TOO_LARGE: Reply = {
  status: 413,
  contentType: 'application/json; charset=utf-8',
  body: '{"error":"The body is too large."}',
}
/** The answer to a delivery that neither the database nor the disk could keep: its sender sends it again. */
export const NOT_SAVED: Reply = {
  status: 503,
  contentType: 'application/json; charset=utf-8',
  body: '{"error":"The delivery could not be saved. Send it again later."}',
}
export const BROKEN_BODY: Reply = {
  status: 503,
  contentType: 'application/json; charset=utf-8',
  body: '{"error":"The body could not be received."}',
}
export const NO_ROOM: Reply = {
  status: 503,
  contentType: 'application/json; charset=utf-8',
  body: '{"error":"Too many large bodies are being received; try again."}',
}

/** The verdict when a check of a sender throws: it lets nobody in. */
export function checkFailed(error: unknown): Extract<Authentication, { ok: false }> {
  return { ok: false, reason: `the check failed: ${asError(error).message}`, isSigned: true }
}
