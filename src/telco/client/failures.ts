import type { RefusalKind } from '../../errors.ts'
import { cleanText } from '../../lenient-values.ts'
import { maskSecrets } from '../../platform/secrets/mask-secrets.ts'
import { ProviderRefused, ProviderUnavailable } from '../../ports/telco-client.ts'
import { sayRefusal } from '../../refusals.ts'

const MESSAGE_CHARS_MAX = 300
/** The account or its token are wrong, in whichever status that comes. */
const CREDENTIAL_CODES = new Set(['20003', '20005', '20006'])
const AWAY_STATUSES = new Set([429, 502, 503, 504])
/** The leg has ended, or has not begun. */
const NOT_LIVE_CODES = new Set(['21220', '15011'])

/** The provider does not believe that we are who we say: nothing will work before somebody changes the settings. */
export class CredentialsRefused extends ProviderUnavailable {
  readonly isOfCredentials = true
}

interface SdkError {
  status: number
  code: string | undefined
  message: string
}

/** What an error of the SDK means to us. Only words of the provider's answer are kept, and no secret among them. */
export function toProviderError(thrown: unknown, secrets: readonly string[]): ProviderRefused | ProviderUnavailable {
  if (thrown instanceof ProviderUnavailable || thrown instanceof ProviderRefused) return thrown
  const error = readSdkError(thrown)
  // Not an answer that the SDK can read: it may well have been carried out.
  if (error === undefined) {
    return new ProviderUnavailable('Twilio answered something unreadable', { mayHaveHappened: true })
  }
  const said = withoutSecrets(error.message, secrets)
  const what = error.code === undefined ? `HTTP ${error.status}` : `error ${error.code}`
  if (error.status === 401 || CREDENTIAL_CODES.has(error.code ?? '')) {
    return new CredentialsRefused(`Twilio refused the credentials (${what})`)
  }
  if (error.status === 429) return new ProviderUnavailable(`Twilio is asked too often (${what})`, { isAway: true })
  if (error.status >= 500) {
    return new ProviderUnavailable(`Twilio has a problem (${what})`, {
      mayHaveHappened: true,
      isAway: isAwayStatus(error.status),
    })
  }
  return new ProviderRefused(
    kindOf(error),
    'phone-provider-refused',
    { said, what },
    {
      providerCode: error.code,
    },
  )
}

/** Statuses of a provider, or of what stands before it, that is away for everybody (RFC 9110 15.6, RFC 6585 4). */
export function isAwayStatus(status: number): boolean {
  return AWAY_STATUSES.has(status)
}

/** What a person is told; anyone who asked for something gets a sentence either way. */
export const UNREACHABLE = sayRefusal('phone-provider-unreachable').message
export const CREDENTIALS_NOT_ACCEPTED = sayRefusal('phone-credentials-refused').message
export const MAYBE_DONE = sayRefusal('phone-provider-silent').message

function kindOf({ status, code }: SdkError): RefusalKind {
  if (NOT_LIVE_CODES.has(code ?? '')) return 'conflict'
  return status === 404 ? 'not-found' : 'refused'
}

function readSdkError(thrown: unknown): SdkError | undefined {
  if (!(thrown instanceof Error) || !('status' in thrown) || typeof thrown.status !== 'number') return undefined
  const code =
    'code' in thrown && (typeof thrown.code === 'number' || typeof thrown.code === 'string')
      ? String(thrown.code)
      : undefined
  return { status: thrown.status, code, message: typeof thrown.message === 'string' ? thrown.message : '' }
}

function withoutSecrets(message: string, secrets: readonly string[]): string {
  const said = cleanText(message).replaceAll(/\s+/g, ' ').trim()
  return maskSecrets(said, secrets).slice(0, MESSAGE_CHARS_MAX).toWellFormed() || 'no reason given'
}
