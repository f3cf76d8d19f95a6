import type { Queryable } from '../database/database.ts'
import { sql } from '../database/drizzle.ts'
import { formsOfSubscriber } from '../number-plans.ts'

/** Whether messages from this address are ours: one of our numbers, or of our WhatsApp senders. */
export async function isOwnAddress(db: Queryable, address: unknown): Promise<boolean> {
  const ours = await db.query(
    sql`select 1 from connect_telco_number where phone_number = ${address}
        union all select 1 from connect_whatsapp_sender where number = ${address} limit 1`,
  )
  return ours.length > 0
}

/** Of numbers that have several forms, those that are ours, by the number as it was given: in the form in which we have it. */
export async function findOwnForms(db: Queryable, numbers: readonly string[]): Promise<Map<string, string>> {
  const forms = new Map(numbers.map((number) => [number, formsOfSubscriber(number)]))
  const several = [...forms].filter(([, all]) => all.length > 1)
  if (several.length === 0) return new Map()
  const all = sql`(select jsonb_array_elements_text(${JSON.stringify(several.flatMap(([, each]) => each))}::jsonb))`
  const ours = await db.query<{ number: string }>(
    sql`select phone_number as number from connect_telco_number where phone_number in ${all}
        union select number from connect_whatsapp_sender where number in ${all}`,
  )
  const known = new Set(ours.map(({ number }) => number))
  return new Map(
    several.flatMap(([number, each]) => {
      const own = each.find((form) => known.has(form))
      return own === undefined ? [] : [[number, own] as const]
    }),
  )
}
