import { plain } from '../words/formats.ts'
import type { Keys } from '../words/keys.ts'
import { findingOf } from '../words/server-words.ts'
import { useWords } from '../words/words.ts'
import classes from './agents.module.css'

interface Agent {
  synced: boolean | null
  sync_error: string | null
  agent_uid: string | null
}

/** Whether the platform has the agent as it is here, in a word, and whether there is a draft. */
export function AgentState({ agent, isDrafted }: { agent: Agent; isDrafted: boolean }) {
  const say = useWords('agents')
  const { sync_error: error } = agent
  const { words, tone } = stateOf(agent)
  return (
    <span className={classes.state}>
      <span className={classes.mark} data-tone={tone} title={error === null ? undefined : plain(findingOf(error))}>
        {say(words)}
      </span>
      {isDrafted ? (
        <span className={classes.mark} data-tone="draft">
          {say('draft')}
        </span>
      ) : null}
    </span>
  )
}

/** Why the platform does not have the agent as it is here. */
export function NotSynced({ agent: { sync_error: error, agent_uid: uid } }: { agent: Agent }) {
  const say = useWords('agents')
  if (error === null) return null
  const reason = plain(findingOf(error))
  return (
    <p role="status" className={classes.notSynced}>
      {say(uid === null ? 'notMade' : 'notSent', { reason })}
    </p>
  )
}

function stateOf({ synced, sync_error: error, agent_uid: uid }: Agent): { words: Keys['agents']; tone?: string } {
  if (error !== null) return { words: 'notInSync', tone: 'danger' }
  if (uid === null) return { words: 'notThere' }
  return synced === true ? { words: 'inSync', tone: 'live' } : { words: 'beingSent' }
}
