/** The calls of a day by how they ended; pure. */
import type { Methods } from '../data/models.gen.ts'
import type { Keys } from '../words/keys.ts'

type Stats = Methods['connect.call']['stats']['result']
type Outcome =
  | 'agent'
  | 'not_taken_over'
  | 'person'
  | 'agent_person'
  | 'missed'
  | 'given_up'
  | 'voicemail'
  | 'failed'
  | Rare
type Rare = 'busy' | 'no_answer' | 'in_progress'
type Counted = Outcome | 'failed_incoming' | 'failed_outgoing' | 'failed_internal'

/** One in ten is said of so many calls and more. */
const TENTH_CALLS_MIN = 10

interface DayFigure {
  words: Keys['now']
  count: number
  outcomes: readonly Outcome[]
  /** Only calls of this direction. */
  direction?: 'incoming' | 'outgoing' | 'internal'
  isTrouble?: true
}

/** What it counts where that is not every call of its outcomes. */
type Shown = Omit<DayFigure, 'count'> & { counts?: readonly Counted[]; isAlwaysShown?: true }

const FAILED = ['failed'] as const
const FIGURES: readonly Shown[] = [
  { words: 'answered', outcomes: ['agent', 'person', 'agent_person'], isAlwaysShown: true },
  { words: 'missed', outcomes: ['missed'], isAlwaysShown: true },
  { words: 'notTakenOver', outcomes: ['not_taken_over'] },
  { words: 'givenUp', outcomes: ['given_up'], isAlwaysShown: true },
  { words: 'voicemails', outcomes: ['voicemail'], isAlwaysShown: true },
  // Only a caller who reached nobody needs somebody; a call of ours that failed was seen by the person who made it.
  { words: 'failed', outcomes: FAILED, counts: ['failed_incoming'], direction: 'incoming', isTrouble: true },
  { words: 'failedOutgoing', outcomes: FAILED, counts: ['failed_outgoing'], direction: 'outgoing' },
  { words: 'failedInternal', outcomes: FAILED, counts: ['failed_internal'], direction: 'internal' },
  { words: 'notReached', outcomes: ['busy', 'no_answer'] },
  { words: 'goingOn', outcomes: ['in_progress'] },
]

/** Each call counts in exactly one of them, so they add up to the calls of the day. */
export function dayFigures(stats: Pick<Stats, Exclude<Counted, 'failed_internal'>>): DayFigure[] {
  const numbers: Record<Counted, number> = {
    ...stats,
    // Whom nobody took over was not answered, whatever the agent said before.
    agent: stats.agent - stats.not_taken_over,
    failed_internal: stats.failed - stats.failed_incoming - stats.failed_outgoing,
  }
  return FIGURES.flatMap(({ isAlwaysShown = false, counts, ...figure }) => {
    const count = (counts ?? figure.outcomes).reduce((sum, name) => sum + numbers[name], 0)
    return count === 0 && !isAlwaysShown ? [] : [{ ...figure, count }]
  })
}

/** How long callers waited, said of as many calls of theirs as there are; undefined when nobody has waited for an answer yet. */
export function waitOf({
  incoming,
  wait_p50: half,
  wait_p90: most,
}: Pick<Stats, 'incoming' | 'wait_p50' | 'wait_p90'>): { words: Keys['now']; half: number; most: number } | undefined {
  if (half === null) return undefined
  const several = incoming < TENTH_CALLS_MIN ? 'waitFew' : 'wait'
  return { words: incoming === 1 ? 'waitOne' : several, half, most: most ?? half }
}
