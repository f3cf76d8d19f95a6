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

/** One in ten is said of so many calls and more. */
const TENTH_CALLS_MIN = 10

interface DayFigure {
  words: Keys['now']
  count: number
  outcomes: readonly Outcome[]
  isTrouble?: true
}

const FIGURES: readonly (Omit<DayFigure, 'count'> & { isAlwaysShown?: true })[] = [
  { words: 'answered', outcomes: ['agent', 'person', 'agent_person'], isAlwaysShown: true },
  { words: 'missed', outcomes: ['missed'], isAlwaysShown: true },
  { words: 'notTakenOver', outcomes: ['not_taken_over'] },
  { words: 'givenUp', outcomes: ['given_up'], isAlwaysShown: true },
  { words: 'voicemails', outcomes: ['voicemail'], isAlwaysShown: true },
  { words: 'failed', outcomes: ['failed'], isTrouble: true },
  { words: 'notReached', outcomes: ['busy', 'no_answer'] },
  { words: 'goingOn', outcomes: ['in_progress'] },
]

/** Each call counts in exactly one of them, so they add up to the calls of the day. */
export function dayFigures(stats: Pick<Stats, Outcome>): DayFigure[] {
  // Whom nobody took over was not answered, whatever the agent said before.
  const counts = { ...stats, agent: stats.agent - stats.not_taken_over }
  return FIGURES.flatMap(({ isAlwaysShown = false, ...figure }) => {
    const count = figure.outcomes.reduce((sum, outcome) => sum + counts[outcome], 0)
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
