import { Refusal } from './errors.ts'

const MS_PER_DAY = 86_400_000

/** A time that figures are asked for; the end does not count any more. */
export interface TimeSpan {
  begin: Date
  end: Date
}

/** Reads what a client gives as `from` and `to`, in UTC unless they say otherwise. Throws a refusal for a longer time. */
export function readTimeSpan({ from, to }: { from: string; to: string }, daysMax: number): TimeSpan {
  const [begin, end] = [instant('from', from), instant('to', to)]
  if (end > begin && end.getTime() - begin.getTime() <= daysMax * MS_PER_DAY) return { begin, end }
  throw new Refusal('refused', 'api-span-order', { days: daysMax })
}

function instant(name: string, text: string): Date {
  const at = new Date(/(?:[zZ]|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text.replace(' ', 'T')}Z`)
  if (Number.isNaN(at.getTime())) throw new Refusal('refused', 'api-no-instant', { name })
  return at
}
