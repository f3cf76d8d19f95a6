import type { Subscription } from './call-status.ts'
import type { Carrier } from './carrier.ts'
import type { DocumentSource } from './document.ts'
import type { Leg } from './leg.ts'
import { RingingOver, ring } from './ring.ts'
import { runCall } from './run-document.ts'

/** A call that the account asked for through the API. */
export interface OutgoingCall {
  readonly from: string
  readonly to: string
  readonly document: DocumentSource | undefined
  readonly subscription: Subscription | undefined
  readonly extras: Readonly<Record<string, string>>
  readonly timeoutSeconds: number
  readonly timeLimitSeconds: number
  readonly sendDigits: string | undefined
  readonly recording:
    | { readonly channels: 1 | 2; readonly callback: string | undefined; readonly events: string | undefined }
    | undefined
}

/** Opens the leg, which is queued at first, and sees to the rest on its own. */
export function callOut(carrier: Carrier, call: OutgoingCall): Leg {
  // What is added to the address of a web phone is for that phone alone: no request of ours tells of it.
  const { from, to, subscription } = call
  const leg = carrier.openLeg({ direction: 'outbound-api', from, to, subscription })
  void conduct(carrier, leg, call).catch((error: unknown) => {
    carrier.problems.add({ where: 'scenario', message: `the call to ${to} came to grief: ${String(error)}` })
    leg.end('failed')
  })
  return leg
}

const QUEUED_SECONDS = 0.5

async function conduct(carrier: Carrier, leg: Leg, call: OutgoingCall): Promise<void> {
  const { clock } = carrier
  // A leg that is canceled while it is queued is over before anybody heard of it.
  const canceled = leg.beginProgram()
  const over = new AbortController()
  const signal = AbortSignal.any([canceled, over.signal])
  try {
    await clock.sleep(QUEUED_SECONDS, signal)
  } catch {
    return
  }
  void clock.sleep(call.timeoutSeconds, signal).then(
    () => over.abort(new RingingOver('timeout')),
    () => undefined,
  )
  const ringing = { leg, extras: call.extras, signal, mayAnswer: () => true }
  const isAnswered = await ring(carrier, ringing).catch(() => false)
  over.abort(new RingingOver('answered elsewhere'))
  if (!isAnswered) return
  if (call.sendDigits !== undefined) leg.handset.hear(`(keys ${call.sendDigits})`)
  const recording =
    call.recording === undefined ? undefined : carrier.recorder.start({ leg, source: 'OutboundAPI', ...call.recording })
  void clock.sleep(call.timeLimitSeconds, leg.handset.ended).then(
    () => leg.end('completed'),
    () => undefined,
  )
  await runCall(carrier, leg, call.document)
  recording?.stop()
}
