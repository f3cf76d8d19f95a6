import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { call } from '../data/client.ts'
import { asks, keyOf } from '../data/keys.ts'
import type { Methods } from '../data/models.gen.ts'
import { useMe } from '../data/session.ts'
import { tellDone, tellRefusal } from '../design/notices.tsx'
import { Button } from '../design/press.tsx'
import { DialButton } from '../lines/dial-button.tsx'
import { SIGNS } from '../lines/outcome-signs.ts'
import { party, plain } from '../words/formats.ts'
import { formats, useWords } from '../words/words.ts'
import classes from './now.module.css'
import { PlayButton } from './play-button.tsx'

type Waiting = Methods['connect.call']['to_call_back']['result'][number]
const SHOWN_MAX = 12

interface Props {
  waiting: Waiting
}

const waitingQuery = asks({
  queryKey: keyOf('connect.call', 'to-call-back'),
  queryFn: () => call('connect.call', 'to_call_back', { limit: SHOWN_MAX }),
})

/** Who was missed or left a message and has not been talked with since, the longest waiting first. */
export function CallBack() {
  const say = useWords('now')
  const { data: waiting } = useQuery(waitingQuery)
  if (waiting === undefined) return <div className={classes.loading} />
  return (
    <section aria-label={say('toCallBack')}>
      <h2>
        {say('toCallBack')} {waiting.length === 0 ? null : <span className="dim">{formats.count(waiting.length)}</span>}
      </h2>
      {waiting.length === 0 ? <p className="dim">{say('nobodyWaits')}</p> : null}
      <ul className={classes.rows}>
        {waiting.map((each) => (
          <li key={each.ids.at(-1)} className={classes.waiting}>
            <WaitingRow waiting={each} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function WaitingRow({ waiting }: Props) {
  const say = useWords('now')
  const queries = useQueryClient()
  const { ids, number, at, outcome, calling } = waiting
  const me = useMe()
  const name = nameOf(waiting.partner)
  const [heard] = ids
  const shown = party(number)
  const lookAgain = () => queries.invalidateQueries({ queryKey: waitingQuery.queryKey })
  const settle = async (): Promise<void> => {
    try {
      await call('connect.call', 'callback_done', { ids })
      const back = () => call('connect.call', 'callback_undone', { ids }).then(lookAgain, tellRefusal)
      tellDone(say('settled', { number: name === undefined ? shown : plain(name) }), {
        label: say('undo'),
        run: () => void back(),
      })
      await lookAgain()
    } catch (error) {
      tellRefusal(error)
    }
  }
  return (
    <>
      <Link to="/calls/$id" params={{ id: String(ids[0]) }} className={classes.who}>
        {name === undefined ? null : <strong>{plain(name)} </strong>}
        <span className={name === undefined ? 'number' : 'number dim'}>{shown}</span>
      </Link>
      <span className="dim">
        <What waiting={waiting} /> <time dateTime={formats.exact(at)}>{formats.time(at)}</time>
        {ids.length > 1 ? `, ${say('times', { count: ids.length })}` : ''}
      </span>
      <span className={classes.buttons}>
        {outcome === 'voicemail' && heard !== undefined ? <PlayButton call={heard} number={shown} /> : null}
        {calling === null ? (
          <DialButton number={number} contact={waiting.partner?.[0]} size="compact-sm" />
        ) : (
          <strong className={classes.calling}>
            {calling[0] === me.id ? say('youAreCalling') : say('isCalling', { name: plain(calling[1]) })}
          </strong>
        )}
        {waiting.may_settle ? (
          <Button
            size="compact-sm"
            variant="default"
            onClick={settle}
            aria-label={say('doneNumber', { number: shown })}
          >
            {say('done')}
          </Button>
        ) : null}
      </span>
    </>
  )
}

/** How the newest call ended; what is broken here stands out, for it will fail the next caller too. */
function What({ waiting: { outcome, agent_not_reached: isAgentGone, voicemail_seconds: seconds } }: Props) {
  const say = useWords('now')
  const sayLines = useWords('lines')
  switch (outcome) {
    case 'voicemail':
      return seconds ? say('leftVoicemail', { time: formats.duration(seconds) }) : say('leftVoicemailOfSomeLength')
    case 'given_up':
      return say('givenUp')
    case 'failed':
      return (
        <strong className={classes.trouble}>
          <span aria-hidden>{SIGNS.failed} </span>
          {sayLines(isAgentGone ? 'agentNotReached' : 'failed')}
        </strong>
      )
    default:
      return say('missedAt')
  }
}

function nameOf(partner: Waiting['partner']): string | undefined {
  const name = partner?.[1]
  return typeof name === 'string' && name !== '' ? name : undefined
}
