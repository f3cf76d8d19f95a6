import { Refusal } from '../../errors.ts'

const KILOBYTE = 1024
/** Bytes of the text of one note: a page shows a hundred of them. */
export const NOTE_BYTES_MAX = 64 * KILOBYTE

/** Refuses a note that somebody writes, and that is too long to be one. */
export function requireNoteFits(text: string): void {
  if (Buffer.byteLength(text) <= NOTE_BYTES_MAX) return
  throw new Refusal('refused', 'note-too-long', { kilobytes: NOTE_BYTES_MAX / KILOBYTE })
}
