import { randomBytes } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Database } from '../database/database.ts'
import { sql } from '../database/drizzle.ts'
import { createKey, findKey } from '../platform/identity/api-keys.ts'
import { LOCAL_KEY_FILE } from './data-files.ts'
import { LOCAL_ADMIN } from './seed.ts'

const KEY_NAME = 'local-admin.key'

/** Makes sure that `DATA_DIR/local-admin.key` (mode 0600) holds a key that works; a working one is left alone. */
export async function ensureLocalKey(db: Database, dataDir: string): Promise<string> {
  const file = path.join(dataDir, LOCAL_KEY_FILE)
  const present = readKey(file)
  if (present !== undefined && (await findKey(db, present)) !== undefined) return file
  const users = await db.query<{ id: number }>(sql`select id from res_users where external_id = ${LOCAL_ADMIN}`)
  const userId = users[0]?.id
  if (userId === undefined) throw new Error('the built-in administrator is missing; the database is not seeded')
  const { key } = await createKey(db, { userId, name: KEY_NAME })
  // Written beside and moved, so that a reader never sees half a key.
  const fresh = `${file}.${randomBytes(4).toString('hex')}`
  writeFileSync(fresh, `${key}\n`, { mode: 0o600 })
  renameSync(fresh, file)
  return file
}

function readKey(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim() || undefined
  } catch {
    return undefined
  }
}
