import { AfterChange, type Memory } from '../../database/cached.ts'
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
export class LastSettings implements Memory {
  readonly channels = ['connect_settings'] as const
  readonly #platform: Platform
  readonly #file: SettingsFile | undefined
  /** Of an earlier process. */
  readonly #saved: VerificationSettings | undefined
  readonly #saving = new AfterChange(() => this.#readAndSave())

  constructor(platform: Platform, file: SettingsFile | undefined) {
    this.#platform = platform
    this.#file = file
    this.#saved = file?.read()
  }

  /**
   * The settings in force; the last ones known while the database does not answer, so that nothing sent meanwhile is
   * turned away. Undefined when there never were any: then nobody can be authenticated.
   */
  async get(): Promise<VerificationSettings | undefined> {
    const { settings, log } = this.#platform
    const { known, last = this.#saved } = settings
    if (known !== undefined) return known
    try {
      return await withinDeadline(
        settings.get(),
        last === undefined ? SETTINGS_DEADLINE_MS : FRESH_SETTINGS_DEADLINE_MS,
      )
    } catch (error) {
      log.error({ err: asError(error) }, 'the settings cannot be read')
    }
    return last
  }

  /** Reads the settings, at the start and after each change, and saves them for the next start. */
  changed(): Promise<void> {
    return this.#saving.changed()
  }

  saved(): Promise<void> {
    return this.#saving.done()
  }

  async #readAndSave(): Promise<void> {
    try {
      await this.#file?.write(await this.#platform.settings.get())
    } catch (error) {
      this.#platform.log.warn({ err: asError(error) }, 'the settings cannot be saved for a start without the database')
    }
  }
}
