/** The calls of a day by how they ended; pure. */
import type { Methods } from '../data/models.gen.ts'
import type { Keys } from '../words/keys.ts'

type Stats = Methods['connect.call']['stats']['result']
type Outcome = 'agent' | 'person' | 'agent_person' | 'missed' | 'given_up' | 'voicemail' | 'failed' | Rare
type Rare = 'busy' | 'no_answer' | 'in_progress'

interface DayFigure {
  words: Keys['now']
  count: number
  outcomes: readonly Outcome[]
  isTrouble?: true
}

const FIGURES: readonly (Omit<DayFigure, 'count'> & { isAlwaysShown?: true })[] = [
  { words: 'answered', outcomes: ['agent', 'person', 'agent_person'], isAlwaysShown: true },
  { words: 'missed', outcomes: ['missed'], isAlwaysShown: true },
  { words: 'givenUp', outcomes: ['given_up'], isAlwaysShown: true },
  { words: 'voicemails', outcomes: ['voicemail'], isAlwaysShown: true },
  { words: 'failed', outcomes: ['failed'], isTrouble: true },
  { words: 'notReached', outcomes: ['busy', 'no_answer'] },
  { words: 'goingOn', outcomes: ['in_progress'] },
]

/** Each call counts in exactly one of them, so they add up to the calls of the day. */
export function dayFigures(stats: Pick<Stats, Outcome>): DayFigure[] {
  return FIGURES.flatMap(({ isAlwaysShown = false, ...figure }) => {
    const count = figure.outcomes.reduce((sum, outcome) => sum + stats[outcome], 0)
    return count === 0 && !isAlwaysShown ? [] : [{ ...figure, count }]
  })
}
