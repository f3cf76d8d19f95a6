import type { IncomingHttpHeaders } from 'node:http'
import { MASK } from '../../platform/secrets/secrets.ts'
import type { SettingsSnapshot } from '../../platform/settings/settings.ts'
import type { VerificationSettings } from '../inbox/settings-file.ts'

/** Characters kept of one header. */
const HEADER_CHARS_MAX = 1_000
/** Headers whose value opens doors. A telephony signature stays: it opens none without the Auth Token and explains refusals. */
const SECRET_HEADERS = new Set(['authorization', 'cookie', 'proxy-authorization', 'x-voiceai-agent-token', 'x-api-key'])
/** Anything shorter would be found in the middle of ordinary words, and opens nothing worth the name. */
const SECRET_CHARS_MIN = 8

/** Headers as they may be kept and shown. */
export function redactHeaders(headers: IncomingHttpHeaders, secrets: readonly string[]): Record<string, string> {
  const kept: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined) continue
    const text = redactText(Array.isArray(value) ? value.join(', ') : value, secrets)
    kept[name] = SECRET_HEADERS.has(name) ? MASK : text.slice(0, HEADER_CHARS_MAX).replaceAll('\0', '').toWellFormed()
  }
  return kept
}

/** A text without our own secrets, wherever in it somebody has put one. */
export function redactText(text: string, secrets: readonly string[]): string {
  return secrets.reduce((kept, secret) => kept.replaceAll(secret, MASK), text)
}

/** Of settings from a file there are fewer secrets: only those that deliveries are verified with. */
type Known = VerificationSettings & Partial<Pick<SettingsSnapshot, 'voiceaiApiKey' | 'telcoApiSecret'>>

const secretsOfSettings = new WeakMap<Known, readonly string[]>()

/** What must not be kept outside the settings. */
export function secretsOf(settings: Known | undefined): readonly string[] {
  if (settings === undefined) return []
  const secrets = secretsOfSettings.get(settings) ?? listSecrets(settings)
  secretsOfSettings.set(settings, secrets)
  return secrets
}

function listSecrets(settings: Known): readonly string[] {
  const { voiceaiApiKey, voiceaiAgentToken, authToken, telcoApiSecret, postCallSecrets } = settings
  const set = [voiceaiApiKey, voiceaiAgentToken, authToken, telcoApiSecret, ...postCallSecrets].filter(
    (secret) => secret !== undefined,
  )
  return set.filter((secret) => secret.length >= SECRET_CHARS_MIN)
}
