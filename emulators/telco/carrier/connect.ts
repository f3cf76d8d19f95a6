import { CallEnded, Handset } from '../../line.ts'
import { rfc2822 } from '../dates.ts'
import type { MarkupElement } from '../markup/element.ts'
import { newSid } from '../sids.ts'
import type { Fields } from './fields.ts'
import { absoluteAddress, actionOf, type Next, type Stage } from './stage.ts'

/** Connects the caller with a media stream until either side ends it. */
export async function connect(stage: Stage, element: MarkupElement): Promise<Next> {
  const { carrier, leg, signal } = stage
  const { clock, problems } = carrier
  leg.answer()
  const stream = element.children.find(({ name }) => name === 'Stream')
  const url = stream?.attributes.url ?? ''
  const parameters = Object.fromEntries(
    (stream?.children ?? []).map(({ attributes: { name = '', value = '' } }) => [name, value]),
  )
  const start = { url, parameters, callSid: leg.sid, from: leg.from, to: leg.to }
  const party = URL.canParse(url) ? carrier.findStreamPeer(url)?.(start) : undefined
  if (stream === undefined || party === undefined) {
    problems.add({ where: 'telco', code: 31920, message: `no media stream could be opened to "${url}"` })
    return actionOf(stage, element, { fields: {}, fallback: undefined })
  }
  const sid = newSid('MZ')
  reportStream(stage, stream, { StreamSid: sid, StreamEvent: 'stream-started' })
  const far = new Handset(clock, { hangUp: () => far.end(), speech: (words) => leg.spoken.push(words) })
  const answer = await party.ring({ ...start, extras: parameters }, signal)
  try {
    if (answer.kind === 'answered') {
      far.join(leg.handset)
      const talking = answer.talk(far).catch((error: unknown) => {
        if (!(error instanceof CallEnded)) problems.add({ where: 'scenario', message: String(error) })
      })
      await untilEither(far.ended, signal)
      // The stream is closed when the caller has gone, or is led elsewhere: nobody talks on with a closed stream.
      far.end()
      await talking
    }
  } finally {
    leg.handset.part()
    far.end()
    reportStream(stage, stream, { StreamSid: sid, StreamEvent: 'stream-stopped' })
  }
  signal.throwIfAborted()
  return actionOf(stage, element, { fields: { StreamSid: sid }, fallback: undefined })
}

function untilEither(first: AbortSignal, second: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const either = AbortSignal.any([first, second])
  if (either.aborted) resolve()
  else either.addEventListener('abort', () => resolve(), { once: true })
  return promise
}

function reportStream(stage: Stage, stream: MarkupElement, fields: Fields): void {
  const { statusCallback, name = '' } = stream.attributes
  if (statusCallback === undefined) return
  const { carrier, leg } = stage
  carrier.webhooks.report({
    family: leg.root.sid,
    method: 'POST',
    address: absoluteAddress(stage, statusCallback),
    fields: {
      AccountSid: carrier.account.sid,
      CallSid: leg.sid,
      StreamName: name,
      Timestamp: rfc2822(carrier.clock.now()),
      ...fields,
    },
  })
}
