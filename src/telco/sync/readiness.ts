import { Refusal } from '../../errors.ts'
import type { SettingsSnapshot } from '../../platform/settings/settings.ts'
import { privateAddressProblem } from '../../public-address.ts'
import { apiUrlProblem, parseApiUrl } from '../client/api-url.ts'

/** The provider handles messages in its main region only. */
export const MESSAGE_REGION = 'us1'

/** Why nothing can be pushed to the phone provider yet, in one sentence; undefined when it can. */
export function findObstacle(settings: SettingsSnapshot): string | undefined {
  return credentialsProblem(settings) ?? apiUrlProblem(settings.apiUrl) ?? reachProblem(settings)
}

/** Throws a refusal with the sentence when nothing can be pushed to the phone provider yet. */
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

/** Which setting of the account is missing, in one sentence; undefined when there is an account to ask. */
export function credentialsProblem({ accountSid, authToken }: SettingsSnapshot): string | undefined {
  if (!accountSid && !authToken) return '"account_sid" and "auth_token" are not set: enter both in the settings first.'
  if (!accountSid) return '"account_sid" is not set: enter it in the settings first.'
  return authToken ? undefined : '"auth_token" is not set: enter it in the settings first.'
}
