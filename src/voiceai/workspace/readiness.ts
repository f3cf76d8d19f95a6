import { Refusal } from '../../errors.ts'
import type { SettingsSnapshot } from '../../platform/settings/settings.ts'
import { isLocalHost, privateAddressProblem } from '../../public-address.ts'
import { type Said, sayRefusal } from '../../refusals.ts'

/** What is needed before anything is pushed to the platform. */
export interface ReadySettings {
  apiUrl: string
  token: string
}

/** Why nothing is pushed to the platform by itself, or not this; undefined when it is. */
export function findObstacle(settings: SettingsSnapshot, push?: { kind: string }): Said | undefined {
  // What a trial has left there goes also once voice agents are off.
  if (push?.kind === 'remove-trial' && settings.voiceaiApiKey !== undefined) return undefined
  return findGap(settings) ?? (settings.voiceaiEnabled ? undefined : sayRefusal('voice-agents-off'))
}

/** Throws a refusal with the sentence while nothing is pushed to the platform by itself. */
export function requireOn(settings: SettingsSnapshot): void {
  const obstacle = findObstacle(settings)
  if (obstacle !== undefined) throw Refusal.saying('refused', obstacle)
}

/**
 * Throws a refusal with the sentence when nothing can be pushed to the platform yet. Somebody who asks for it may
 * synchronise while voice agents are switched off: only the webhooks are left out then
 * (docs/reference/domain.md#voice-agent-sync).
 */
export function requireReady(settings: SettingsSnapshot): ReadySettings {
  const gap = findGap(settings)
  const { apiUrl, voiceaiAgentToken: token } = settings
  if (gap !== undefined) throw Refusal.saying('refused', gap)
  if (apiUrl === undefined || token === undefined) throw new Error('there is no API URL or no agent token')
  return { apiUrl, token }
}

function findGap({ voiceaiApiKey, apiUrl }: SettingsSnapshot): Said | undefined {
  if (voiceaiApiKey === undefined) return sayRefusal('voice-key-not-set')
  if (apiUrl === undefined || apiUrl.trim() === '') return sayRefusal('voice-address-not-set')
  const url = URL.canParse(apiUrl) ? new URL(apiUrl) : undefined
  // Being local wins.
  if (url !== undefined && isLocalHost(url.hostname)) return sayRefusal('address-local')
  if (url?.protocol !== 'https:') return sayRefusal('address-not-https')
  return privateAddressProblem(url.hostname)
}
