import { asError } from '../errors.ts'
import type { Platform } from '../platform/env.ts'
import type { SettingsSnapshot } from '../platform/settings.ts'
import { withinDeadline } from './deadline.ts'

/** How long the settings may take to be read before a delivery is answered without them. */
const SETTINGS_DEADLINE_MS = 2_000
/** The same when there are older ones to go by: whoever waits for a voice must not wait twice. */
const FRESH_SETTINGS_DEADLINE_MS = 500

/** The settings that deliveries are checked against, also while the database does not answer. */
export class LastSettings {
  readonly #platform: Platform
  #last: SettingsSnapshot | undefined

  constructor(platform: Platform) {
    this.#platform = platform
  }

  /**
   * The settings in force; the last ones known while the database does not answer, so that nothing sent meanwhile is
   * turned away. Undefined when there never were any: then nobody can be authenticated.
   */
  async get(): Promise<SettingsSnapshot | undefined> {
    const { known } = this.#platform.settings
    if (known !== undefined) {
      this.#last = known
      return known
    }
    const deadlineMs = this.#last === undefined ? SETTINGS_DEADLINE_MS : FRESH_SETTINGS_DEADLINE_MS
    try {
      this.#last = await withinDeadline(this.#platform.settings.get(), deadlineMs)
    } catch (error) {
      this.#platform.log.error({ err: asError(error) }, 'the settings cannot be read')
    }
    return this.#last
  }
}
