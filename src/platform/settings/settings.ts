import type { Queryable, Transaction } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { statement } from '../../database/statement.ts'
import { type Cipher, secretPlace } from '../secrets/secrets.ts'

/** What the service itself reads of connect.settings, secrets in clear: never hand it to a client. */
export interface SettingsSnapshot {
  id: number
  apiUrl: string | undefined
  /** ISO code of the country that national numbers are read in. */
  country: string | undefined
  /** Whether people find contacts by part of a number too. */
  searchesPartsOfNumbers: boolean
  deliveryKeepDays: number
  voiceaiApiKey: string | undefined
  voiceaiAgentToken: string | undefined
  postCallWebhookId: string | undefined
  postCallSecret: string | undefined
  /** Every secret a post-call delivery may be signed with: the current one, and the one before while it rotates. */
  postCallSecrets: string[]
  accountSid: string | undefined
  authToken: string | undefined
  telcoVerifyRequests: boolean
  telcoEdge: string
  transcribesCalls: boolean
  registersSummaries: boolean
  callDurationLimitSeconds: number
  /** Whether callers hear, before a phone rings that records them, that it may. */
  announcesRecordings: boolean
  /** Master switch of the voice-agent platform: off means no generated speech. */
  voiceaiEnabled: boolean
  /** Whether agents reach every ticket, meeting and contact, also in a call that is named. */
  voiceaiToolsOpen: boolean
  /** Whether agents book meetings outside the working hours of a colleague too. */
  booksOutsideHours: boolean
  /** Whether the platform is to deliver the audio of conversations. */
  voiceaiSendsAudio: boolean
  instanceUid: string
  /** Id and secret of the key that web-phone tokens are signed with. */
  telcoApiKey: string | undefined
  telcoApiSecret: string | undefined
  telcoRegion: string
  /** Whether people hear recordings from here, and not from the provider's address. */
  proxiesRecordings: boolean
  /** Whether the audio of recordings is copied into our own store. */
  storesRecordings: boolean
  fetchesCallPrices: boolean
  /** Whether requests leave a trace in connect.debug. */
  isDebugging: boolean
}

interface SettingsRow {
  id: number
  api_url: string | null
  country: string | null
  number_search_operation: string | null
  delivery_keep_days: number
  voiceai_api_key: string | null
  voiceai_agent_token: string | null
  voiceai_post_call_webhook_id: string | null
  voiceai_post_call_webhook_secret: string | null
  voiceai_post_call_webhook_previous_secret: string | null
  account_sid: string | null
  auth_token: string | null
  telco_verify_requests: boolean | null
  telco_edge: string | null
  transcript_calls: boolean | null
  register_summary: boolean | null
  call_duration_limit: number | null
  announce_recordings: boolean | null
  voiceai_enabled: boolean | null
  voiceai_tools_open: boolean | null
  voiceai_send_audio: boolean | null
  calendar_outside_hours: boolean | null
  instance_uid: string
  telco_api_key: string | null
  telco_api_secret: string | null
  telco_region: string | null
  proxy_recordings: boolean | null
  store_recordings: boolean | null
  fetch_call_prices: boolean | null
  debug_mode: boolean | null
}

type SecretName =
  | 'voiceai_api_key'
  | 'voiceai_agent_token'
  | 'voiceai_post_call_webhook_secret'
  | 'voiceai_post_call_webhook_previous_secret'
  | 'auth_token'
  | 'telco_api_secret'

const LOAD = statement<SettingsRow>(
  'settings_load',
  sql`select s.id, s.api_url, c.code as country, s.number_search_operation, s.delivery_keep_days, s.voiceai_api_key, s.voiceai_agent_token,
    s.voiceai_post_call_webhook_id,
    s.voiceai_post_call_webhook_secret, s.voiceai_post_call_webhook_previous_secret, s.account_sid, s.auth_token,
    s.telco_verify_requests, s.telco_edge, s.transcript_calls, s.register_summary, s.call_duration_limit, s.announce_recordings, s.instance_uid,
    s.voiceai_enabled, s.voiceai_tools_open, s.calendar_outside_hours, s.voiceai_send_audio, s.telco_api_key, s.telco_api_secret, s.telco_region, s.store_recordings, s.proxy_recordings, s.fetch_call_prices, s.debug_mode
    from connect_settings s left join res_country c on c.id = s.country_id order by s.id limit 1`,
)

