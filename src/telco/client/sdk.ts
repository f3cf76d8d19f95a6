import type { Twilio } from 'twilio'
import type { Settings, SettingsSnapshot } from '../../platform/settings/settings.ts'
import { ProviderRefused } from '../../ports/telco-client.ts'
import { CredentialsRefused, toProviderError } from './failures.ts'
import type { Transport } from './transport.ts'

/** The region whose hosts have no region in their names. */
const MAIN_REGION = 'us1'
/** Rows of one list that are read; an account with more is none that this service keeps in sync. */
const LIST_ROWS_MAX = 10_000
const PAGE_ROWS = 100

/** The provider's SDK with the credentials that the settings have at this moment; loaded when it is first needed. */
export class TelcoSdk {
  readonly #settings: Settings
  readonly #transport: Transport
  /** The client in use for each region, with what it was made of. */
  readonly #known = new Map<string, { key: string; client: Twilio }>()

  constructor(settings: Settings, transport: Transport) {
    this.#settings = settings
    this.#transport = transport
  }

  /** Asks the provider; whatever goes wrong comes back as ProviderUnavailable or ProviderRefused, without `secrets`. */
  async ask<Result>(
    work: (client: Twilio) => Promise<Result>,
    { secrets = [] }: { secrets?: readonly string[] } = {},
  ): Promise<Result> {
    return this.#ask(await this.#settings.get(), work, secrets)
  }

  /**
   * A whole list of the provider. It is never cut off: what is missing in it would look removed. Throws ProviderRefused for
   * one that is too long.
   */
  async list<Row>(
    what: string,
    read: (client: Twilio, limits: { limit: number; pageSize: number }) => Promise<Row[]>,
  ): Promise<Row[]> {
    const rows = await this.ask((client) => read(client, { limit: LIST_ROWS_MAX + 1, pageSize: PAGE_ROWS }))
    if (rows.length <= LIST_ROWS_MAX) return rows
    throw new ProviderRefused('too-large', 'phone-list-too-long', { max: LIST_ROWS_MAX, what })
  }

  /**
   * Asks at the hosts without a region in their names, where the provider keeps what is above its regions
   * (https://www.twilio.com/docs/global-infrastructure/inbound-processing-api asks routes.twilio.com for each of them).
   */
  async askAboveRegions<Result>(work: (client: Twilio) => Promise<Result>): Promise<Result> {
    return this.#ask({ ...(await this.#settings.get()), telcoRegion: MAIN_REGION }, work, [])
  }

  async #ask<Result>(
    settings: SettingsSnapshot,
    work: (client: Twilio) => Promise<Result>,
    secrets: readonly string[],
  ): Promise<Result> {
    const client = await this.#client(settings)
    try {
      return await work(client)
    } catch (error) {
      throw toProviderError(error, [settings.authToken ?? '', ...secrets])
    }
  }

  async #client({ accountSid, authToken, telcoRegion, telcoEdge }: SettingsSnapshot): Promise<Twilio> {
    if (!accountSid || !authToken) throw new CredentialsRefused('Twilio has no credentials')
    if (!/^AC\w+$/.test(accountSid)) throw new CredentialsRefused('The Account SID in the settings is not valid')
    const key = [accountSid, authToken, telcoRegion, telcoEdge].join('\n')
    const known = this.#known.get(telcoRegion)
    if (known?.key === key) return known.client
    const { default: createClient } = await import('twilio')
    const isMain = telcoRegion === MAIN_REGION
    const client = createClient(accountSid, authToken, {
      httpClient: this.#transport as never,
      // Empty texts, because for undefined ones the SDK would take its own environment variables.
      region: isMain ? '' : telcoRegion,
      edge: isMain ? '' : telcoEdge,
    })
    this.#known.set(telcoRegion, { key, client })
    return client
  }
}
