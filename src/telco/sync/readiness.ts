import { Refusal } from '../../errors.ts'
import type { SettingsSnapshot } from '../../platform/settings/settings.ts'
import { privateAddressProblem } from '../../public-address.ts'
import { type Said, sayRefusal } from '../../refusals.ts'
import { apiUrlProblem, parseApiUrl } from '../client/api-url.ts'

/** The provider handles messages in its main region only. */
export const MESSAGE_REGION = 'us1'

/** Why nothing can be pushed to the phone provider yet; undefined when it can. */
export function findObstacle(settings: SettingsSnapshot): Said | undefined {
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

/** Which setting of the account is missing; undefined when there is an account to ask. */
export function credentialsProblem({ accountSid, authToken }: SettingsSnapshot): Said | undefined {
  if (!accountSid && !authToken) return sayRefusal('account-not-set')
  if (!accountSid) return sayRefusal('account-sid-not-set')
  return authToken ? undefined : sayRefusal('auth-token-not-set')
}

function refuseFor(problem: Said | undefined): void {
  if (problem !== undefined) throw Refusal.saying('refused', problem)
}

/** Why nothing of messages is compared or synchronised in the region of the settings; undefined when it is. */
export function outsideMessageRegion({ telcoRegion }: SettingsSnapshot): { difference: object } | undefined {
  if (telcoRegion === MESSAGE_REGION) return undefined
  const message = `Twilio has messages in the region ${MESSAGE_REGION} only; the settings say ${telcoRegion}.`
  return { difference: { what: 'region', message } }
}
