import { Refusal } from '../../errors.ts'
import type { SettingsSnapshot } from '../../platform/settings/settings.ts'
import { privateAddressProblem } from '../../public-address.ts'
import { apiUrlProblem, parseApiUrl } from '../client/api-url.ts'

/** The provider handles messages in its main region only. */
export const MESSAGE_REGION = 'us1'

/** Why nothing can be pushed to the phone provider yet, in one sentence; undefined when it can. */
export function findObstacle(settings: SettingsSnapshot): string | undefined {
  const { apiUrl } = settings
  return (
    credentialsProblem(settings) ?? apiUrlProblem(apiUrl) ?? privateAddressProblem(parseApiUrl(apiUrl)?.hostname ?? '')
  )
}

/** Throws a refusal with the sentence when nothing can be pushed to the phone provider yet. */
export function requireReady(settings: SettingsSnapshot): void {
  refuseFor(findObstacle(settings))
}

/** Throws a refusal when there is no account to ask anything about. */
export function requireCredentials(settings: SettingsSnapshot): void {
  refuseFor(credentialsProblem(settings))
}

/** Which setting of the account is missing, in one sentence; undefined when there is an account to ask. */
export function credentialsProblem({ accountSid, authToken }: SettingsSnapshot): string | undefined {
  if (!accountSid && !authToken) return '"account_sid" and "auth_token" are not set: enter both in the settings first.'
  if (!accountSid) return '"account_sid" is not set: enter it in the settings first.'
  return authToken ? undefined : '"auth_token" is not set: enter it in the settings first.'
}

function refuseFor(problem: string | undefined): void {
  if (problem !== undefined) throw new Refusal('refused', problem)
}
