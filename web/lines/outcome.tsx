import type { Link } from '../data/models.gen.ts'
import { plain } from '../words/formats.ts'
import type { Keys } from '../words/keys.ts'
import { useWords } from '../words/words.ts'
import classes from './lines.module.css'
import { type Outcome as Kind, type OutcomeCall, outcomeOf, SIGNS } from './outcome-signs.ts'

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
    <span className={classes.outcome} data-tone={TONES[kind]}>
      <span className={classes.sign} aria-hidden>
        {SIGNS[kind]}
      </span>
      <span className={classes.outcomeWords}>{outcomeWords(call, say)}</span>
    </span>
  )
}

/** The same as words alone. */
export function outcomeWords(call: OutcomeCall, say: ReturnType<typeof useWords<'lines'>>): string {
  const kind = outcomeOf(call)
  if (kind === undefined) return ''
  const person = nameOf(call.answered_user) ?? nameOf(call.answered_pbx_user)
  const agent = nameOf(call.voiceai_agent)
  const words: Partial<Record<Kind, string>> = {
    person: person ?? say('person'),
    agent: agent === undefined ? say('agent') : say('agentNamed', { name: agent }),
    agent_person: say('agent_person', { agent: agent ?? say('anAgent'), name: person ?? say('aPerson') }),
    ...(agent === undefined ? {} : { failed: say('agentNotReached') }),
    ...(call.conversation_failed === true ? { failed: say('conversationFailed') } : {}),
  }
  return `${words[kind] ?? say(kind)}${kind === 'agent' ? endingWords(say, call) : ''}`
}

/** Endings of conversations that a list tells; that somebody hung up is no news. */
const ENDINGS: Readonly<Record<string, Keys['lines']>> = {
  voicemail: 'endedVoicemail',
  silence: 'endedSilence',
  too_long: 'endedTooLong',
  transferred: 'endedTransferred',
}

function endingWords(say: (key: Keys['lines']) => string, call: OutcomeCall): string {
  const { conversation_ending: ending, conversation_end: text } = call
  if (ending === 'said') return ` · “${plain(text ?? '')}”`
  const key = ENDINGS[ending ?? '']
  return key === undefined ? '' : ` · ${say(key)}`
}

function nameOf(link: Link | null): string | undefined {
  return link === null ? undefined : plain(link[1])
}
