import { useWords } from '../words/words.ts'
import classes from './lines.module.css'
import { type Outcome as Kind, type OutcomeCall, outcomeOf, SIGNS } from './outcome-signs.ts'
import { outcomeWords } from './outcome-words.ts'

const TONES: Readonly<Partial<Record<Kind, string>>> = {
  ringing: 'live',
  talking: 'live',
  agent: 'agent',
  agent_person: 'agent',
  person: 'person',
  voicemail: 'voicemail',
  missed: 'danger',
  failed: 'danger',
}

/** How a call ended, in a word that names who answered. */
export function Outcome({ call }: { call: OutcomeCall }) {
  const say = useWords('lines')
  const kind = outcomeOf(call)
  if (kind === undefined) return null
  return (
    <span className={classes.outcome} data-tone={call.callback_done_at ? undefined : TONES[kind]}>
      <span className={classes.sign} aria-hidden>
        {SIGNS[kind]}
      </span>
      <span className={classes.outcomeWords}>{outcomeWords(call, say)}</span>
    </span>
  )
}
