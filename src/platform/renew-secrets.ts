import type { Database } from '../database/database.ts'
import { sql } from '../database/drizzle.ts'
import type { Models } from './models.ts'
import { type Cipher, isOldSecret, secretPlace } from './secrets.ts'

/** Encrypts anew what an earlier version stored without its field and record. Throws a ConfigError for another key. */
export async function renewSecrets(db: Database, models: Models, cipher: Cipher): Promise<void> {
  for (const { table, fields } of models) {
    for (const [name, { kind }] of Object.entries(fields)) {
      if (kind !== 'secret') continue
      const [column, from] = [sql.identifier(name), sql.identifier(table)]
      await db.transaction(async (tx) => {
        const rows = await tx.query<{ id: number; stored: string }>(
          sql`select id, ${column} as stored from ${from} where ${column} like 'v1:%' order by id for update`,
        )
        for (const { id, stored } of rows.filter((row) => isOldSecret(row.stored))) {
          const place = secretPlace(table, name, id)
          const renewed = cipher.encrypt(cipher.decrypt(stored, place), place)
          await tx.query(sql`update ${from} set ${column} = ${renewed} where id = ${id}::bigint`)
        }
      })
    }
  }
}
