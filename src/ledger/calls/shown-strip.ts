import type { Row } from '../../platform/model/model.ts'
import { storedMs } from '../../time.ts'
import type { StripPart } from './call-strip.ts'

/** What of a call its strip is made of. */
export const STRIP_COLUMNS = [
  ...([
    'legs_strip',
    'outcome',
    'started_at',
    'answered_at',
    'voiceai_agent',
    'conversation_started_at',
    'conversation_seconds',
  ] as const),
  ...(['voicemail_url', 'voicemail_duration'] as const),
] as const

const MS_PER_SECOND = 1_000

/** The strip of a call: what its legs say, with the agent that has no leg of its own, and the voicemail at the end. */
export function shownStrip(row: Row): StripPart[] {
  const ofLegs = Array.isArray(row.legs_strip) ? (row.legs_strip as StripPart[]) : undefined
  const agent: StripPart['who'] =
    typeof row.voiceai_agent === 'number' ? ['connect.voiceai_agent', row.voiceai_agent] : null
  const seconds = typeof row.conversation_seconds === 'number' ? row.conversation_seconds : undefined
  if (ofLegs === undefined) {
    return seconds === undefined ? [] : [{ kind: 'agent', from_ms: 0, to_ms: seconds * MS_PER_SECOND, who: agent }]
  }
  const named = ofLegs.map((part) => (part.kind === 'agent' ? { ...part, who: agent } : part))
  const isHeard = named.some(({ kind }) => kind === 'agent') || row.outcome === 'failed'
  const withAgent =
    isHeard || agent === null
      ? named
      : replaceOwn(answeredLive(named, row), agentSpan(row, seconds), { kind: 'agent', who: agent })
  return typeof row.voicemail_url === 'string' ? withVoicemail(withAgent, row.voicemail_duration) : withAgent
}

/** The provider reports our answer to a live call late or not at all: from when it connected an agent, the call does not ring. */
function answeredLive(
  parts: readonly StripPart[],
  { outcome, started_at: started, answered_at: at }: Row,
): StripPart[] {
  if (outcome !== 'in_progress' || typeof started !== 'string' || typeof at !== 'string') return [...parts]
  const span = { fromMs: Math.max(0, storedMs(at) - storedMs(started)), toMs: Number.POSITIVE_INFINITY }
  return replaceOwn(parts, span, { kind: 'menu', who: null }, 'ringing')
}

interface Span {
  fromMs: number
  toMs: number
}

/** When the agent talked: all of our own answer where its conversation has not been delivered. */
function agentSpan({ started_at: started, conversation_started_at: began }: Row, seconds: number | undefined): Span {
  if (seconds === undefined || typeof started !== 'string' || typeof began !== 'string') {
    return { fromMs: 0, toMs: Number.POSITIVE_INFINITY }
  }
  // Two clocks: the platform's may say that it began before the call did.
  const fromMs = Math.max(0, storedMs(began) - storedMs(started))
  return { fromMs, toMs: fromMs + seconds * MS_PER_SECOND }
}

/** The last seconds of our own answer, which is where somebody left a message. */
function withVoicemail(parts: readonly StripPart[], seconds: unknown): StripPart[] {
  const last = parts.findLast(({ kind }) => kind === 'menu')
  if (last === undefined || last.to_ms === null) return [...parts]
  const fromMs = Math.max(last.from_ms, last.to_ms - Number(seconds ?? 0) * MS_PER_SECOND)
  return replaceOwn(parts, { fromMs, toMs: last.to_ms }, { kind: 'voicemail', who: null })
}

/** Puts something in the place of our own answer, or of the caller's own leg that rings, within a span. */
function replaceOwn(
  parts: readonly StripPart[],
  { fromMs, toMs }: Span,
  by: Pick<StripPart, 'kind' | 'who'>,
  kind: 'menu' | 'ringing' = 'menu',
): StripPart[] {
  return parts.flatMap((part): StripPart[] => {
    const end = part.to_ms ?? Number.POSITIVE_INFINITY
    const [from, to] = [Math.max(part.from_ms, fromMs), Math.min(end, toMs)]
    if (part.kind !== kind || part.who !== null || from >= to) return [part]
    const cut = Number.isFinite(to) ? to : null
    return [
      ...(from > part.from_ms ? [{ ...part, to_ms: from }] : []),
      { ...by, from_ms: from, to_ms: cut },
      ...(to < end ? [{ ...part, from_ms: to }] : []),
    ]
  })
}
