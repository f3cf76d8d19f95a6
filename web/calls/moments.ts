/** The moments of a call: which are shown, and where they stand; pure. */
import type { Moment } from '../lines/call-queries.ts'
import { duration } from '../words/formats.ts'

export const SHOWS = ['speech', 'tools', 'routing', 'status', 'records', 'raw'] as const
export type Show = (typeof SHOWS)[number]

const MS_PER_SECOND = 1_000

/** A moment with its place in the whole timeline, by which addresses name it. */
export interface Placed {
  moment: Moment
  place: number
}

/** `1:05`: how long the call had gone on. */
export function sinceBegin({ ms }: Pick<Moment, 'ms'>): string {
  return duration(Math.floor(ms / MS_PER_SECOND))
}

export function shownMoments(moments: readonly Moment[], show: Show | undefined): Placed[] {
  return moments
    .map((moment, place) => ({ moment, place }))
    .filter(({ moment }) => show === undefined || (show === 'raw' ? moment.has_raw : moment.lane === show))
}

/** How many there are of each kind. */
export function countsOf(moments: readonly Moment[]): Readonly<Record<Show, number>> {
  return Object.fromEntries(SHOWS.map((show) => [show, shownMoments(moments, show).length])) as Record<Show, number>
}

/** The place of the moment before or after the open one; where none is open, of the one at that time. */
export function neighbour(
  shown: readonly Placed[],
  { open, atMs, step }: { open: number | undefined; atMs: number; step: 1 | -1 },
): Placed | undefined {
  const after = step === 1
  if (open === undefined) {
    return after ? shown.find(({ moment }) => moment.ms > atMs) : shown.findLast(({ moment }) => moment.ms < atMs)
  }
  return after ? shown.find(({ place }) => place > open) : shown.findLast(({ place }) => place < open)
}
