import type { IncomingHttpHeaders } from 'node:http'
import { MASK } from '../../platform/secrets/secrets.ts'

/** Characters kept of one header. */
const HEADER_CHARS_MAX = 1_000
/** Headers whose value opens doors. A telephony signature stays: it opens none without the Auth Token and explains refusals. */
const SECRET_HEADER = /^(?:(?:proxy-)?authorization|cookie|x-api-key|x-(?:\w+-)+token)$/

/** Headers as they may be kept and shown. */
export function redactHeaders(headers: IncomingHttpHeaders, secrets: readonly string[]): Record<string, string> {
  const kept: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined) continue
    const text = redactText(Array.isArray(value) ? value.join(', ') : value, secrets)
    kept[name] = SECRET_HEADER.test(name) ? MASK : text.slice(0, HEADER_CHARS_MAX).replaceAll('\0', '').toWellFormed()
  }
  return kept
}

/** A text without our own secrets, wherever in it somebody has put one. */
export function redactText(text: string, secrets: readonly string[]): string {
  return secrets.reduce((kept, secret) => kept.replaceAll(secret, MASK), text)
}
