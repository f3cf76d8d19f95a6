import { randomBytes } from 'node:crypto'
import { renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Database } from '../database/database.ts'
import { sql } from '../database/drizzle.ts'
import { createKey, endKeys, findKeyByHash, hashKey, KEY_PREFIX } from '../platform/identity/api-keys.ts'
import { findServiceUser, LOCAL_ADMIN } from '../platform/identity/service-users.ts'
import type { Cipher } from '../platform/secrets/secrets.ts'
import { LOCAL_KEY_FILE, readTextFile } from './data-files.ts'

const KEY_NAME = 'local-admin.key'
/** What makes a key differ from one that was revoked. */
const NONCE_BYTES = 8

/**
 * Makes sure that `DATA_DIR/local-admin.key` (mode 0600) holds a key that works; a working one is left alone. Processes of one
 * installation, each with a new data folder, share one key: it is derived from what its row says and the key of the secrets.
 */
export async function ensureLocalKey(db: Database, cipher: Cipher, dataDir: string): Promise<string> {
  const file = path.join(dataDir, LOCAL_KEY_FILE)
  const present = readTextFile(file)
  if (present !== undefined && (await findKeyByHash(db, hashKey(present))) !== undefined) return file
  const key = (await findShared(db, cipher)) ?? (await makeShared(db, cipher))
  // Written beside and moved, so that a reader never sees half a key.
  const fresh = `${file}.${randomBytes(4).toString('hex')}`
  writeFileSync(fresh, `${key}\n`, { mode: 0o600 })
  renameSync(fresh, file)
  return file
}

/**
 * Ends every local key, as anyone who knows the key of the secrets before can derive it, and makes one under the present one.
 * Other processes of the installation find it when they start.
 */
export async function changeLocalKey(db: Database, cipher: Cipher, dataDir: string): Promise<void> {
  await db.transaction(async (tx) => {
    const admin = await findServiceUser(tx, LOCAL_ADMIN)
    if (admin !== undefined) await endKeys(tx, admin, KEY_NAME)
  })
  await ensureLocalKey(db, cipher, dataDir)
}

/** The key that another process of this installation has made; one that was revoked has no row and is not made again. */
async function findShared(db: Database, cipher: Cipher): Promise<string | undefined> {
  const rows = await db.query<{ name: string; key_hash: string }>(
    sql`select k.name, k.key_hash from res_users_apikeys k join res_users u on u.id = k.user_id
        where u.external_id = ${LOCAL_ADMIN} and k.name like ${`${KEY_NAME} %`} order by k.id`,
  )
  const keys = rows.map(({ name, key_hash: hash }) => ({ key: derive(cipher, name), hash }))
  return keys.find(({ key, hash }) => hashKey(key) === hash)?.key
}

async function makeShared(db: Database, cipher: Cipher): Promise<string> {
  const userId = await findServiceUser(db, LOCAL_ADMIN)
  if (userId === undefined) throw new Error('the built-in administrator is missing; the database is not seeded')
  const name = `${KEY_NAME} ${randomBytes(NONCE_BYTES).toString('hex')}`
  const key = derive(cipher, name)
  await createKey(db, { userId, name, key })
  return key
}

function derive(cipher: Cipher, name: string): string {
  return KEY_PREFIX + cipher.derive(`local API key ${name}`)
}
