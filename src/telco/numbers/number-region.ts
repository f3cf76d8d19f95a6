import { asError, Refusal } from '../../errors.ts'
import { ProviderRefused } from '../../ports/telco-client.ts'
import { CredentialsRefused } from '../client/failures.ts'
import type { TelcoParts } from '../sync/telco.ts'

/** Where calls to a number are handled unless somebody has moved it. */
const MAIN_REGION = 'us1'

/**
 * Has calls to the number handled in the region of the settings; true when they were handled elsewhere. The provider
 * saves this apart from the number, and holds nothing for a number that was never moved: its calls are handled in us1
 * (https://www.twilio.com/docs/global-infrastructure/inbound-processing-api). Throws a refusal where it cannot be set.
 */
export async function handleInRegion(
  { account, platform }: TelcoParts,
  number: string,
  region: string,
): Promise<boolean> {
  try {
    const current = (await account.numbers.findRegion(number)) ?? MAIN_REGION
    if (current === region) return false
    await account.numbers.setRegion(number, region)
    return true
  } catch (error) {
    if (!(error instanceof ProviderRefused) && !(error instanceof CredentialsRefused)) throw error
    platform.log.warn({ err: asError(error), region }, 'Twilio does not say where a number is handled')
    // Every number is there to begin with.
    if (region === MAIN_REGION) return false
    throw new Refusal('refused', 'set-region-its-calls-at-phone', { region }, { cause: error })
  }
}
