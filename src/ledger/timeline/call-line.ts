import { storedTime } from '../../time.ts'
import type { Draft, Moment } from './moment.ts'
import { sentenceOf } from './sentences.ts'

/** Milliseconds that a report takes to us at most when both clocks agree; what is apart by more happened at the provider's time. */
const ON_ITS_WAY_MS_MAX = 2_000
/** Clocks that are no further apart are not worth a word. */
const SAME_TIME_MS = 1_000

/** How much later than the provider says we received something, from that moment on. */
interface Skew {
  fromMs: number
  ms: number
}

/**
 * Moments in their order on the line of the call, which is that of its strip. Our clock orders them. Where it is apart from
 * the provider's, what we wrote down stands where the reports around it put it. What says no time of its own came after
 * what came before it.
 */
export function onLine(drafts: readonly Draft[], beganMs: number, isRawReadable: boolean): Moment[] {
  const written = drafts.toSorted((one, other) => one.writtenMs - other.writtenMs || one.rank - other.rank)
  const skews = [...skewAtBegin(written, beganMs), ...written.flatMap(skewShownBy)]
  let deliveredMs = beganMs
  const placed = written.map((draft) => {
    if (draft.clock === 'provider') return { draft, placedMs: draft.writtenMs, oursMs: oursOf(skews, draft.writtenMs) }
    const placedMs = placeOf(draft, skewAt(skews, draft.writtenMs), { beganMs, deliveredMs })
    if (draft.delivery !== undefined) deliveredMs = Math.max(deliveredMs, placedMs)
    return { draft, placedMs, oursMs: draft.writtenMs }
  })
  return placed
    .toSorted((one, other) => one.placedMs - other.placedMs || one.draft.rank - other.draft.rank)
    .map(({ draft, placedMs, oursMs }) => {
      const { writtenMs: _written, clock: _clock, happenedMs, rank: _rank, spokenMs: _spoken, ...known } = draft
      const theirs = happenedMs ?? placedMs
      return {
        ...known,
        at: storedTime(new Date(oursMs)),
        ms: Math.max(0, Math.round(placedMs - beganMs)),
        ...(Math.abs(theirs - oursMs) > SAME_TIME_MS ? { provider_at: storedTime(new Date(theirs)) } : {}),
        sentence: sentenceOf(known.title, known.params),
        has_raw: isRawReadable && known.delivery !== undefined,
      }
    })
}

function placeOf(
  { writtenMs, happenedMs, spokenMs }: Draft,
  skew: number,
  { beganMs, deliveredMs }: { beganMs: number; deliveredMs: number },
): number {
  if (spokenMs !== undefined) return besideTurn(writtenMs - skew, spokenMs)
  if (skew === 0) return Math.max(writtenMs, beganMs)
  return happenedMs ?? Math.max(writtenMs - skew, deliveredMs)
}

/** A turn has whole seconds: within one, our clock places its tool, which the agent did not use before the turn. */
function besideTurn(usedMs: number, spokenMs: number): number {
  return Math.abs(usedMs - spokenMs) <= SAME_TIME_MS ? Math.max(usedMs, spokenMs) : spokenMs
}

/** Clocks agree where the first delivery came as the call began: it says no time, and a report that leaps ahead says nothing of it. */
function skewAtBegin(written: readonly Draft[], beganMs: number): Skew[] {
  const first = written.find(({ clock, delivery }) => clock === 'ours' && delivery !== undefined)
  if (first === undefined || Math.abs(first.writtenMs - beganMs) > ON_ITS_WAY_MS_MAX) return []
  return [{ fromMs: first.writtenMs, ms: 0 }]
}

function skewShownBy({ clock, writtenMs, happenedMs }: Draft): Skew[] {
  if (clock !== 'ours' || happenedMs === undefined) return []
  return [{ fromMs: writtenMs, ms: skewOf(writtenMs, happenedMs) }]
}

/** What is received before it happened, or long after, was written down by another clock. */
function skewOf(receivedMs: number, happenedMs: number): number {
  const skew = receivedMs - happenedMs
  return skew >= 0 && skew <= ON_ITS_WAY_MS_MAX ? 0 : skew
}

/** The skew that the last report before that moment shows; that of the first one for what came before all of them. */
function skewAt(skews: readonly Skew[], ms: number): number {
  return (skews.findLast(({ fromMs }) => fromMs <= ms) ?? skews[0])?.ms ?? 0
}

/** A moment of the provider's on our clock: by the last report that says no later time. */
function oursOf(skews: readonly Skew[], providerMs: number): number {
  const skew = skews.findLast(({ fromMs, ms }) => fromMs - ms <= providerMs) ?? skews[0]
  return providerMs + (skew?.ms ?? 0)
}
