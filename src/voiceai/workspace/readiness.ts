import { Refusal } from '../../errors.ts'
import type { SettingsSnapshot } from '../../platform/settings/settings.ts'
import { isLocalHost, NO_HTTPS, NO_LOCALHOST, privateAddressProblem } from '../../public-address.ts'
import { NO_API_KEY } from '../client/provider-error.ts'

const NO_API_URL = 'API URL not set: the platform needs the public https address of this service.'
const DISABLED = 'Voice agents are switched off: switch "voiceai_enabled" on first.'

/** What is needed before anything is pushed to the platform. */
export interface ReadySettings {
  apiUrl: string
  token: string
}

/** Why nothing is pushed to the platform by itself, in one sentence; undefined when it is. */
export function findObstacle(settings: SettingsSnapshot): string | undefined {
  return findGap(settings) ?? (settings.voiceaiEnabled ? undefined : DISABLED)
}

/** Throws a refusal with the sentence while nothing is pushed to the platform by itself. */
export function requireOn(settings: SettingsSnapshot): void {
  const obstacle = findObstacle(settings)
  if (obstacle !== undefined) throw new Refusal('refused', obstacle)
}

/**
 * Throws a refusal with the sentence when nothing can be pushed to the platform yet. Somebody who asks for it may
 * synchronise while voice agents are switched off: only the webhooks are left out then
 * (docs/reference/domain.md#voice-agent-sync).
 */
export function requireReady(settings: SettingsSnapshot): ReadySettings {
  const gap = findGap(settings)
  const { apiUrl, voiceaiAgentToken: token } = settings
  if (gap !== undefined) throw new Refusal('refused', gap)
  if (apiUrl === undefined || token === undefined) throw new Error('there is no API URL or no agent token')
  return { apiUrl, token }
}

function findGap({ voiceaiApiKey, apiUrl }: SettingsSnapshot): string | undefined {
  if (voiceaiApiKey === undefined) return NO_API_KEY
  if (apiUrl === undefined || apiUrl.trim() === '') return NO_API_URL
  const url = URL.canParse(apiUrl) ? new URL(apiUrl) : undefined
  // Being local wins.
  if (url !== undefined && isLocalHost(url.hostname)) return NO_LOCALHOST
  if (url?.protocol !== 'https:') return NO_HTTPS
  return privateAddressProblem(url.hostname)
}
