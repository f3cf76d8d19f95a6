import { findPerson, type NamedPerson } from '../../contacts/person-of.ts'
import type { Queryable } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'

/**
 * The person of a contact; undefined when there is no such contact. A number of ours that stands with a contact is not theirs:
 * everybody calls it. Nor is the mobile of a colleague.
 */
export async function findPersonOfContact(db: Queryable, id: number): Promise<NamedPerson | undefined> {
  const rows = await db.query<{ number: string }>(sql`select phone_number as number from connect_telco_number
    union select number from connect_telco_outgoing_callerid union select number from connect_whatsapp_sender
    union select mobile_number from connect_user where mobile_number is not null
    union select mobile_number from connect_telco_exten where mobile_number is not null`)
  return findPerson(db, id, new Set(rows.map(({ number }) => number)))
}
