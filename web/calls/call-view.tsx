import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo, useState } from 'react'
import type { Row } from '../data/client.ts'
import { useKeys } from '../design/keys.ts'
import type { Timeline } from '../lines/call-queries.ts'
import type { CALL_FIELDS } from '../lines/call-rows.ts'
import { stripOf } from '../lines/call-strip-of.tsx'
import { usePlayback } from '../lines/playback.ts'
import { useTick } from '../lines/use-tick.ts'
import { useWords } from '../words/words.ts'
import classes from './call.module.css'
import { CallAbout } from './call-about.tsx'
import { CallAxis } from './call-axis.tsx'
import { CallHead } from './call-head.tsx'
import { CallPlayer } from './call-player.tsx'
import { CallStory } from './call-story.tsx'
import { CallWhy } from './call-why.tsx'
import { type CallSearch, TABS } from './calls-search.ts'
import { neighbour, type Placed, type Show, shownMoments } from './moments.ts'

type More =
  | 'caller_user'
  | 'called_users'
  | 'call_sid'
  | 'voiceai_conversation_id'
  | 'voiceai_summary'
  | 'summary'
  | 'wait_seconds'
  | 'error_message'
  | 'price'
  | 'price_currency'
  | 'caller_name'
  | 'caller_verification'
  | 'forwarded_from'
  | 'conversation_criteria'
  | 'conversation_data'
  | 'conversation_cost'
  | 'conversation_cost_usd'
  | 'conversation_charging'
  | 'conversation_language'
  | 'conversation_tags'
  | 'ai_announcement'
/** What the page reads of a call. */
export type PageCall = Row<'connect.call', (typeof CALL_FIELDS)[number] | More>

const MS_PER_SECOND = 1_000
const SKIP_MS = 5_000
const TENTHS = 10
const TAB_WORDS = { story: 'story', transcript: 'transcript', about: 'aboutTab' } as const

/** The page of one call, around one cursor: that of the strip, of the player and of the address. */
export function CallView({ call, timeline }: { call: PageCall; timeline: Timeline }) {
  const say = useWords('calls')
  const navigate = useNavigate()
  const search = useSearch({ strict: false }) as CallSearch
  const { at = 0, show, open, tab = 'story' } = search
  const [hoverMs, setHoverMs] = useState<number | undefined>(undefined)
  const { moments, audio } = timeline
  const isLive = call.outcome === 'in_progress'
  // What goes on grows by the second.
  const tick = useTick(isLive)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the strip of a live call reaches to now
  const strip = useMemo(() => {
    const stored = stripOf(call)
    return { ...stored, lengthMs: Math.max(stored.lengthMs, ...audio.map(({ to_ms: to }) => to)) }
  }, [call, audio, tick])
  const playback = usePlayback(audio, at * MS_PER_SECOND)
  const { seek, toggle, atMs } = playback
  const shown = useMemo(() => shownMoments(moments, tab === 'transcript' ? 'speech' : show), [moments, show, tab])
  const change = useCallback(
    (part: Partial<CallSearch>) =>
      void navigate({ to: '.', search: (before: object) => ({ ...before, ...part }) as never, replace: true }),
    [navigate],
  )
  const go = useCallback(
    (ms: number, options?: { plays?: boolean }) => {
      seek(ms, options)
      change({ at: secondsOf(ms) })
    },
    [seek, change],
  )
  const select = useCallback(
    ({ moment, place }: Placed, plays: boolean) => {
      seek(moment.ms, plays ? { plays } : {})
      change({ open: place, at: secondsOf(moment.ms) })
    },
    [seek, change],
  )
  const openPlace = (place: number) => {
    const moment = moments[place]
    if (moment === undefined) return
    if (place === open && moment.lane !== 'speech') change({ open: undefined })
    else select({ moment, place }, moment.lane === 'speech')
  }
  const keymap = useMemo(() => {
    const step = (direction: 1 | -1) => () => {
      const next = neighbour(shown, { open, atMs, step: direction })
      if (next !== undefined) select(next, false)
    }
    return {
      p: toggle,
      ArrowLeft: () => go(Math.max(0, atMs - SKIP_MS)),
      ArrowRight: () => go(Math.min(strip.lengthMs, atMs + SKIP_MS)),
      '.': step(1),
      ',': step(-1),
    }
  }, [shown, open, atMs, toggle, go, select, strip.lengthMs])
  useKeys(keymap)
  return (
    <div className={classes.page} data-tab={tab}>
      <CallHead call={call} />
      <div className={classes.top}>
        <CallWhy
          call={call}
          onShow={(place) => {
            change({ show: undefined, tab: undefined })
            openPlace(place)
          }}
        />
        <CallAxis
          strip={strip}
          moments={moments}
          atMs={atMs}
          onSeek={(ms) => go(ms, { plays: true })}
          onHover={setHoverMs}
        />
      </div>
      <CallPlayer playback={playback} all={audio} lengthMs={strip.lengthMs} isLive={isLive} />
      <nav className={classes.narrowTabs} aria-label={say('parts')}>
        {TABS.map((each) => (
          <button
            key={each}
            type="button"
            aria-pressed={each === tab}
            onClick={() => change({ tab: each === 'story' ? undefined : each })}
          >
            {say(TAB_WORDS[each])}
          </button>
        ))}
      </nav>
      <div className={classes.body}>
        <CallStory
          moments={moments}
          shown={shown}
          show={tab === 'transcript' ? 'speech' : show}
          open={open}
          nearMs={hoverMs ?? atMs}
          onShow={(next: Show | undefined) => change({ show: next, open: undefined, tab: undefined })}
          onOpen={openPlace}
        />
        <CallAbout call={call} audio={audio} />
      </div>
    </div>
  )
}

function secondsOf(ms: number): number {
  return Math.round((ms / MS_PER_SECOND) * TENTHS) / TENTHS
}
