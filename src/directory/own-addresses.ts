import type { Queryable } from '../database/database.ts'
import { sql } from '../database/drizzle.ts'

/** Whether messages from this address are ours: one of our numbers, or of our WhatsApp senders. */
export async function isOwnAddress(db: Queryable, address: unknown): Promise<boolean> {
  const ours = await db.query(
    sql`select 1 from connect_telco_number where phone_number = ${address}
        union all select 1 from connect_whatsapp_sender where number = ${address} limit 1`,
  )
  return ours.length > 0
}
