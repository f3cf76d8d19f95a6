import { asError } from '../../errors.ts'
import type { Platform } from '../../platform/access/env.ts'
import type { VerificationSettings } from '../../platform/settings/settings.ts'
import { withinDeadline } from '../webhooks/deadline.ts'
import type { SettingsFile } from './settings-file.ts'

/** How long the settings may take to be read before a delivery is answered without them. */
const SETTINGS_DEADLINE_MS = 2_000
/** The same when there are older ones to go by: anyone who waits for a voice must not wait twice. */
const FRESH_SETTINGS_DEADLINE_MS = 500

/**
 * The settings that deliveries are verified with, also while the database does not answer, and, with a file, when it has
 * not answered since this process started.
 */
export class LastSettings {
  readonly #platform: Platform
  readonly #file: SettingsFile | undefined
  #last: VerificationSettings | undefined
  #isOutdated = false
  #refreshing: Promise<void> | undefined

  constructor(platform: Platform, file: SettingsFile | undefined) {
    this.#platform = platform
    this.#file = file
    this.#last = file?.read()
  }

  /**
   * The settings in force; the last ones known while the database does not answer, so that nothing sent meanwhile is
   * turned away. Undefined when there never were any: then nobody can be authenticated.
   */
  async get(): Promise<VerificationSettings | undefined> {
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

  /** Reads the settings, at the start and after each change, and saves them for the next start. Never throws. */
  refresh(): Promise<void> {
    this.#isOutdated = true
    this.#refreshing ??= this.#refreshAll()
    return this.#refreshing
  }

  /** Resolves when no change is on its way to the disk: a process that stops waits for it. */
  async saved(): Promise<void> {
    await this.#refreshing
  }

  /** Once more for what changed meanwhile. */
  async #refreshAll(): Promise<void> {
    while (this.#isOutdated) {
      this.#isOutdated = false
      await this.#refresh()
    }
    this.#refreshing = undefined
  }

  async #refresh(): Promise<void> {
    try {
      const settings = await this.#platform.settings.get()
      this.#last = settings
      await this.#file?.write(settings)
    } catch (error) {
      this.#platform.log.warn({ err: asError(error) }, 'the settings cannot be saved for a start without the database')
    }
  }
}
