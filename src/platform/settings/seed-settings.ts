import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import type { Model, Values } from '../model/model.ts'
import { type Cipher, secretPlace } from '../secrets/secrets.ts'

/**
 * Puts in the one row of the settings where there is none: what is given, and the defaults of the other fields. Of a row
 * that is there only what `whileEmpty` gives is put in, where nothing is set.
 */
export async function seedSettings(
  tx: Transaction,
  cipher: Cipher,
  model: Model,
  { whileEmpty, ...once }: Values & { whileEmpty: Values },
): Promise<void> {
  const known = await tx.query(sql`select id from connect_settings limit 1`)
  if (known.length > 0) return fillEmpty(tx, whileEmpty)
  const given = { ...once, ...whileEmpty }
  const [reserved] = await tx.query<{ id: number }>(sql`select nextval('connect_settings_id_seq')::bigint as id`)
  const id = reserved?.id ?? 1
  const written = Object.entries(model.fields).flatMap(([name, field]) => {
    const value = given[name] ?? field.default
    if (value === undefined || typeof value === 'function') return []
    const isSecret = field.kind === 'secret'
    return [[name, isSecret ? cipher.encrypt(String(value), secretPlace(model.table, name, id)) : value] as const]
  })
  const names = written.map(([name]) => sql.identifier(name))
  const values = written.map(([, value]) => sql`${value}`)
  await tx.query(
    sql`insert into connect_settings (id, ${sql.join(names, sql`, `)}) values (${id}::bigint, ${sql.join(values, sql`, `)})`,
  )
}

async function fillEmpty(tx: Transaction, values: Values): Promise<void> {
  const given = Object.entries(values).filter(([, value]) => value !== undefined)
  for (const [name, value] of given) {
    const column = sql.identifier(name)
    await tx.query(sql`update connect_settings set ${column} = ${value} where coalesce(${column}, '') = ''`)
  }
}
