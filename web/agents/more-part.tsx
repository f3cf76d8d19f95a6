import { useWords } from '../words/words.ts'
import { Field } from './agent-field.tsx'
import classes from './agents.module.css'
import { type AgentView, moreFields } from './use-agent.ts'

type Say = ReturnType<typeof useWords<'agents'>>

const SECONDS_PER_MINUTE = 60

/** The limits in words, and every other field. */
export function MorePart({ agent }: { agent: AgentView }) {
  const say = useWords('agents')
  return (
    <section className={classes.card} aria-label={say('limits')}>
      <h2>{say('limits')}</h2>
      <p>{limitsOf(agent.shown, say).join(' ')}</p>
      <details className={classes.more}>
        <summary>{say('more')}</summary>
        <div className={classes.fields}>
          {moreFields(agent.fields).map(({ name }) => (
            <Field key={name} agent={agent} name={name} />
          ))}
        </div>
      </details>
    </section>
  )
}

/** When a conversation ends by itself, and how many there are. */
function limitsOf(shown: AgentView['shown'], say: Say): string[] {
  const number = (name: string) => (typeof shown[name] === 'number' ? (shown[name] as number) : undefined)
  const longest = number('max_duration_seconds')
  const silence = number('silence_end_call_timeout')
  const turn = number('turn_timeout')
  const atOnce = number('agent_concurrency_limit')
  const daily = number('daily_limit')
  return [
    longest === undefined ? '' : say('limitLongest', { minutes: Math.round(longest / SECONDS_PER_MINUTE) }),
    turn === undefined ? '' : say('limitTurn', { seconds: turn }),
    silenceOf(silence, say),
    atOnce === undefined || atOnce < 0 ? say('limitAtOnceNone') : say('limitAtOnce', { count: atOnce }),
    daily === undefined ? '' : say('limitDaily', { count: daily }),
  ].filter((sentence) => sentence !== '')
}

function silenceOf(seconds: number | undefined, say: Say): string {
  if (seconds === undefined) return ''
  return seconds < 0 ? say('limitNoSilence') : say('limitSilence', { seconds })
}
