import { mkdirSync, readdirSync, rmSync, type Stats, statSync } from 'node:fs'
import path from 'node:path'
import type { FileCopier } from '../copy-files.ts'

/** The engine's log. Of it a copy needs what begins at the last checkpoint, and nothing before that is there. */
const LOG_FOLDER = 'pg_wal'
const SEGMENT = /^[0-9A-F]{24}$/
/** A file that was changed this shortly before it was looked at may change again without showing a newer time. */
const TIME_STEP_MS = 1_000

interface Look {
  size: number
  mtimeMs: number
  at: number
}

/** A copy of the engine's folder that is brought up to date until it is whole, beside the running engine. */
export class EngineCopy {
  readonly #from: string
  readonly #to: string
  readonly #copier: FileCopier
  #looks = new Map<string, Look>()

  constructor({ from, to, copier }: { from: string; to: string; copier: FileCopier }) {
    this.#from = from
    this.#to = to
    this.#copier = copier
  }

  /**
   * Copies what has changed since the last time, without the log, and takes away what the engine has deleted since; gives the
   * bytes it copied. What the engine writes meanwhile may be half in the copy: that is copied again the next time.
   */
  async copyChanges(): Promise<number> {
    const looks = new Map<string, Look>()
    let bytes = 0
    for (const name of this.#walk('')) {
      const found = this.#look(name)
      if (found === undefined) continue
      // The look comes first: what changes while the file is copied has another size or a later time than that.
      looks.set(name, { size: found.size, mtimeMs: found.mtimeMs, at: Date.now() })
      if (this.#hasChanged(name, found)) bytes += await this.#copier.file(this.#source(name), this.#target(name))
    }
    for (const name of this.#looks.keys()) {
      if (!looks.has(name)) rmSync(this.#target(name), { force: true })
    }
    this.#looks = looks
    return bytes
  }

  /** Copies the log from one of its files to another; throws when the first or the last is not there. */
  async copyLog({ first, last }: { first: string; last: string }): Promise<void> {
    const names = readdirSync(path.join(this.#from, LOG_FOLDER)).filter((name) => SEGMENT.test(name))
    for (const end of [first, last]) {
      if (!names.includes(end)) throw new Error(`the log of the embedded database has no file ${end}`)
    }
    const needed = names.filter((name) => name >= first && name <= last).map((name) => path.join(LOG_FOLDER, name))
    for (const name of needed) await this.#copier.file(this.#source(name), this.#target(name))
  }

  /** Names of all files but those of the log. Makes their folders, also empty ones: the engine does not start without. */
  *#walk(folder: string): Generator<string> {
    mkdirSync(this.#target(folder), { recursive: true, mode: 0o700 })
    for (const entry of readdirSync(this.#source(folder), { withFileTypes: true })) {
      const name = path.join(folder, entry.name)
      if (entry.isDirectory()) yield* this.#walk(name)
      else if (folder !== LOG_FOLDER) yield name
    }
  }

  #look(name: string): Stats | undefined {
    return statSync(this.#source(name), { throwIfNoEntry: false })
  }

  #hasChanged(name: string, { size, mtimeMs }: Stats): boolean {
    const last = this.#looks.get(name)
    return last === undefined || last.size !== size || last.mtimeMs !== mtimeMs || mtimeMs > last.at - TIME_STEP_MS
  }

  #source(name: string): string {
    return path.join(this.#from, name)
  }

  #target(name: string): string {
    return path.join(this.#to, name)
  }
}
