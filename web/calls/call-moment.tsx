import { Drawer } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useRef } from 'react'
import { BudgetBar } from '../design/budget-bar.tsx'
import { useScroll } from '../design/scroll.ts'
import type { Moment } from '../lines/call-queries.ts'
import { momentWords } from '../lines/story-words.ts'
import { plain } from '../words/formats.ts'
import { useToolWords } from '../words/tool-words.ts'
import { formats, useWords } from '../words/words.ts'
import classes from './call.module.css'
import { MomentDetails } from './moment-details.tsx'
import { sinceBegin } from './moments.ts'

const MS_PER_SECOND = 1_000
const SIGNS: Readonly<Record<string, string>> = {
  caller: '○',
  agent: '█',
  tools: '⚒',
  routing: '◇',
  status: '●',
  records: '◈',
}
const NARROW = '(max-width: 47.99em)'
const BAD = ['rejected', 'refused', 'failed', 'tool_failed']

/** One moment as a line, which opens where it stands; a line of speech is played from there. */
export function CallMoment({
  moment,
  isOpen,
  isNear,
  onOpen,
}: {
  moment: Moment
  isOpen: boolean
  isNear: boolean
  onOpen: () => void
}) {
  const tell = useWords('story')
  const tools = useToolWords()
  const line = useRef<HTMLButtonElement>(null)
  useScroll(() => {
    if (isOpen) line.current?.scrollIntoView({ block: 'nearest' })
  }, [isOpen])
  const { lane, verdict, params } = moment
  const isSpeech = lane === 'speech'
  const speaker = params.role === 'user' ? 'caller' : 'agent'
  const role = isSpeech ? speaker : undefined
  const isBad = BAD.includes(verdict ?? moment.title)
  return (
    <li className={classes.moment} data-lane={lane} data-open={isOpen || undefined} data-near={isNear || undefined}>
      <button ref={line} type="button" className={classes.momentLine} aria-expanded={isOpen} onClick={onOpen}>
        <time className="mono number dim" title={moment.at}>
          {sinceBegin(moment)}
        </time>
        <span className={classes.momentSign} data-role={role} data-bad={isBad || undefined} aria-hidden>
          {SIGNS[role ?? lane] ?? ''}
        </span>
        <span className={isSpeech ? classes.speech : classes.words} data-told={isTold(moment) || undefined}>
          {plain(momentWords(tell, moment, tools))}
        </span>
        <TheirClock at={moment.delivery === undefined ? undefined : moment.provider_at} />
        <Took moment={moment} />
      </button>
      {isOpen ? <Opened moment={moment} onClose={onOpen} /> : null}
    </li>
  )
}

/** Whether a line is what callers and agents said, in their own words. */
function isTold({ lane, params }: Moment): boolean {
  return lane === 'speech' || params.say !== undefined
}

/** What is behind a moment, in its place; in a narrow window as a sheet from below, but for speech, which is heard there. */
function Opened({ moment, onClose }: { moment: Moment; onClose: () => void }) {
  const say = useWords('calls')
  const tell = useWords('story')
  const tools = useToolWords()
  const isNarrow = useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false }) ?? false
  if (!isNarrow || moment.lane === 'speech') return <MomentDetails moment={moment} />
  return (
    <Drawer
      opened
      onClose={onClose}
      position="bottom"
      size="80%"
      title={<span data-told={isTold(moment) || undefined}>{plain(momentWords(tell, moment, tools))}</span>}
      closeButtonProps={{ 'aria-label': say('closePeek') }}
    >
      <MomentDetails moment={moment} />
    </Drawer>
  )
}

/** How long it took, of the time that the platform waits for it. */
function Took({ moment: { took_ms: took, budget_ms: budget } }: { moment: Moment }) {
  const say = useWords('calls')
  if (took === undefined) return null
  if (budget === undefined) return <span className="number dim">{`${took} ms`}</span>
  const words = say('ofBudget', { took, budget: budget / MS_PER_SECOND })
  return <BudgetBar tookMs={took} budgetMs={budget} words={words} />
}

/** The provider's clock, where it is apart from ours. */
function TheirClock({ at }: { at: string | undefined }) {
  const say = useWords('calls')
  if (at === undefined) return null
  return (
    <span className={classes.theirs} title={`${say('theirClock')} ${at}`}>
      ◷ {formats.exactClock(at)}
    </span>
  )
}
