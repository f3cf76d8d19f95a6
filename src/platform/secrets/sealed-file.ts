import { readFileSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Cipher } from './secrets.ts'

const FILE_MODE = 0o600

interface Parts {
  dataDir: string
  /** Without the ending. */
  name: string
  cipher: Cipher
  /** Which database its content belongs to; with another one the file is worth nothing. */
  database: string
}

/**
 * A value that a process needs before its database is there, encrypted in the data folder. Each write replaces the file, so that
 * nothing of the value before stays.
 */
export class SealedFile {
  readonly #file: string
  readonly #cipher: Cipher
  readonly #place: string
  #written: string | undefined
  #writing: Promise<void> = Promise.resolve()

  constructor({ dataDir, name, cipher, database }: Parts) {
    this.#file = path.join(dataDir, `${name}.sealed`)
    this.#cipher = cipher
    this.#place = `${name.replaceAll('-', ' ')} of ${database}`
  }

  /** What an earlier process wrote; undefined when there is none, or none that this key opens for this database. */
  read(): unknown {
    try {
      return JSON.parse(this.#cipher.decrypt(readFileSync(this.#file, 'utf8').trim(), this.#place))
    } catch {
      return undefined
    }
  }

  /** Resolves when this value, or a later one, is safe on disk; throws when it cannot be written. */
  write(value: unknown): Promise<void> {
    const text = JSON.stringify(value)
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
