import { type Static, Type } from 'typebox'
import { sql } from '../../database/drizzle.ts'
import { Refusal } from '../../errors.ts'
import type { Env, OpenEnv } from '../../platform/access/env.ts'
import type { OutsideMethod, RowOf } from '../../platform/model/model.ts'
import { writerOf, writtenBy } from '../../platform/model/written-by.ts'
import { notifyChanged } from '../../platform/records/notify-changed.ts'
import { ProviderRefused } from '../../ports/telco-client.ts'
import { forPerson } from '../../sync/push.ts'
import { outsideButton } from '../../sync/requests.ts'
import { statusUrl } from '../applications/webhook-url.ts'
import { takeOutgoing } from '../outgoing/outgoing-limits.ts'
import { requireReady } from '../sync/readiness.ts'
import { TELCO, type TelcoParts } from '../sync/telco.ts'
import { upsertVerified } from './caller-id-resource.ts'
import { outgoingCalleridModel } from './outgoing-callerid.ts'

/** The provider verifies numbers in its main region only. */
const REGION = 'us1'
/** The provider's errors for a number that it has verified before. */
const ALREADY_CODES = new Set(['21450', '21408'])
const ENTER_CODE = 'Twilio calls the number now: enter the code on its keys.'
const ALREADY = 'Twilio had verified this number before: it can be shown.'

type Wanted = Awaited<ReturnType<typeof readWanted>>

const Validation = Type.Object({
  validation_code: Type.Union([Type.String(), Type.Null()]),
  status: Type.String(),
  message: Type.String(),
})

/** Has the provider call a number and ask for a code, which is shown here. The outcome arrives as an event. */
export function validateMethod(parts: TelcoParts): OutsideMethod {
  return outsideButton('Validate', Validation, async (open, [id, ...others]) => {
    if (id === undefined || others.length > 0) throw new Refusal('refused', 'validate-one-caller-id-at-time')
    return forPerson(TELCO, () => validate(parts, open, id))
  })
}

async function validate(parts: TelcoParts, open: OpenEnv, id: number): Promise<Static<typeof Validation>> {
  const wanted = await open((env) => readWanted(env, id))
  const validation = await ask(parts, wanted)
  if (validation === undefined) {
    await replace(parts, wanted)
    return { validation_code: null, status: 'validated', message: ALREADY }
  }
  await open((env) => saveCode(env, id, validation))
  return { validation_code: validation.code, status: 'not validated', message: ENTER_CODE }
}

async function readWanted(env: Env, id: number) {
  requireReady(env.settings)
  if (env.settings.telcoRegion !== REGION) {
    throw new Refusal('refused', 'caller-ids-can-validated-region-only', { region: REGION })
  }
  const [stored] = await env.db.query<
    RowOf<typeof outgoingCalleridModel, 'number' | 'friendly_name' | 'callerid_type' | 'sid'>
  >(sql`select number, friendly_name, callerid_type, sid from connect_telco_outgoing_callerid where id = ${id}::bigint`)
  if (stored === undefined) throw new Refusal('not-found', 'no-record', { id, model: outgoingCalleridModel.name })
  if (stored.callerid_type === 'number') {
    throw new Refusal('refused', 'number-yours-needs-no-validation', { number: stored.number })
  }
  if (stored.sid) throw new Refusal('refused', 'has-been-validated-already', { number: stored.number })
  // The provider calls it.
  await takeOutgoing(env, { kind: 'call', number: stored.number })
  const { apiUrl, telcoEdge } = env.settings
  return {
    id,
    number: stored.number,
    name: stored.friendly_name,
    statusUrl: statusUrl(apiUrl, '/telco/webhook/outgoing_callerid', telcoEdge) ?? '',
  }
}

/** Undefined when the provider has verified the number before. */
async function ask({ account }: TelcoParts, wanted: Wanted): Promise<{ code: string } | undefined> {
  try {
    return await account.callerIds.validate(wanted)
  } catch (error) {
    if (!(error instanceof ProviderRefused)) throw error
    const isKnown = ALREADY_CODES.has(error.providerCode ?? '') || /already (?:verified|validated)/i.test(error.message)
    if (isKnown) return undefined
    throw error
  }
}

/** Takes over what the provider has in place of what was entered here. */
async function replace(parts: TelcoParts, { id, number }: Wanted): Promise<void> {
  const found = (await parts.account.callerIds.list({ number })).find((each) => each.number === number)
  if (found === undefined) {
    throw new Refusal('conflict', 'phone-provider-says-verified-does-not', { number })
  }
  await upsertVerified(parts, found)
  await parts.db.query(
    sql`update connect_telco_outgoing_callerid set validation_code = null, sync_error = null, ${writtenBy(null)} where id = ${id}::bigint`,
  )
}

async function saveCode(env: Env, id: number, { code }: { code: string }): Promise<void> {
  // The code is not for people to write, so this goes past the field rules.
  await env.db.query(
    sql`update connect_telco_outgoing_callerid set validation_code = ${code}, ${writtenBy(writerOf(env))},
          status = case when status = 'validated' then status else 'not validated' end, sync_error = null
        where id = ${id}::bigint`,
  )
  await notifyChanged(env, outgoingCalleridModel.name, [id])
}
