import { Refusal } from '../../errors.ts'
import type { SettingsSnapshot } from '../../platform/settings.ts'
import { privateAddressProblem } from '../../public-address.ts'
import { apiUrlProblem, parseApiUrl } from '../api-url.ts'

const NO_CREDENTIALS = 'Account SID or Auth Token not set: enter both in the settings first.'

/** Why the phone provider cannot be told anything yet, in one sentence; undefined when it can. */
export function findObstacle(settings: SettingsSnapshot): string | undefined {
  return credentialsProblem(settings) ?? apiUrlProblem(settings.apiUrl) ?? reachProblem(settings)
}

/** Throws a refusal with the sentence when the phone provider cannot be told anything yet. */
export function requireReady(settings: SettingsSnapshot): void {
  const obstacle = findObstacle(settings)
  if (obstacle !== undefined) throw new Refusal('refused', obstacle)
}

/** Throws a refusal when there is no account to ask anything about. */
export function requireCredentials(settings: SettingsSnapshot): void {
  const problem = credentialsProblem(settings)
  if (problem !== undefined) throw new Refusal('refused', problem)
}

function reachProblem({ apiUrl }: SettingsSnapshot): string | undefined {
  return privateAddressProblem(parseApiUrl(apiUrl)?.hostname ?? '')
}

function credentialsProblem({ accountSid, authToken }: SettingsSnapshot): string | undefined {
  return accountSid && authToken ? undefined : NO_CREDENTIALS
}
