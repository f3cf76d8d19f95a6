import { sql } from '../../database/drizzle.ts'
import { listed } from '../../database/listed.ts'
import { param, statement } from '../../database/statement.ts'
import { readLine, readSid } from '../../ledger/legs/provider-form.ts'
import { formsOfSubscriber } from '../../number-plans.ts'
import type { Env } from '../../platform/access/env.ts'
import { writtenBy } from '../../platform/model/written-by.ts'
import { notifyChanged } from '../../platform/records/notify-changed.ts'
import type { TelcoRequest } from '../webhooks/request.ts'

// The provider's id is not for people to write, so this goes past the field rules; the row is found by its unique
// number, in the form that is reported, else in another of it. What the provider has an id for is validated there and cannot be tried
// again: a late report of an earlier, failed try takes nothing back.
const SAVE_RESULT = statement<
  { id: number },
  { number: string; forms: readonly string[]; is_valid: boolean; sid: string | null }
>(
  'callerid_result',
  sql`update connect_telco_outgoing_callerid set
        status = case when ${param('is_valid')}::bool or (status = 'validated' and sid is not null) then 'validated'
          else 'validation failed' end,
        sid = case when ${param('is_valid')}::bool then coalesce(${param('sid')}::text, sid) else sid end,
        ${writtenBy(null)}
      where id = (select id from connect_telco_outgoing_callerid
        where number in ${listed('forms', 'text')} and callerid_type = 'outgoing_callerid'
        order by number <> ${param('number')}, id limit 1) returning id`,
)

/** Records the outcome of validating each caller id; unknown are those that are not validated here. */
export async function recordCallerIdResults(
  env: Env,
  requests: readonly Pick<TelcoRequest, 'form'>[],
): Promise<{ isKnown: boolean }[]> {
  const results: { isKnown: boolean }[] = []
  for (const request of requests) results.push({ isKnown: await recordResult(env, request) })
  return results
}

async function recordResult(env: Env, { form }: Pick<TelcoRequest, 'form'>): Promise<boolean> {
  const number = readLine(form.Called || form.To) ?? ''
  const isValid = (form.VerificationStatus ?? '').trim().toLowerCase() === 'success'
  const sid = readSid(form.OutgoingCallerIdSid) || null
  const [saved] = await env.db.run(SAVE_RESULT, { number, forms: formsOfSubscriber(number), is_valid: isValid, sid })
  if (saved !== undefined) {
    await notifyChanged(env, 'connect.telco.outgoing_callerid', [saved.id])
    return true
  }
  const { CallSid: callSid } = form
  env.platform.log.warn({ callSid }, 'a caller id that is not known here was reported as validated or not')
  return false
}
