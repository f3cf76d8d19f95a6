import type { SealedFile } from '../../platform/secrets/sealed-file.ts'
import { secretsAmong, type VerificationSettings } from '../../platform/settings/settings.ts'

/** Name of the file in the data folder, without its ending. */
export const SETTINGS_FILE = 'last-settings'

/**
 * The settings that deliveries are verified with, encrypted in the data folder, so that a process which starts while its
 * database is unavailable knows who sends. Each write replaces the file: a secret that was removed is gone with it.
 */
export class SettingsFile {
  readonly #file: SealedFile
  readonly #names: readonly string[]

  /** `names`: of the settings that are in it. */
  constructor(file: SealedFile, names: readonly string[]) {
    this.#file = file
    this.#names = names
  }

  /** What an earlier process wrote; undefined when there is none, or none that this key opens for this database. */
  read(): VerificationSettings | undefined {
    const read = this.#file.read() as VerificationSettings | undefined
    return read && { ...read, secrets: secretsAmong(Object.values({ ...read, apiUrl: undefined })) }
  }

  /** Resolves when these settings, or later ones, are safe on disk; throws when they cannot be written. */
  write(settings: VerificationSettings): Promise<void> {
    const inFile = Object.entries(settings).filter(([name]) => this.#names.includes(name))
    return this.#file.write(Object.fromEntries(inFile))
  }
}
