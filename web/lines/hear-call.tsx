import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { oneQuery, throwsInstead } from '../data/queries.ts'
import { duration, party, plain } from '../words/formats.ts'
import { useWords } from '../words/words.ts'
import { type Timeline, timelineQuery } from './call-queries.ts'
import classes from './hear-call.module.css'
import { usePlayback } from './playback.ts'

const MS_PER_SECOND = 1_000

/** What was said in a call, where one is: it plays from that second on, and each line from its own. */
export function HearCall({ id, second }: { id: number; second: number }) {
  const { data: timeline } = useQuery({ ...timelineQuery(id), throwOnError: throwsInstead })
  if (timeline === undefined) return <div className={classes.hear} aria-busy />
  return <Heard id={id} timeline={timeline} beginMs={second * MS_PER_SECOND} />
}

function Heard({ id, timeline, beginMs }: { id: number; timeline: Timeline; beginMs: number }) {
  const say = useWords('lines')
  const { audio, heard, atMs, seek } = usePlayback(timeline.audio, beginMs)
  const begin = useRef(beginMs)
  // biome-ignore lint/correctness/useExhaustiveDependencies: it begins once, when it is opened
  useEffect(() => seek(begin.current, { plays: true }), [])
  const lines = timeline.moments.filter(({ lane }) => lane === 'speech')
  const near = lines.findLast(({ ms }) => ms <= atMs)
  return (
    <section className={classes.hear} aria-label={say('heardCall')}>
      {heard === undefined ? (
        <p className="dim">{say('noSound')}</p>
      ) : (
        // biome-ignore lint/a11y/useMediaCaption: what was said stands beside it as the transcript
        <audio ref={audio} className={classes.sound} src={heard.address} controls preload="metadata" />
      )}
      {lines.length === 0 ? <Written id={id} /> : null}
      <ol className={classes.lines}>
        {lines.map((moment, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: what was said keeps its order
          <li key={at} data-near={moment === near || undefined}>
            <button type="button" className={classes.line} onClick={() => seek(moment.ms, { plays: true })}>
              <span className="number dim">{duration(moment.ms / MS_PER_SECOND)}</span>
              <span>
                <span className="dim">{party(String(moment.params.who ?? ''))}</span>{' '}
                {plain(String(moment.params.text ?? ''))}
              </span>
            </button>
          </li>
        ))}
      </ol>
    </section>
  )
}

/** A transcript that says no times. */
function Written({ id }: { id: number }) {
  const { data: call } = useQuery(oneQuery('connect.call', id, ['transcript']))
  const text = call?.transcript ?? ''
  return text === '' ? null : <p className={classes.written}>{plain(text)}</p>
}
