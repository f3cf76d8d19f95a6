import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { char } from '../model/fields.ts'
import { defineModel } from '../model/model.ts'

/** What has been put in, by name: an administrator may rename or delete it, and it does not come back. */
export const seedModel = defineModel({
  name: 'connect.seed',
  label: 'Seed',
  order: 'id',
  fields: { name: char('Name', { required: true, isUnique: true }) },
})

/** Puts something in the first time an installation sees its name, and never again. */
export async function seedOnce(tx: Transaction, name: string, create: () => Promise<void>): Promise<void> {
  const isNew = await tx.query(
    sql`insert into connect_seed (name) values (${name}) on conflict (name) do nothing returning id`,
  )
  if (isNew.length > 0) await create()
}
