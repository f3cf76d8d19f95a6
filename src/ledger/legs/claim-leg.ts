import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/drizzle.ts'
import { param, statement } from '../../database/statement.ts'
import { phoneUserLogin } from '../../directory/phone-users.ts'

const CLAIM = statement<never, { sid: string; phone: number; partner: number | null }>(
  'leg_claim_caller',
  sql`update connect_channel set partner = coalesce(${param('partner')}::bigint, partner),
        caller_pbx_user = coalesce(caller_pbx_user, ${param('phone')}::bigint),
        caller_user = coalesce(caller_user, ${phoneUserLogin(sql`${param('phone')}::bigint`)})
      where sid = ${param('sid')}`,
)

/** Whoever began the call by hand is the caller of its first leg, and the contact they chose the contact. */
export function claimLeg(db: Transaction, claim: { sid: string; phone: number; partner: number | null }): void {
  db.send(CLAIM, claim)
}
