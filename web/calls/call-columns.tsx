import { useCallback } from 'react'
import { beganAt, type CallRow } from '../lines/call-rows.ts'
import { CallStripOf } from '../lines/call-strip-of.tsx'
import { DialButton } from '../lines/dial-button.tsx'
import { DirectionSign } from '../lines/direction.tsx'
import { Outcome } from '../lines/outcome.tsx'
import { Party } from '../lines/party.tsx'
import type { Columns } from '../records/list-row.tsx'
import { formats, useWords } from '../words/words.ts'
import classes from './calls.module.css'

type Item = CallRow & { id: number }
/** Nobody, and no agent, has talked with the person who called. */
const UNANSWERED = ['missed', 'given_up', 'voicemail', 'failed']

/** The columns of a list of calls; where there is little room, two lines for each. */
export function useCallColumns({ isNarrow }: { isNarrow: boolean }): (rows: readonly Item[]) => Columns<Item> {
  const say = useWords('calls')
  return useCallback((): Columns<Item> => {
    const card = { id: 'card', label: say('title'), width: 'minmax(0, 1fr)', cell: cardOf }
    return isNarrow ? [card] : wide(say)
  }, [say, isNarrow])
}

function wide(say: ReturnType<typeof useWords<'calls'>>): Columns<Item> {
  return [
    { id: 'started', label: say('started'), width: 'minmax(88px, 112px)', cell: whenOf },
    {
      id: 'direction',
      label: '⇄',
      width: '16px',
      cell: ({ direction }) => <DirectionSign direction={direction} />,
    },
    { id: 'who', label: say('who'), width: 'minmax(150px, 2fr)', cell: (call) => <Party call={call} /> },
    { id: 'outcome', label: say('outcome'), width: 'minmax(120px, 1fr)', cell: (call) => <Outcome call={call} /> },
    { id: 'line', label: say('line'), width: 'minmax(80px, 1fr)', cell: (call) => <CallStripOf call={call} /> },
    { id: 'length', label: say('length'), width: '56px', cell: lengthOf },
    { id: 'ticket', label: say('ticket'), width: '72px', cell: (call) => <TicketOrCall call={call} /> },
  ]
}

function whenOf(call: Item) {
  const at = beganAt(call)
  return at === null ? null : <time dateTime={formats.exact(at)}>{formats.time(at)}</time>
}

/** The ticket that a call opened; where nobody answered, a way to call back. */
function TicketOrCall({ call }: { call: Item }) {
  const { ticket, caller, direction, outcome, partner, not_taken_over: isInVain } = call
  if (ticket !== null) return `#${ticket[0]}`
  if (caller === null || direction !== 'incoming' || !(isInVain || UNANSWERED.includes(outcome ?? ''))) return null
  return <DialButton number={caller} contact={partner?.[0]} size="compact-xs" />
}

function cardOf(call: Item) {
  return (
    <span className={classes.card}>
      <span className={classes.cardLine}>
        <span className={classes.cardWho}>
          <DirectionSign direction={call.direction} /> <Party call={call} />
        </span>
        <span className={`number ${classes.cardWhen}`}>
          <span className="dim">{whenOf(call)}</span> {lengthOf(call)}
        </span>
      </span>
      <span className={classes.cardLine}>
        <Outcome call={call} />
        <span className={classes.cardStrip}>
          <CallStripOf call={call} />
        </span>
      </span>
    </span>
  )
}

/** How long it took; nothing while it goes on: its page and Now count. */
export function lengthOf({ outcome, duration }: Pick<CallRow, 'outcome' | 'duration'>): string {
  return outcome === 'in_progress' ? '' : formats.duration(duration ?? 0)
}
