import { Cached, type Memory } from '../../database/cached.ts'
import type { Queryable, Transaction } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { type Statement, statement } from '../../database/statement.ts'
import { type Cipher, secretPlace } from '../secrets/secrets.ts'

/**
 * What the service itself reads of connect.settings, secrets in clear: never hand it to a client. Each area adds what its
 * own fields are read as, where it declares them.
 */
export interface SettingsSnapshot {
  id: number
  /** ISO code of the country that national numbers are read in. */
  country: string | undefined
  /** Every secret among them: what must not show anywhere else. */
  secrets: readonly string[]
}

/** Those of them by which the service knows who sent a delivery; each area adds its own. */
export interface VerificationSettings extends Pick<SettingsSnapshot, 'secrets'> {}

/** Anything shorter would be found in the middle of ordinary words, and opens nothing worth the name. */
const SECRET_CHARS_MIN = 8

/** The texts among these values that are long enough to be secrets. */
export function secretsAmong(values: readonly unknown[]): readonly string[] {
  const texts = values.flat().filter((value) => typeof value === 'string')
  return [...new Set(texts)].filter((text) => text.length >= SECRET_CHARS_MIN)
}

/** A field of the settings that the service reads, and what it reads for what is stored there. */
export interface ReadField {
  column: string
  isSecret: boolean
  as: string
  verifies: boolean
  read(stored: unknown, earlier: Readonly<Record<string, unknown>>): unknown
}

type SettingsRow = Record<string, unknown> & { id: number; country: string | null }

/**
 * The settings as the service uses them, kept in memory. A change anywhere drops the copy in every process
 * (channel `connect_settings`), so the next request reads the new ones.
 */
export class Settings implements Memory {
  readonly channels = ['connect_settings'] as const
  readonly #db: Queryable
  readonly #cipher: Cipher
  readonly #fields: readonly ReadField[]
  readonly #statement: Statement<SettingsRow, object>
  readonly #cached = new Cached(() => this.#load())

  constructor(db: Queryable, cipher: Cipher, fields: readonly ReadField[]) {
    this.#db = db
    this.#cipher = cipher
    this.#fields = fields
    const columns = fields.map(({ column }) => sql`s.${sql.identifier(column)}`)
    this.#statement = statement(
      'settings_load',
      sql`select s.id, c.code as country, ${sql.join(columns, sql`, `)}
          from connect_settings s left join res_country c on c.id = s.country_id order by s.id limit 1`,
    )
  }

  /** The settings in force. Throws when they cannot be read. */
  get(): Promise<SettingsSnapshot> {
    return this.#cached.get()
  }

  /** The settings in force when they are in memory: nothing has to be waited for then. */
  get known(): SettingsSnapshot | undefined {
    return this.#cached.known
  }

  /** The settings as they were read last, however long ago. */
  get last(): SettingsSnapshot | undefined {
    return this.#cached.last
  }

  /** Forgets the copy. */
  forget(): void {
    this.#cached.forget()
  }

  changed(): void {
    this.forget()
  }

  /** Tells every process, this one included, once the transaction has committed. */
  async announce(tx: Transaction): Promise<void> {
    tx.afterCommit(() => this.forget())
    await tx.notify('connect_settings', '')
  }

  async #load(): Promise<SettingsSnapshot> {
    const [row] = await this.#db.run(this.#statement, {})
    if (row === undefined) throw new Error('connect.settings has no row; the database is not seeded')
    return this.#toSnapshot(row)
  }

  #toSnapshot(row: SettingsRow): SettingsSnapshot {
    const read: Record<string, unknown> = { id: row.id, country: row.country ?? undefined }
    const secrets: unknown[] = []
    for (const { column, isSecret, as, read: readStored } of this.#fields) {
      read[as] = readStored(isSecret ? this.#decrypt(row, column) : row[column], read)
      if (isSecret) secrets.push(read[as])
    }
    read.secrets = secretsAmong(secrets)
    // The areas' fields say what is read of each of them, and their types say the same.
    return read as unknown as SettingsSnapshot
  }

  #decrypt(row: SettingsRow, name: string): string | null {
    const stored = row[name]
    if (typeof stored !== 'string' || stored === '') return null
    // No secret begins or ends with a blank; one that was pasted often does.
    return this.#cipher.decrypt(stored, secretPlace('connect_settings', name, row.id)).trim() || null
  }
}
