import { Refusal } from '../../errors.ts'
import { ProviderUnavailable } from '../../ports/telco-client.ts'

/** Asks the provider on behalf of a person: whatever goes wrong is a sentence for them. */
export async function askProvider<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ProviderUnavailable)) throw error
    throw new Refusal(
      'unavailable',
      error.mayHaveHappened ? 'phone-provider-silent' : 'phone-provider-unreachable',
      {},
      { cause: error },
    )
  }
}
