import { useState } from 'react'
import type { Link } from '../data/models.gen.ts'
import { NewTicket } from '../records/new-ticket.tsx'
import { useWords } from '../words/words.ts'
import classes from './board.module.css'

/** A new ticket where it belongs: in the stage below which it is begun. */
export function AddTicket({ stage, team }: { stage: number; team: Link | null }) {
  const say = useWords('tickets')
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" className={classes.add} onClick={() => setOpen(true)}>
        + {say('add')}
      </button>
      {isOpen ? (
        <NewTicket
          place={`stage ${stage} ${team?.[0] ?? ''}`}
          stage={stage}
          team={team}
          onClose={() => setOpen(false)}
          onMade={() => setOpen(false)}
        />
      ) : null}
    </>
  )
}
