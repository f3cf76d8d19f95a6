import { randomBytes } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import path from 'node:path'

const NAME_BYTES = 8
const SUFFIX = '.json'

/** Texts that wait on disk, oldest first, while the database cannot be had. */
export class Spool {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  /** Keeps a text; resolves when it is on disk. */
  async put(text: string): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    const name = `${String(Date.now()).padStart(15, '0')}-${randomBytes(NAME_BYTES).toString('hex')}`
    const fresh = path.join(this.#folder, `${name}.part`)
    const file = await open(fresh, 'wx', 0o600)
    try {
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(fresh, path.join(this.#folder, name + SUFFIX))
  }

  /**
   * Hands every text to `take`, oldest first, and forgets it once it was taken. What cannot be read is set aside for a
   * person and holds nothing up; when `take` throws, that text and the later ones stay.
   */
  async drain(take: (text: string) => Promise<'taken' | 'unreadable'>): Promise<void> {
    for (const name of await this.#names()) {
      const file = path.join(this.#folder, name)
      const outcome = await take(await readFile(file, 'utf8'))
      if (outcome === 'taken') await rm(file, { force: true })
      else await rename(file, `${file}.unreadable`)
    }
  }

  async #names(): Promise<string[]> {
    try {
      const names = await readdir(this.#folder)
      return names.filter((name) => name.endsWith(SUFFIX)).sort()
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
      throw error
    }
  }
}
