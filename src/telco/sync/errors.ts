import { Refusal } from '../../errors.ts'
import { ProviderRefused, ProviderUnavailable } from '../../ports/telco-client.ts'
import type { ProviderErrors } from '../../sync/provider.ts'
import { serviceSentence } from '../../sync/push-failure.ts'
import { CredentialsRefused, MAYBE_DONE, UNREACHABLE } from '../client/failures.ts'

/** What pushing a record came to. */
export type PushOutcome = 'created' | 'adopted' | 'updated' | 'removed' | 'unchanged'

const CHECK_AUTH_KEY = 'check the Account SID and the Auth Token in the settings'

/** What a person reads of a failure: the provider's reason in a sentence, or that the log knows. */
export function sentenceOf(thrown: unknown): string {
  if (thrown instanceof CredentialsRefused) return `The ${thrown.message.replace(/^the /i, '')}: ${CHECK_AUTH_KEY}.`
  if (thrown instanceof ProviderUnavailable) return thrown.mayHaveHappened ? MAYBE_DONE : UNREACHABLE
  return serviceSentence(thrown)
}

function isWorthRepeating(failure: Error): boolean {
  return !(failure instanceof Refusal || failure instanceof CredentialsRefused)
}

/** False when the provider does not know what is asked about. */
export async function unlessMissing(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    if (isMissing(error)) return false
    throw error
  }
}

export function isMissing(thrown: unknown): boolean {
  return thrown instanceof ProviderRefused && thrown.kind === 'not-found'
}

/** Whether something may have been made although nobody said so, or had been made before. */
export function mayExist(thrown: unknown): boolean {
  if (thrown instanceof ProviderUnavailable) return thrown.mayHaveHappened
  return thrown instanceof ProviderRefused && /already|exists/i.test(thrown.message)
}

/** What failures of the phone provider mean to the engine. */
export const TELCO_ERRORS: ProviderErrors = {
  sentenceOf,
  isHopeless: (failure) => failure instanceof CredentialsRefused,
  isSilent: (failure) => failure instanceof ProviderUnavailable,
  isWorthRepeating,
  isRetriedAfterRun: isWorthRepeating,
}
