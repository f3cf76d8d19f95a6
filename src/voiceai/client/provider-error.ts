import { maskSecrets } from '../../platform/secrets/mask-secrets.ts'
import { sayRefusal } from '../../refusals.ts'
import { readRetryAfter } from '../../retry-after.ts'

/** Why the platform did not do what it was asked. */
export type FailureKind =
  /** No key, or one that is not accepted. */
  | 'credentials'
  | 'missing'
  | 'conflict'
  | 'refused'
  /** Too many requests: not done, and safe to ask again. */
  | 'busy'
  /** No answer, or none that can be read: it may have been done. */
  | 'unavailable'

/** The voice-agent platform failed us. The message is one sentence for a person and carries no secret. */
export class VoiceaiError extends Error {
  readonly kind: FailureKind
  readonly retryAfterMs: number | undefined
  /** It cannot be reached, or is too busy: that says nothing of what it was asked. */
  readonly isAway: boolean
  readonly isOfCredentials: boolean

  constructor(
    kind: FailureKind,
    message: string,
    options: ErrorOptions & { retryAfterMs?: number | undefined; isAway?: boolean } = {},
  ) {
    super(message, options)
    this.name = 'VoiceaiError'
    this.kind = kind
    this.retryAfterMs = options.retryAfterMs
    this.isOfCredentials = kind === 'credentials'
    this.isAway = options.isAway ?? kind === 'busy'
  }
}

export const NO_API_KEY = sayRefusal('voice-key-not-set').message

export const NOT_UNDERSTOOD = 'ElevenLabs answered in a way that is not understood.'
/** Comes with the status of a wrong key (docs/reference/providers.md#platform-errors), which it is not. */
const QUOTA = 'quota_exceeded'
const NO_QUOTA = 'The quota of the account at ElevenLabs is used up.'
const DETAIL_CHARS_MAX = 300
const STATUS = {
  badRequest: 400,
  unauthorized: 401,
  forbidden: 403,
  notFound: 404,
  conflict: 409,
  tooMany: 429,
  serverError: 500,
} as const

/** Of the platform, or of what stands before it: it is away for everybody (RFC 9110 15.6, RFC 6585 4). */
const AWAY_STATUSES = new Set([429, 502, 503, 504])

/** What the SDK's errors tell, whatever their class: they are told apart by what they carry. */
interface SdkError {
  statusCode?: number
  body?: unknown
  rawResponse?: { headers?: Headers }
}

/** Turns whatever the SDK or the network threw into one sentence, with every known secret taken out. */
export function toVoiceaiError(thrown: unknown, secrets: readonly string[]): VoiceaiError {
  if (thrown instanceof VoiceaiError) return thrown
  const { statusCode, body, rawResponse } = (typeof thrown === 'object' && thrown !== null ? thrown : {}) as SdkError
  // Only the sentence is kept of an error: its body and its request may hold secrets, and causes end up in logs.
  if (statusCode === undefined) {
    const sentence = unreachable(thrown)
    return new VoiceaiError('unavailable', sentence, { isAway: sentence !== NOT_UNDERSTOOD })
  }
  const detail = withoutSecrets(readDetail(body), secrets)
  if (readKey(readKey(body, 'detail'), 'status') === QUOTA) return new VoiceaiError('refused', NO_QUOTA)
  const { kind, message } = describe(statusCode, detail === '' ? '' : `: ${detail}`)
  return new VoiceaiError(kind, message, {
    retryAfterMs: readRetryAfter(rawResponse?.headers?.get('retry-after'), new Date()),
    isAway: AWAY_STATUSES.has(statusCode),
  })
}

function describe(status: number, detail: string): { kind: FailureKind; message: string } {
  switch (status) {
    case STATUS.unauthorized:
      return { kind: 'credentials', message: `ElevenLabs does not accept the API key${detail}.` }
    case STATUS.forbidden:
      // What a key may not do is its own question for each record.
      return { kind: 'refused', message: `ElevenLabs does not allow this with the API key${detail}.` }
    case STATUS.notFound:
      return { kind: 'missing', message: `ElevenLabs does not know the record${detail}.` }
    case STATUS.conflict:
      return { kind: 'conflict', message: `ElevenLabs has it already${detail}.` }
    case STATUS.tooMany:
      return { kind: 'busy', message: `ElevenLabs has too many requests at the moment${detail}.` }
    default:
      if (status >= STATUS.badRequest && status < STATUS.serverError) {
        return { kind: 'refused', message: `ElevenLabs refused it (status ${status})${detail}.` }
      }
      return { kind: 'unavailable', message: `ElevenLabs failed (status ${status})${detail}.` }
  }
}

/** Classes of the SDK are recognised by name, so that this file does not load it. */
function unreachable(thrown: unknown): string {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown))
  const isUnreadable = error.name === 'ParseError' || error.name === 'JsonError' || error instanceof SyntaxError
  // The SDK keeps of our own error only the sentence.
  if (isUnreadable || error.message.includes(NOT_UNDERSTOOD)) return NOT_UNDERSTOOD
  if (/time|abort/i.test(error.name) || /timeout|aborted/i.test(error.message)) {
    return 'ElevenLabs did not answer in time.'
  }
  const code = findCode(error)
  const named = code === undefined ? '' : ` (${code})`
  return `ElevenLabs cannot be reached${named}.`
}

function findCode(error: Error): string | undefined {
  for (let each: unknown = error, depth = 0; each instanceof Error && depth < 5; each = each.cause, depth += 1) {
    if ('code' in each && typeof each.code === 'string' && /^[A-Z][A-Z0-9_]{2,40}$/.test(each.code)) return each.code
  }
  return undefined
}

/** The sentence in `{"detail": {"message"}}`, or what is wrong where in `{"detail": [{loc, msg}]}`. */
function readDetail(body: unknown): string {
  const detail = readKey(body, 'detail')
  if (typeof detail === 'string') return detail
  if (!Array.isArray(detail)) return asText(readKey(detail, 'message')) || asText(readKey(detail, 'status'))
  return detail.map((each) => `${placeOf(readKey(each, 'loc'))} ${asText(readKey(each, 'msg'))}`.trim()).join('; ')
}

function placeOf(location: unknown): string {
  return Array.isArray(location) ? location.filter((each) => each !== 'body').join('.') : ''
}

function readKey(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function withoutSecrets(text: string, secrets: readonly string[]): string {
  const line = maskSecrets(text, secrets).replaceAll(/\s+/g, ' ').trim().replace(/\.+$/, '')
  return line.length <= DETAIL_CHARS_MAX ? line : `${line.slice(0, DETAIL_CHARS_MAX).toWellFormed()}…`
}
