import type { IncomingHttpHeaders } from 'node:http'
import { MASK } from '../platform/secrets.ts'

/** Characters kept of one header. */
const HEADER_CHARS_MAX = 1_000
/** Headers whose value opens doors. A telephony signature stays: it opens none without the Auth Token and explains refusals. */
const SECRET_HEADERS = new Set(['authorization', 'cookie', 'proxy-authorization', 'x-voiceai-agent-token', 'x-api-key'])

/** Headers as they may be kept and shown. */
export function redactHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const kept: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined) continue
    const text = Array.isArray(value) ? value.join(', ') : value
    kept[name] = SECRET_HEADERS.has(name) ? MASK : text.slice(0, HEADER_CHARS_MAX).replaceAll('\0', '').toWellFormed()
  }
  return kept
}
