import type { Link } from '../data/models.gen.ts'
import { plain } from '../words/formats.ts'
import type { Keys } from '../words/keys.ts'
import { type Outcome as Kind, type OutcomeCall, outcomeOf } from './outcome-signs.ts'

type Say = (key: Keys['lines'], values?: Record<string, string>) => string

/** How a call ended, in words alone: who answered, whether it is solved, and how the conversation ended. */
export function outcomeWords(call: OutcomeCall, say: Say): string {
  const kind = outcomeOf(call)
  if (kind === undefined) return ''
  const person = nameOf(call.answered_user) ?? nameOf(call.answered_pbx_user)
  const agent = nameOf(call.voiceai_agent)
  const words: Partial<Record<Kind, string>> = {
    person: person ?? say('person'),
    agent: withAgent(call, agent, say),
    agent_person: say('agent_person', { agent: agent ?? say('anAgent'), name: person ?? say('aPerson') }),
    ...(agent === undefined ? {} : { failed: say('agentNotReached') }),
    ...(call.conversation_failed === true ? { failed: say('conversationFailed') } : {}),
    ...ofOwnPhone(call, say),
  }
  return `${words[kind] ?? say(kind)}${kind === 'agent' ? endingWords(say, call) : ''}`
}

/** Whose own phone rang first has called nobody: that phone's end is not the end of whom they wanted. */
function ofOwnPhone({ end_reason: why, status }: OutcomeCall, say: Say): Partial<Record<Kind, string>> {
  if (why !== 'not_dialled') return {}
  const untaken = say('ownPhoneNotAnswered')
  return {
    busy: untaken,
    no_answer: status === 'completed' ? say('endedBeforeDialling') : untaken,
    failed: say('ownPhoneNotReached'),
  }
}

/** That no one took over is said first, because a list has no room for the whole. */
function withAgent({ not_taken_over: isInVain }: OutcomeCall, agent: string | undefined, say: Say): string {
  if (isInVain === true) return say('notTakenOver', { agent: agent ?? say('anAgent') })
  return agent === undefined ? say('agent') : say('agentNamed', { name: agent })
}

/** Endings of conversations that a list tells; that somebody hung up is no news. */
const ENDINGS: Readonly<Record<string, Keys['lines']>> = {
  voicemail: 'endedVoicemail',
  silence: 'endedSilence',
  too_long: 'endedTooLong',
  transferred: 'endedTransferred',
}

function endingWords(say: Say, call: OutcomeCall): string {
  if (call.not_taken_over === true) return ''
  if (call.nobody_spoke === true) return ` · ${say('nobodySpoke')}`
  return `${call.conversation_result === 'success' ? ` · ${say('solved')}` : ''}${howEnded(say, call)}`
}

function howEnded(say: Say, call: OutcomeCall): string {
  const { conversation_ending: ending, conversation_end: text } = call
  if (ending === 'said') return ` · ${say('quoted', { text: plain(text ?? '') })}`
  const key = ENDINGS[ending ?? '']
  return key === undefined ? '' : ` · ${say(key)}`
}

function nameOf(link: Link | null): string | undefined {
  return link === null ? undefined : plain(link[1])
}
