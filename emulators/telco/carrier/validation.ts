import { rfc2822 } from '../dates.ts'
import { uriOf } from '../rest/classic-resource.ts'
import { newSid } from '../sids.ts'
import { subscription } from './call-status.ts'
import type { Carrier } from './carrier.ts'
import { progressFields, voiceFields } from './fields.ts'
import type { Leg } from './leg.ts'
import { RingingOver, ring } from './ring.ts'

export interface Validation {
  readonly phoneNumber: string
  readonly friendlyName: string
  readonly code: string
  readonly delaySeconds: number
  readonly callback: string | undefined
}

/** Number from which the provider makes its verification calls. */
const VERIFIER = '+14157234000'
const RING_SECONDS = 60
const PATIENCE_SECONDS = 20

/** Calls a number and asks for the code; who types it in owns the number. The leg is open when this returns. */
export function callToValidate(carrier: Carrier, validation: Validation): Leg {
  // The end of this call is reported by `report`, with what became of the validation.
  const leg = carrier.openLeg({ direction: 'outbound-api', from: VERIFIER, to: validation.phoneNumber })
  void conduct(carrier, leg, validation)
  return leg
}

async function conduct(carrier: Carrier, leg: Leg, validation: Validation): Promise<void> {
  const over = new AbortController()
  await carrier.clock.sleep(validation.delaySeconds)
  void carrier.clock.sleep(RING_SECONDS, over.signal).then(
    () => over.abort(new RingingOver('timeout')),
    () => undefined,
  )
  const isAnswered = await ring(carrier, { leg, extras: {}, signal: over.signal, mayAnswer: () => true })
  over.abort(new RingingOver('answered elsewhere'))
  const isRight = isAnswered && (await asksForCode(carrier, leg, validation.code))
  leg.end('completed')
  const sid = isRight ? addCallerId(carrier, validation) : undefined
  report(carrier, leg, { validation, sid })
}

/** The English call of the provider: it asks for six digits. */
async function asksForCode({ clock }: Carrier, leg: Leg, code: string): Promise<boolean> {
  leg.handset.hear('Please enter your verification code.')
  let keys = ''
  try {
    while (keys.length < code.length) {
      const sound = await leg.handset.sounds.nextWithin(PATIENCE_SECONDS, clock, leg.handset.ended)
      if (sound === undefined) return false
      if (sound.kind === 'key') keys += sound.key
    }
  } catch {
    return false
  }
  leg.handset.hear(keys === code ? 'Thank you, your number is verified. Goodbye.' : 'The code is wrong. Goodbye.')
  return keys === code
}

function addCallerId({ account, clock }: Carrier, { phoneNumber, friendlyName }: Validation): string {
  const sid = newSid('PN')
  const date = rfc2822(clock.now())
  account.callerIds.add({
    sid,
    account_sid: account.sid,
    date_created: date,
    date_updated: date,
    friendly_name: friendlyName,
    phone_number: phoneNumber,
    uri: uriOf(account, `/OutgoingCallerIds/${sid}`),
  })
  return sid
}

function report(
  carrier: Carrier,
  leg: Leg,
  { validation, sid }: { validation: Validation; sid: string | undefined },
): void {
  const wanted = subscription(validation.callback)
  if (wanted === undefined) return
  leg.sequence = 0
  carrier.webhooks.report({
    family: leg.sid,
    method: wanted.method,
    address: wanted.url,
    fields: {
      ...voiceFields(carrier.account.sid, leg),
      ...progressFields(leg, { status: leg.status, at: carrier.clock.now() }),
      VerificationStatus: sid === undefined ? 'failed' : 'success',
      ...(sid === undefined ? {} : { OutgoingCallerIdSid: sid }),
    },
  })
}
