/** The moments of a call as the service tells them; pure. */
import type { Methods } from '../data/models.gen.ts'

export type Timeline = Methods['connect.call']['timeline']['result']
export type Moment = Timeline['moments'][number]

const MS_PER_SECOND = 1_000
const MS_DIGITS = 3

/** `+0.040`: seconds since the call began. */
export function sinceBegin({ ms }: Pick<Moment, 'ms'>): string {
  return `+${(ms / MS_PER_SECOND).toFixed(MS_DIGITS)}`
}
