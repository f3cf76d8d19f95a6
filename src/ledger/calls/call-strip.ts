import { earliest, hasEnded, isOwnPhone, type LegFacts, type Legs, latest, wasAnswered } from './call-legs.ts'
import { isAgentLeg, isBroken } from './call-outcome.ts'

/** Who was on the line in one part of a call; `menu`: our own answer. `broke` is the moment at which something failed. */
type StripKind = 'ringing' | 'menu' | 'agent' | 'person' | 'voicemail' | 'broke'

/** Milliseconds since the call began; the end of what still goes on is null. */
export interface StripPart {
  readonly kind: StripKind
  readonly from_ms: number
  readonly to_ms: number | null
  /** The record, as model and id, or the number of who was on the line or rung; null where nobody is named. */
  readonly who: readonly [model: string, id: number] | string | null
}

/** A part on the provider's clock; parts that go on end at infinity. */
interface Span {
  kind: StripKind
  fromMs: number
  toMs: number
  who: StripPart['who']
}

/** Who is heard counts more than who is rung, and both more than our own answer. */
const WEIGHT: Readonly<Record<StripKind, number>> = { menu: 0, voicemail: 0, ringing: 1, agent: 2, person: 3, broke: 4 }
/** Parts that are stored; a call with more is somebody trying. */
const PARTS_MAX = 200

/** A call as a line: its parts from beginning to end without a gap, from the set of its legs. */
export function stripOfLegs(legs: Legs): StripPart[] {
  const beganMs = earliest(legs.all.map((leg) => leg.startedAtMs))
  if (beganMs === undefined) return []
  const spans = [...spansOfRoot(legs, beganMs), ...legs.dialled.flatMap(spansOfDialled)]
  const bounds = [...new Set(spans.flatMap(({ fromMs, toMs }) => [fromMs, toMs]))].sort((a, b) => a - b)
  const parts = bounds.slice(0, -1).flatMap((fromMs, place): Span[] => {
    const toMs = bounds[place + 1] ?? fromMs
    const heard = spans.filter((span) => span.fromMs <= fromMs && span.toMs >= toMs).reduce(weightier, undefined)
    return heard === undefined ? [] : [{ ...heard, fromMs, toMs }]
  })
  const broke = legs.dialled.filter(isBroken).map((leg) => breakOf(leg, beganMs))
  return [...joined(parts), ...broke].sort(byTime).slice(0, PARTS_MAX).map(toPart(beganMs))
}

/** What the first leg is when nobody was dialled: the phone of the person who clicked to call, or a caller whom we answer. */
function spansOfRoot({ root, all, isClickToCall }: Legs, beganMs: number): Span[] {
  const toMs = endOf(root, latest(all.map((leg) => leg.endedAtMs)))
  if (root.direction !== 'outbound-api') {
    return [{ kind: wasAnswered(root) ? 'menu' : 'ringing', fromMs: beganMs, toMs, who: null }]
  }
  const who = whoOf(root)
  const answeredMs = root.answeredAtMs ?? (wasAnswered(root) ? beganMs : toMs)
  const talk = isClickToCall || isOwnPhone(root) ? 'menu' : 'person'
  return spansOf([
    { kind: 'ringing', fromMs: beganMs, toMs: answeredMs, who },
    { kind: talk, fromMs: answeredMs, toMs, who: talk === 'menu' ? null : who },
  ])
}

function spansOfDialled(leg: LegFacts): Span[] {
  const fromMs = leg.startedAtMs
  if (fromMs === undefined) return []
  const [who, toMs] = [whoOf(leg), endOf(leg, leg.endedAtMs)]
  const isKnownAnswered = wasAnswered(leg)
  const answeredMs = isKnownAnswered ? (leg.answeredAtMs ?? fromMs) : toMs
  return spansOf([
    { kind: 'ringing', fromMs, toMs: answeredMs, who },
    { kind: isAgentLeg(leg) ? 'agent' : 'person', fromMs: answeredMs, toMs, who },
  ])
}

function spansOf(spans: readonly Span[]): Span[] {
  return spans.filter(({ fromMs, toMs }) => toMs > fromMs)
}

function endOf(leg: LegFacts, endedMs: number | undefined): number {
  return hasEnded(leg) ? (leg.endedAtMs ?? endedMs ?? leg.startedAtMs ?? 0) : Number.POSITIVE_INFINITY
}

function whoOf(leg: LegFacts): Span['who'] {
  if (isAgentLeg(leg)) return null
  return leg.calledUserId === undefined ? leg.calledNumber || null : ['connect.user', leg.calledUserId]
}

/** Of two that are as weighty the one that began first, and of those the smaller name: the order of legs plays no part. */
function weightier(best: Span | undefined, span: Span): Span {
  if (best === undefined) return span
  const byWeight = WEIGHT[span.kind] - WEIGHT[best.kind] || best.fromMs - span.fromMs
  if (byWeight !== 0) return byWeight > 0 ? span : best
  return JSON.stringify(span.who) < JSON.stringify(best.who) ? span : best
}

/** Neighbours that are the same become one. */
function joined(parts: readonly Span[]): Span[] {
  const whole: Span[] = []
  for (const part of parts) {
    const before = whole.at(-1)
    const isSameKind = before?.kind === part.kind && before.toMs === part.fromMs
    const isSameWho = JSON.stringify(before?.who) === JSON.stringify(part.who)
    if (before !== undefined && isSameKind && isSameWho) before.toMs = part.toMs
    else whole.push({ ...part })
  }
  return whole
}

function breakOf(leg: LegFacts, beganMs: number): Span {
  const ms = leg.endedAtMs ?? leg.startedAtMs ?? beganMs
  return { kind: 'broke', fromMs: ms, toMs: ms, who: whoOf(leg) }
}

function byTime(a: Span, b: Span): number {
  return (
    a.fromMs - b.fromMs || WEIGHT[a.kind] - WEIGHT[b.kind] || (JSON.stringify(a.who) < JSON.stringify(b.who) ? -1 : 1)
  )
}

function toPart(beganMs: number) {
  return ({ kind, fromMs, toMs, who }: Span): StripPart => ({
    kind,
    from_ms: fromMs - beganMs,
    to_ms: Number.isFinite(toMs) ? toMs - beganMs : null,
    who,
  })
}
