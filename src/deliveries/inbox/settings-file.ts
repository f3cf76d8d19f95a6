import { readFileSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Cipher } from '../../platform/secrets/secrets.ts'
import { secretsAmong, type VerificationSettings } from '../../platform/settings/settings.ts'

const FILE = 'last-settings.sealed'
const FILE_MODE = 0o600

interface Parts {
  dataDir: string
  cipher: Cipher
  /** Which database the settings belong to; with another one the file is worth nothing. */
  database: string
  /** The settings that are in it. */
  names: readonly string[]
}

/**
 * The settings that deliveries are verified with, encrypted in the data folder, so that a process which starts while its
 * database is unavailable knows who sends. Each write replaces the file: a secret that was removed is gone with it.
 */
export class SettingsFile {
  readonly #file: string
  readonly #cipher: Cipher
  readonly #place: string
  readonly #names: readonly string[]
  #written: string | undefined
  #writing: Promise<void> = Promise.resolve()

  constructor({ dataDir, cipher, database, names }: Parts) {
    this.#file = path.join(dataDir, FILE)
    this.#cipher = cipher
    this.#place = `last settings of ${database}`
    this.#names = names
  }

  /** What an earlier process wrote; undefined when there is none, or none that this key opens for this database. */
  read(): VerificationSettings | undefined {
    try {
      const read = JSON.parse(this.#cipher.decrypt(readFileSync(this.#file, 'utf8').trim(), this.#place))
      return { ...read, secrets: secretsAmong(Object.values({ ...read, apiUrl: undefined })) }
    } catch {
      return undefined
    }
  }

  /** Resolves when these settings, or later ones, are safe on disk; throws when they cannot be written. */
  write(settings: VerificationSettings): Promise<void> {
    const inFile = Object.entries(settings).filter(([name]) => this.#names.includes(name))
    const text = JSON.stringify(Object.fromEntries(inFile))
    if (text === this.#written) return this.#writing
    this.#written = text
    this.#writing = this.#writing
      .catch(() => undefined)
      .then(() => this.#replace(text))
      .catch((error: unknown) => {
        this.#written = undefined
        throw error
      })
    return this.#writing
  }

  async #replace(text: string): Promise<void> {
    const fresh = `${this.#file}.part`
    try {
      const file = await open(fresh, 'w', FILE_MODE)
      try {
        await file.writeFile(`${this.#cipher.encrypt(text, this.#place)}\n`)
        await file.sync()
      } finally {
        await file.close()
      }
      await rename(fresh, this.#file)
    } catch (error) {
      await rm(fresh, { force: true })
      throw error
    }
  }
}