/**
 * The settings as the service uses them, kept in memory. A change anywhere drops the copy in every process
 * (channel `connect_settings`), so the next request reads the new ones.
 */
export class Settings {
  readonly #db: Queryable
  readonly #cipher: Cipher
  #known: Promise<SettingsSnapshot> | undefined
  #snapshot: SettingsSnapshot | undefined
  #age = 0

  constructor(db: Queryable, cipher: Cipher) {
    this.#db = db
    this.#cipher = cipher
  }

  /** The settings in force. Throws when they cannot be read. */
  async get(): Promise<SettingsSnapshot> {
    this.#known ??= this.#load(this.#age)
    return this.#known
  }

  /** The settings in force when they are in memory: nothing has to be waited for then. */
  get known(): SettingsSnapshot | undefined {
    return this.#snapshot
  }

  /** Forgets the copy. */
  forget(): void {
    this.#age += 1
    this.#known = undefined
    this.#snapshot = undefined
  }

  /** Tells every process, this one included, once the transaction has committed. */
  async announce(tx: Transaction): Promise<void> {
    tx.afterCommit(() => this.forget())
    await tx.notify('connect_settings', '')
  }

  async #load(age: number): Promise<SettingsSnapshot> {
    try {
      const [row] = await this.#db.run(LOAD, {})
      if (row === undefined) throw new Error('connect.settings has no row; the database is not seeded')
      const snapshot = this.#toSnapshot(row)
      // What was read while somebody announced a change may be old: answer with it, but do not keep it.
      if (age === this.#age) this.#snapshot = snapshot
      return snapshot
    } catch (error) {
      // After a change another reading has begun, which is not the one that failed.
      if (age === this.#age) this.#known = undefined
      throw error
    }
  }

  #toSnapshot(row: SettingsRow): SettingsSnapshot {
    const secrets = ['voiceai_post_call_webhook_secret', 'voiceai_post_call_webhook_previous_secret'] as const
    return {
      id: row.id,
      apiUrl: row.api_url ?? undefined,
      country: row.country ?? undefined,
      searchesPartsOfNumbers: row.number_search_operation === 'like',
      deliveryKeepDays: row.delivery_keep_days,
      voiceaiApiKey: this.#decrypt(row, 'voiceai_api_key'),
      voiceaiAgentToken: this.#decrypt(row, 'voiceai_agent_token'),
      postCallWebhookId: row.voiceai_post_call_webhook_id ?? undefined,
      postCallSecret: this.#decrypt(row, 'voiceai_post_call_webhook_secret'),
      postCallSecrets: secrets.map((name) => this.#decrypt(row, name)).filter((secret) => secret !== undefined),
      accountSid: row.account_sid ?? undefined,
      authToken: this.#decrypt(row, 'auth_token'),
      telcoVerifyRequests: row.telco_verify_requests !== false,
      telcoEdge: row.telco_edge ?? 'ashburn',
      transcribesCalls: row.transcript_calls === true,
      registersSummaries: row.register_summary !== false,
      callDurationLimitSeconds: row.call_duration_limit ?? 0,
      announcesRecordings: row.announce_recordings === true,
      voiceaiEnabled: row.voiceai_enabled === true,
      voiceaiToolsOpen: row.voiceai_tools_open === true,
      booksOutsideHours: row.calendar_outside_hours === true,
      voiceaiSendsAudio: row.voiceai_send_audio === true,
      instanceUid: row.instance_uid,
      telcoApiKey: row.telco_api_key ?? undefined,
      telcoApiSecret: this.#decrypt(row, 'telco_api_secret'),
      telcoRegion: row.telco_region ?? 'us1',
      proxiesRecordings: row.proxy_recordings !== false,
      storesRecordings: row.store_recordings === true,
      fetchesCallPrices: row.fetch_call_prices === true,
      isDebugging: row.debug_mode === true,
    }
  }

  #decrypt(row: SettingsRow, name: SecretName): string | undefined {
    const stored = row[name]
    if (stored === null || stored === '') return undefined
    // No secret begins or ends with a blank; one that was pasted often does.
    return this.#cipher.decrypt(stored, secretPlace('connect_settings', name, row.id)).trim() || undefined
  }
}
