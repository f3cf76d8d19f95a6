import { CloseButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { oneQuery } from '../data/queries.ts'
import { Button } from '../design/press.tsx'
import { beganAt, CALL_FIELDS } from '../lines/call-rows.ts'
import { CallStripOf } from '../lines/call-strip-of.tsx'
import { DirectionSign } from '../lines/direction.tsx'
import { Outcome } from '../lines/outcome.tsx'
import { Party } from '../lines/party.tsx'
import { plain } from '../words/formats.ts'
import { formats, useWords } from '../words/words.ts'
import classes from './calls.module.css'

const FIELDS = [...CALL_FIELDS, 'voiceai_summary', 'wait_seconds'] as const

/** A call beside the list, without leaving it. */
export function CallPeek({ id, onClose }: { id: number; onClose: () => void }) {
  const say = useWords('calls')
  const { data: call } = useQuery(oneQuery('connect.call', id, FIELDS))
  return (
    <aside className={classes.peek} aria-label={say('peek')}>
      <CloseButton aria-label={say('closePeek')} onClick={onClose} className={classes.closePeek} />
      {call === null ? <p>{say('gone')}</p> : null}
      {call === null || call === undefined ? null : (
        <>
          <h2>
            <DirectionSign direction={call.direction} /> <Party call={call} />
          </h2>
          <p>
            <Outcome call={call} />
          </p>
          <CallStripOf call={call} />
          <p className="dim">
            {formats.time(beganAt(call))} · {formats.duration(call.duration ?? 0)}
            {call.wait_seconds === null ? null : ` · ${say('waited', { time: formats.duration(call.wait_seconds) })}`}
          </p>
          {call.voiceai_summary === null ? null : <p className={classes.said}>{plain(call.voiceai_summary)}</p>}
          <Button component={Link} to={`/calls/${call.id}`} variant="default">
            {say('open')}
          </Button>
        </>
      )}
    </aside>
  )
}
