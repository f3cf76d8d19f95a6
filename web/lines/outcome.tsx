import type { Link } from '../data/models.gen.ts'
import { plain } from '../words/formats.ts'
import { useWords } from '../words/words.ts'
import classes from './lines.module.css'
import { type Outcome as Kind, type OutcomeCall, outcomeOf, SIGNS } from './outcome-of.ts'

const TONES: Readonly<Partial<Record<Kind, string>>> = {
  in_progress: 'live',
  ringing: 'live',
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
  const person = nameOf(call.answered_user) ?? nameOf(call.answered_pbx_user)
  const agent = nameOf(call.voiceai_agent)
  const words = () => {
    if (kind === 'person') return person ?? say('person')
    if (kind === 'agent') return agent === undefined ? say('agent') : say('agentNamed', { name: agent })
    if (kind === 'agent_person') return say('agent_person', { agent, name: person })
    return say(kind)
  }
  return (
    <span className={classes.outcome} data-tone={TONES[kind]}>
      <span className={classes.sign} aria-hidden>
        {SIGNS[kind]}
      </span>
      {words()}
    </span>
  )
}

function nameOf(link: Link | null): string | undefined {
  return link === null ? undefined : plain(link[1])
}
