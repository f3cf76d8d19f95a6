import type { Link } from '../data/models.gen.ts'
import { party, plain } from '../words/formats.ts'
import { useWords } from '../words/words.ts'

type Ends = Record<'direction' | 'called' | 'caller', string | null>

/** The person on the other side: the name where it is known, and the number. */
export function Party({ call }: { call: Ends & { partner: Link | null; erased_at?: string | null } }) {
  const say = useWords('lines')
  const number = otherSide(call)
  if (isErased(call)) return <span className="dim">{say('erasedPerson')}</span>
  return (
    <>
      {call.partner === null ? null : <strong>{plain(call.partner[1])} </strong>}
      <span className={call.partner === null ? 'number' : 'number dim'}>
        {call.direction === 'incoming' ? party(number) : party(number ?? '?')}
      </span>
    </>
  )
}

/** Whether nobody is named any more because the person was erased. */
export function isErased(call: Ends & { erased_at?: string | null }): boolean {
  return otherSide(call) === null && (call.erased_at ?? null) !== null
}

/** The number of the other side. */
export function otherSide({ direction, called, caller }: Ends): string | null {
  return direction === 'outgoing' ? called : caller
}
