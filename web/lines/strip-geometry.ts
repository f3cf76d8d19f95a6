/** What the strip of a call is drawn from: its legs, and who answered; pure. */
import type { Link } from '../data/models.gen.ts'

export type SegmentKind = 'ringing' | 'agent' | 'person' | 'voicemail'
export interface Segment {
  kind: SegmentKind
  fromMs: number
  toMs: number
}
export interface Strip {
  segments: Segment[]
  lengthMs: number
  /** Whether it ended without anybody having talked. */
  isBroken: boolean
}

/** A leg as the strip needs it, its moments in milliseconds since 1970. */
export interface StripLeg {
  startedMs: number | undefined
  answeredMs: number | undefined
  endedMs: number | undefined
  isChild: boolean
  hasPerson: boolean
}

export interface StripCall {
  direction: string | null
  voiceai_agent: Link | null
  answered_user: Link | null
  answered_pbx_user: Link | null
  voicemail_duration: number | null
  has_error: boolean
}

const MS_PER_SECOND = 1_000

/** The phases of a call, one after the other, as far as its legs tell them. */
export function stripOf(call: StripCall, legs: readonly StripLeg[], nowMs: number): Strip {
  const begun = legs.filter((leg) => leg.startedMs !== undefined)
  if (begun.length === 0) return { segments: [], lengthMs: 0, isBroken: false }
  const start = Math.min(...begun.map((leg) => leg.startedMs ?? nowMs))
  const isLive = begun.some((leg) => leg.endedMs === undefined)
  const end = isLive ? nowMs : Math.max(...begun.map((leg) => leg.endedMs ?? nowMs))
  const talk = talkOf(call, begun, end)
  const voicemailMs = Math.min((call.voicemail_duration ?? 0) * MS_PER_SECOND, end - start)
  const segments = [...phases({ start, end: end - voicemailMs }, talk)]
  if (voicemailMs > 0) segments.push({ kind: 'voicemail', fromMs: end - voicemailMs - start, toMs: end - start })
  const hasTalk = segments.some(({ kind }) => kind !== 'ringing')
  return { segments, lengthMs: Math.max(end - start, 1), isBroken: !isLive && !hasTalk }
}

interface Talk {
  kind: 'agent' | 'person'
  fromMs: number
  toMs: number
}

/** Whoever talked, in order: the agent since the caller was answered, a person since their leg was. */
function talkOf(call: StripCall, legs: readonly StripLeg[], end: number): Talk[] {
  const isAnsweredByPerson = call.answered_user !== null || call.answered_pbx_user !== null
  const people = legs
    .filter(
      (leg) => leg.answeredMs !== undefined && (leg.isChild || call.direction !== 'incoming') && isAnsweredByPerson,
    )
    .map((leg): Talk => ({ kind: 'person', fromMs: leg.answeredMs ?? end, toMs: leg.endedMs ?? end }))
  const first =
    people.length === 0 ? undefined : people.reduce((one, other) => (other.fromMs < one.fromMs ? other : one))
  const mainAnswered = legs.find((leg) => !leg.isChild && leg.answeredMs !== undefined)?.answeredMs
  if (call.voiceai_agent !== null && !call.has_error) {
    // A call that is handed over to an agent at once has no moment of its own at which it was answered.
    const begun = Math.min(...legs.map((leg) => leg.startedMs ?? end))
    const agent: Talk = { kind: 'agent', fromMs: mainAnswered ?? begun, toMs: first?.fromMs ?? end }
    return first === undefined ? [agent] : [agent, first]
  }
  if (first !== undefined) return [first]
  if (!isAnsweredByPerson || mainAnswered === undefined) return []
  return [{ kind: 'person', fromMs: mainAnswered, toMs: end }]
}

function phases({ start, end }: { start: number; end: number }, talk: readonly Talk[]): Segment[] {
  const segments: Segment[] = []
  let at = start
  for (const { kind, fromMs, toMs } of talk) {
    if (fromMs > at) segments.push({ kind: 'ringing', fromMs: at - start, toMs: fromMs - start })
    const until = Math.min(Math.max(toMs, fromMs), end)
    if (until > fromMs) segments.push({ kind, fromMs: fromMs - start, toMs: until - start })
    at = Math.max(at, until)
  }
  // What was rung without anybody answering is all that there was.
  if (talk.length === 0 && end > start) segments.push({ kind: 'ringing', fromMs: 0, toMs: end - start })
  return segments
}
