import { useCallback } from 'react'
import { mayDo, useMe } from '../data/session.ts'
import { beganAt, type CallRow } from '../lines/call-rows.ts'
import { CallStripOf } from '../lines/call-strip-of.tsx'
import { DialButton } from '../lines/dial-button.tsx'
import { DirectionSign } from '../lines/direction.tsx'
import { Outcome } from '../lines/outcome.tsx'
import { useOwnPhone } from '../lines/own-phone.tsx'
import { Party } from '../lines/party.tsx'
import type { Columns } from '../records/list-row.tsx'
import { formats, useWords } from '../words/words.ts'
import { useDoneWords } from './call-done.tsx'
import classes from './calls.module.css'

type Item = CallRow & { id: number }
/** Nobody, and no agent, has talked with the person who called. */
const UNANSWERED = ['missed', 'given_up', 'voicemail', 'failed']

/** How much room a list of calls has. */
export type Room = 'narrow' | 'middle' | 'wide'

/** The columns of a list of calls; where there is little room, two lines for each. */
export function useCallColumns(room: Room): (rows: readonly Item[]) => Columns<Item> {
  const say = useWords('calls')
  const seesTickets = mayDo(useMe(), 'helpdesk.ticket', 'r')
  const backLabel = useWords('lines')('callBack')
  const isSettling = mayDo(useMe(), 'connect.call', 'w')
  const back = useCanDial() || isSettling ? backLabel : undefined
  return useCallback((): Columns<Item> => {
    const card = { id: 'card', label: say('title'), width: 'minmax(0, 1fr)', cell: cardOf }
    if (room === 'narrow') return [card]
    return inTable(say, { seesTickets, back }).filter(({ id }) => room === 'wide' || !ONLY_WIDE.includes(id))
  }, [say, room, seesTickets, back])
}

/** Columns that a table with less room leaves out: what it has must not stand beyond its edge. */
const ONLY_WIDE = ['line', 'length']

/** Without the columns that are empty for the reader in every row. */
function inTable(
  say: ReturnType<typeof useWords<'calls'>>,
  { seesTickets, back }: { seesTickets: boolean; back: string | undefined },
): Columns<Item> {
  const ticket = { id: 'ticket', label: say('ticket'), width: '48px', cell: ticketOf }
  return [
    { id: 'started', label: say('started'), width: 'minmax(76px, 112px)', cell: whenOf },
    {
      id: 'direction',
      label: '⇄',
      width: '16px',
      cell: ({ direction }) => <DirectionSign direction={direction} />,
    },
    { id: 'who', label: say('who'), width: 'minmax(110px, 2fr)', cell: (call) => <Party call={call} /> },
    { id: 'outcome', label: say('outcome'), width: 'minmax(100px, 1fr)', cell: (call) => <Outcome call={call} /> },
    { id: 'line', label: say('line'), width: 'minmax(80px, 1fr)', cell: (call) => <CallStripOf call={call} /> },
    { id: 'length', label: say('length'), width: '56px', cell: lengthOf },
    ...(seesTickets ? [ticket] : []),
    ...(back === undefined
      ? []
      : [{ id: 'back', label: back, width: '88px', cell: (call: Item) => <CallBack call={call} /> }]),
  ]
}

/** Whether a click can ring one's own phone. */
function useCanDial(): boolean {
  const me = useMe()
  const { obstacle } = useOwnPhone()
  return mayDo(me, 'connect.user', 'r') && obstacle === undefined
}

function whenOf(call: Item) {
  const at = beganAt(call)
  return at === null ? null : <time dateTime={formats.exact(at)}>{formats.time(at)}</time>
}

/** The ticket that a call opened. */
function ticketOf({ ticket }: Item): string {
  return ticket === null ? '' : `#${ticket[0]}`
}

/** A way to call back where nobody answered, until somebody is done with it. */
function CallBack({ call }: { call: Item }) {
  const say = useWords('calls')
  const done = useDoneWords()(call)
  const { caller, direction, outcome, partner, not_taken_over: isInVain } = call
  if (caller === null || direction !== 'incoming' || !(isInVain || UNANSWERED.includes(outcome ?? ''))) return null
  if (done !== undefined) {
    return (
      <span className="dim" title={done}>
        {say('done')}
      </span>
    )
  }
  return <DialButton number={caller} contact={partner?.[0]} size="compact-xs" />
}

function cardOf(call: Item) {
  return (
    <span className={classes.card}>
      <span className={classes.cardLines}>
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
      <CallBack call={call} />
    </span>
  )
}

/** How long it took; nothing while it goes on: its page and Now count. */
export function lengthOf({ outcome, duration }: Pick<CallRow, 'outcome' | 'duration'>): string {
  return outcome === 'in_progress' ? '' : formats.duration(duration ?? 0)
}
