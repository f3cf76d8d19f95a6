/** The moments of a call as the service tells them; pure. */
export interface Moment {
  /** UTC, `YYYY-MM-DD HH:MM:SS.mmm`. */
  at: string
  what: string
  /** The record that says so, such as `leg 7`. */
  record: string
  detail: string
}

const MS_PER_SECOND = 1_000
const MS_DIGITS = 3

export function readMoments(answer: unknown): Moment[] {
  return Array.isArray(answer) ? answer.filter(isMoment) : []
}

/** `+0.040`: seconds since the first moment. */
export function sinceBegin({ at }: Moment, all: readonly Moment[]): string {
  const ms = (moment: string) => Date.parse(`${moment.replace(' ', 'T')}Z`)
  const since = ms(at) - ms(all[0]?.at ?? at)
  return `+${(since / MS_PER_SECOND).toFixed(MS_DIGITS)}`
}

function isMoment(value: unknown): value is Moment {
  return typeof value === 'object' && value !== null && 'at' in value && 'what' in value && 'record' in value
}
