import { createRequire } from 'node:module'

// Drizzle's ES modules cost 364 ms and 239 MB at start, the same code through require 79 ms and 25 MB
// (docs/decisions/0002-drizzle-through-require.md). All of Drizzle is loaded here and nowhere else, so it is loaded once.
const require = createRequire(import.meta.url)
const orm = require('drizzle-orm') as typeof import('drizzle-orm')
const pgCore = require('drizzle-orm/pg-core') as typeof import('drizzle-orm/pg-core')

export type { SQL } from 'drizzle-orm'
export type { AnyPgColumn, PgColumnBuilderBase, PgTable } from 'drizzle-orm/pg-core'

export const { Placeholder, sql } = orm
export const {
  PgDialect,
  bigint,
  boolean,
  customType,
  date,
  doublePrecision,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
} = pgCore

/** Drizzle's own migrator over an open connection; loaded only while the database is being opened. */
export function loadMigrator(): (client: unknown, migrationsFolder: string) => Promise<void> {
  return async (client, migrationsFolder) => {
    const { drizzle } = require('drizzle-orm/node-postgres') as typeof import('drizzle-orm/node-postgres')
    const { migrate } =
      require('drizzle-orm/node-postgres/migrator') as typeof import('drizzle-orm/node-postgres/migrator')
    await migrate(drizzle({ client: client as never }), { migrationsFolder })
  }
}
