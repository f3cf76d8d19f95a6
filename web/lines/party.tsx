import type { Link } from '../data/models.gen.ts'
import { party, plain } from '../words/formats.ts'

/** The person on the other side: the name where it is known, and the number. */
export function Party({
  call,
}: {
  call: { direction: string | null; caller: string | null; called: string | null; partner: Link | null }
}) {
  const number = otherSide(call)
  return (
    <>
      {call.partner === null ? null : <strong>{plain(call.partner[1])} </strong>}
      <span className={call.partner === null ? 'number' : 'number dim'}>
        {call.direction === 'incoming' ? party(number) : party(number ?? '?')}
      </span>
    </>
  )
}

/** The number of the other side. */
export function otherSide({
  direction,
  called,
  caller,
}: Record<'direction' | 'called' | 'caller', string | null>): string | null {
  return direction === 'outgoing' ? called : caller
}
