import { Refusal } from '../../errors.ts'
import type { SettingsSnapshot } from '../../platform/settings.ts'
import { NO_API_KEY } from '../client/provider-error.ts'

// Both sentences are the reference's own (domain 1.1.1); being local wins.
const PLAIN_HTTP = 'Invalid api url! Please use HTTPS instead of HTTP to ensure a secure connection!'
const LOCAL = 'Invalid api url! Localhost is not allowed! Please use a valid and secure domain!'
const NO_API_URL = 'API URL not set: the platform needs the public https address of this service.'
const DISABLED = 'Voice agents are switched off: switch "voiceai_enabled" on first.'

const LOCAL_HOST = /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|0\.0\.0\.0|\[::1\])$/i

/** What is needed before the platform can be told anything. */
export interface ReadySettings {
  apiUrl: string
  token: string
}

/** Why the platform cannot be told anything yet, in one sentence; undefined when it can. */
export function findObstacle(settings: SettingsSnapshot): string | undefined {
  if (settings.voiceaiApiKey === undefined) return NO_API_KEY
  return findAddressProblem(settings.apiUrl) ?? (settings.voiceaiEnabled ? undefined : DISABLED)
}

/** Throws a refusal with the sentence when the platform cannot be told anything yet. */
export function requireReady(settings: SettingsSnapshot): ReadySettings {
  const obstacle = findObstacle(settings)
  const { apiUrl, voiceaiAgentToken: token } = settings
  if (obstacle !== undefined) throw new Refusal('refused', obstacle)
  if (apiUrl === undefined || token === undefined) throw new Error('there is no API URL or no agent token')
  return { apiUrl, token }
}

function findAddressProblem(apiUrl: string | undefined): string | undefined {
  if (apiUrl === undefined || apiUrl.trim() === '') return NO_API_URL
  const url = URL.canParse(apiUrl) ? new URL(apiUrl) : undefined
  if (url !== undefined && LOCAL_HOST.test(url.hostname)) return LOCAL
  return url?.protocol === 'https:' ? undefined : PLAIN_HTTP
}
