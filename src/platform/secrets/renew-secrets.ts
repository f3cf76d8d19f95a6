import { ConfigError } from '../../config.ts'
import type { Database, Queryable } from '../../database/database.ts'
import { type SQL, sql } from '../../database/drizzle.ts'
import type { Models } from '../model/declaration.ts'
import type { Model } from '../model/model.ts'
import { type Cipher, secretPlace } from './secrets.ts'

/** Rows that are encrypted anew, and locked meanwhile, at once. */
const PAGE_ROWS = 200

/** What was found in the fields that hold secrets. */
export interface SecretsFound {
  /** Secrets that were looked at. */
  stored: number
  renewed: number
  /** Field and record of what no key that is known reads. */
  unreadable: string[]
}

interface SecretColumn {
  table: string
  name: string
}

interface StoredSecret {
  id: number
  place: string
  /** As it is to be stored; undefined when it is so, or when it cannot be read. */
  renewed: string | undefined
  isUnreadable: boolean
}

/**
 * Encrypts anew what an earlier version stored without its field and record, and what is under an old key that the cipher
 * reads; what it cannot read stays as it is. It may be stopped at any point and run again, and several processes may run it.
 */
export async function renewSecrets(db: Database, models: Models, cipher: Cipher): Promise<SecretsFound> {
  return walk(models, (column, after) =>
    db.transaction(async (tx) => {
      const name = sql.identifier(column.name)
      // Without an old key only an earlier version can have left anything to do.
      const which = cipher.hasOldKeys ? sql`${name} <> ''` : sql`${name} like 'v1:%'`
      const page = await readPage(tx, { column, after, cipher, which, lock: sql`for update` })
      const renewed = page.filter((each) => each.renewed !== undefined)
      if (renewed.length > 0) await store(tx, column, renewed)
      return page
    }),
  )
}

/** Reads every secret that is stored and changes none. */
export async function checkSecrets(db: Database, models: Models, cipher: Cipher): Promise<SecretsFound> {
  return walk(models, (column, after) =>
    readPage(db, { column, after, cipher, which: sql`${sql.identifier(column.name)} <> ''`, lock: sql`` }),
  )
}

async function walk(
  models: Models,
  pageAfter: (column: SecretColumn, after: number) => Promise<StoredSecret[]>,
): Promise<SecretsFound> {
  const found: SecretsFound = { stored: 0, renewed: 0, unreadable: [] }
  for (const column of secretColumns(models)) {
    for (let after = 0; ; ) {
      const page = await pageAfter(column, after)
      found.stored += page.length
      found.renewed += page.filter(({ renewed }) => renewed !== undefined).length
      found.unreadable.push(...page.filter(({ isUnreadable }) => isUnreadable).map(({ place }) => place))
      if (page.length < PAGE_ROWS) break
      after = page.at(-1)?.id ?? after
    }
  }
  return found
}

function secretColumns(models: Models): SecretColumn[] {
  return [...models].flatMap(({ table, fields }) =>
    Object.entries(fields)
      .filter(([, { kind }]) => kind === 'secret')
      .map(([name]) => ({ table, name })),
  )
}

interface Page {
  column: SecretColumn
  after: number
  cipher: Cipher
  which: SQL
  lock: SQL
}

async function readPage(db: Queryable, { column, after, cipher, which, lock }: Page): Promise<StoredSecret[]> {
  const { table, name } = column
  const rows = await db.query<{ id: number; stored: string }>(
    sql`select id, ${sql.identifier(name)} as stored from ${sql.identifier(table)}
      where id > ${after}::bigint and ${which} order by id limit ${PAGE_ROWS} ${lock}`,
  )
  return rows.map(({ id, stored }) => {
    const place = secretPlace(table, name, id)
    try {
      return { id, place, renewed: cipher.renew(stored, place), isUnreadable: false }
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
      return { id, place, renewed: undefined, isUnreadable: true }
    }
  })
}

async function store(tx: Queryable, { table, name }: SecretColumn, secrets: readonly StoredSecret[]): Promise<void> {
  const rows = JSON.stringify(secrets.map(({ id, renewed }) => ({ id, renewed })))
  await tx.query(
    sql`update ${sql.identifier(table)} as stored set ${sql.identifier(name)} = given.renewed
      from json_to_recordset(${rows}::json) as given(id bigint, renewed text) where stored.id = given.id`,
  )
}

/** Whether the settings, which every installation has, hold anything that was encrypted. Needs a migrated database. */
export async function holdsSecrets(db: Database, settings: Model): Promise<boolean> {
  const columns = Object.entries(settings.fields).filter(([, { kind }]) => kind === 'secret')
  const isThere = columns.map(([name]) => sql`coalesce(${sql.identifier(name)}, '') <> ''`)
  const rows = await db.query(sql`select id from connect_settings where ${sql.join(isThere, sql` or `)} limit 1`)
  return rows.length > 0
}
