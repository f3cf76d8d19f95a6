import { Refusal } from '../../errors.ts'
import { ProviderUnavailable } from '../../ports/telco-client.ts'
import type { PlainCode } from '../../refusals.ts'
import { CredentialsRefused } from '../client/failures.ts'

/** Asks the provider on behalf of a person: whatever goes wrong is a sentence for them. */
export async function askProvider<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ProviderUnavailable)) throw error
    throw new Refusal('unavailable', codeOf(error), {}, { cause: error })
  }
}

function codeOf(error: ProviderUnavailable): PlainCode {
  if (error instanceof CredentialsRefused) return 'phone-credentials-refused'
  return error.mayHaveHappened ? 'phone-provider-silent' : 'phone-provider-unreachable'
}
