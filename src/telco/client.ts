import { ProviderUnavailable, type TelcoClient } from '../ledger/telco-client.ts'

/** The client of an installation without credentials: nothing can be asked of the provider. */
export const noTelcoClient: TelcoClient = {
  async redirectCall() {
    throw new ProviderUnavailable('the phone provider has no credentials')
  },
}
