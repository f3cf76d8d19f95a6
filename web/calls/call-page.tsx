import { Tabs } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { ApiError } from '../data/errors.ts'
import { oneQuery } from '../data/queries.ts'
import { GROUP, useIsInOne } from '../data/session.ts'
import { PageHead } from '../design/page-head.tsx'
import { CALL_FIELDS } from '../lines/call-rows.ts'
import { CallStripOf } from '../lines/call-strip-of.tsx'
import { DirectionSign } from '../lines/direction.tsx'
import { Outcome } from '../lines/outcome.tsx'
import { Chatter } from '../records/chatter.tsx'
import { phone, plain } from '../words/formats.ts'
import { formats, useWords } from '../words/words.ts'
import { CallAbout } from './call-about.tsx'
import { CallRecordings } from './call-recordings.tsx'
import { CallTimeline } from './call-timeline.tsx'
import classes from './calls.module.css'

const FIELDS = [
  ...CALL_FIELDS,
  'call_sid',
  'voiceai_conversation_id',
  'voiceai_summary',
  'error_code',
  'error_message',
  'price',
  'price_currency',
  'called_users',
] as const

/** One call: what became of it, what was said, what happened, and what it is about. */
export function CallPage() {
  const say = useWords('calls')
  const { id: address = '' } = useParams({ strict: false }) as { id?: string }
  const { tab = 'story' } = useSearch({ strict: false }) as { tab?: string }
  const navigate = useNavigate()
  const isAdmin = useIsInOne(GROUP.connectAdmin)
  const { data: call } = useSuspenseQuery(oneQuery('connect.call', Number(address), FIELDS))
  if (call === null) throw new ApiError(404, say('gone'))
  const other = call.direction === 'outgoing' ? call.called : call.caller
  const who = call.partner === null ? phone(other ?? '?') : plain(call.partner[1])
  return (
    <>
      <PageHead title={who}>
        <Link to="/calls">{say('allCalls')}</Link>
      </PageHead>
      <div className={classes.page}>
        <div className={classes.summary}>
          <p>
            <DirectionSign direction={call.direction} /> <span className="number">{phone(call.caller ?? '?')}</span> →{' '}
            <span className="number">{phone(call.called ?? '?')}</span>
            {call.create_date === null ? null : (
              <>
                {' · '}
                <time dateTime={formats.exact(call.create_date)}>{formats.time(call.create_date)}</time>
              </>
            )}
          </p>
          <p className={classes.outcome}>
            <Outcome call={call} /> <span className="number">{formats.duration(call.duration ?? 0)}</span>
          </p>
          <CallStripOf call={call} isLarge />
          {call.error_message === null ? null : <p className={classes.error}>{plain(call.error_message)}</p>}
          {call.voiceai_summary === null ? null : <p className={classes.said}>{call.voiceai_summary}</p>}
        </div>
        <Tabs
          value={tab}
          onChange={(next) =>
            void navigate({ to: '.', search: (next === 'story' ? {} : { tab: next }) as never, replace: true })
          }
          keepMounted={false}
        >
          <Tabs.List>
            <Tabs.Tab value="story">{say('story')}</Tabs.Tab>
            <Tabs.Tab value="transcript">{say('recordings')}</Tabs.Tab>
            <Tabs.Tab value="about">{say('about')}</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="story">
            {isAdmin ? <CallTimeline id={call.id} /> : <CallRecordings id={call.id} />}
          </Tabs.Panel>
          <Tabs.Panel value="transcript">
            <CallRecordings id={call.id} />
          </Tabs.Panel>
          <Tabs.Panel value="about">
            <CallAbout call={call} />
          </Tabs.Panel>
        </Tabs>
        <Chatter model="connect.call" id={call.id} />
      </div>
    </>
  )
}
