import type { Logger } from '../../log.ts'
import type { Settings } from '../../platform/settings/settings.ts'
import { textOf } from './answers.ts'
import { applicationsOf } from './applications.ts'
import { callerIdsOf } from './caller-ids.ts'
import { contentsOf } from './contents.ts'
import { credentialListsOf } from './credential-lists.ts'
import { incomingNumbersOf } from './incoming-numbers.ts'
import { numberMarketOf } from './number-market.ts'
import { TelcoSdk } from './sdk.ts'
import { sendersOf } from './senders.ts'
import { sipDomainsOf } from './sip-domains.ts'
import { Transport } from './transport.ts'

/**
 * What the account holds at the phone provider, as far as this service sets it up. Every method throws ProviderRefused
 * when the provider understood and said no, ProviderUnavailable when it could not be asked, and CredentialsRefused when
 * it does not believe us. Call none of them inside a database transaction.
 */
export type TelcoAccount = ReturnType<typeof createTelcoAccount>

/** The account through the provider's own SDK, which is loaded when the first request is made. */
export function createTelcoAccount({
  settings,
  baseUrl,
  log,
}: {
  settings: Settings
  baseUrl: string | undefined
  log: Logger
}) {
  const sdk = new TelcoSdk(settings, new Transport(baseUrl, log))
  return {
    /** `active`, or why nothing works. */
    async fetchStatus() {
      const { accountSid } = await settings.get()
      const { status } = await sdk.ask((client) => client.api.v2010.accounts(accountSid ?? '').fetch())
      return textOf(status) ?? 'active'
    },
    async fetchBalance() {
      const { balance, currency } = await sdk.ask((client) => client.balance.fetch())
      return { amount: balance, currency }
    },
    applications: applicationsOf(sdk),
    domains: sipDomainsOf(sdk),
    credentialLists: credentialListsOf(sdk),
    numbers: incomingNumbersOf(sdk),
    market: numberMarketOf(sdk),
    callerIds: callerIdsOf(sdk),
    senders: sendersOf(sdk),
    contents: contentsOf(sdk),
  }
}
