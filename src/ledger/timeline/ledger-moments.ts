import { storedMs } from '../../time.ts'
import { isTerminal, parseCallStatus } from '../legs/call-status.ts'
import { UNNAMED_DIAL } from '../legs/leg-event.ts'
import { type AgentNames, formOf } from './delivery-moments.ts'
import { agentIn, sipWords } from './delivery-words.ts'
import type { DeliveryRow, Known, LegRow } from './find-moments.ts'
import type { Draft } from './moment.ts'
import type { Params } from './sentences.ts'

/** Rank of a leg's end, after everything that has the same time. */
const ENDED = 8

/** When legs began, were answered and ended, and why. */
export function legMoments(legs: readonly LegRow[], deliveries: readonly DeliveryRow[], agents: AgentNames): Draft[] {
  const reasons = reasonsOf(deliveries)
  const untaken = new Set(legs.flatMap((leg) => untakenOf(leg, legs)))
  return legs.flatMap((leg): Draft[] => {
    const params = partiesOf(leg, agents, untaken)
    const heard = deliveries.filter(({ sid }) => sid === leg.sid)
    const isFirst = leg.id === legs[0]?.id
    const base = { kind: 'leg', lane: 'status', leg: leg.id, ref: ['connect.channel', leg.id], params } as const
    const begins: Draft = {
      ...base,
      ref: ['connect.channel', leg.id],
      ...beginOfKind(leg),
      // The line of the call begins with its first leg.
      writtenMs: isFirst || leg.started_at === null ? beginOf(leg) : dialledAt(leg, leg.started_at, deliveries),
      clock: leg.started_at === null ? 'ours' : 'provider',
    }
    const fromMs = leg.started_at === null ? 0 : begins.writtenMs
    const later = (at: string | null, part: Pick<Draft, 'title' | 'params' | 'rank'>): Draft[] => {
      if (at === null) return []
      const writtenMs = Math.max(fromMs, placeOf(at, heard, part.title))
      return [{ ...begins, ...part, writtenMs, clock: 'provider' }]
    }
    const why = { sip: reasons.get(leg.sid) ?? '', error: leg.error }
    const end = { title: 'leg_ended', params: { ...params, ...why }, rank: ENDED }
    return [
      begins,
      ...later(leg.answered_at, { title: 'leg_answered', params, rank: 3 }),
      ...(hasUntoldEnd(leg) ? [untoldEnd({ ...begins, ...end }, heard)] : later(leg.ended_at, end)),
    ]
  })
}

/** Our own request calls the caller's own phone, before anything is reported of it. */
function beginOfKind({ is_own_phone: isOwn }: LegRow): Pick<Draft, 'title' | 'rank'> {
  return isOwn ? { title: 'own_phone_first', rank: 0 } : { title: 'leg_begins', rank: 2 }
}

/** Legs that one dialled and that were connected with nobody; a dial that names none means the only one that was picked up. */
function untakenOf(
  { sid, unbridged_dials: unbridged, bridged_dials: bridged }: LegRow,
  legs: readonly LegRow[],
): string[] {
  if (unbridged === null) return []
  const named = unbridged.split(',')
  const told = [...named, ...(bridged ?? '').split(',')]
  const others = legs.filter((leg) => leg.parent_sid === sid && leg.status === 'completed' && !told.includes(leg.sid))
  return named.includes(UNNAMED_DIAL) && others.length === 1 ? [...named, ...others.map((leg) => leg.sid)] : named
}

function partiesOf(leg: LegRow, agents: AgentNames, untaken: ReadonlySet<string>): Params {
  const isTaken = leg.status !== 'completed' || !untaken.has(leg.sid)
  return {
    from: leg.caller_name ?? agentIn(leg.from, agents) ?? leg.from,
    to: leg.called_name ?? agentIn(leg.to, agents) ?? leg.to,
    status: isTaken ? leg.status : 'no-answer',
  }
}

/** A report may say that a leg ended without saying when: it has ended all the same. */
function hasUntoldEnd({ status, ended_at: ended }: LegRow): boolean {
  const known = parseCallStatus(status ?? '')
  return ended === null && known !== undefined && isTerminal(known)
}

/** With the last report of it, or with its begin when there is none any more. */
function untoldEnd(end: Draft, heard: readonly DeliveryRow[]): Draft {
  const last = heard.at(-1)
  const writtenMs = Math.max(end.writtenMs, last === undefined ? 0 : storedMs(last.at))
  return { ...end, writtenMs, clock: 'ours' }
}

function beginOf({ started_at: started, create_date: created }: LegRow): number {
  return storedMs(started ?? created)
}

/** A leg began with its first report of that second; where that came later, with the last request of its parent before it. */
function dialledAt({ sid, parent_sid: parent }: LegRow, at: string, deliveries: readonly DeliveryRow[]): number {
  const reported = deliveries.findIndex((row) => row.sid === sid)
  const before = reported < 0 ? deliveries : deliveries.slice(0, reported + 1)
  return withinSecond(
    at,
    before.filter((row) => row.sid === sid || (parent !== null && row.sid === parent)),
  ).lastMs
}

/** A leg was answered with the first delivery of that second that says so, and ended after the last one. */
function placeOf(at: string, heard: readonly DeliveryRow[], title: string): number {
  if (title === 'leg_ended') return withinSecond(at, heard).lastMs
  const answered = heard.filter((row) => formOf(row).get('CallStatus') === 'in-progress')
  return withinSecond(at, answered).firstMs
}

/** The provider's times have whole seconds: when in that second the first and the last of these deliveries came. */
function withinSecond(at: string, heard: readonly DeliveryRow[]): { firstMs: number; lastMs: number } {
  const fromMs = storedMs(at)
  const times = heard.map((row) => storedMs(row.at)).filter((ms) => ms >= fromMs && ms < fromMs + SECOND_MS)
  return { firstMs: times[0] ?? fromMs, lastMs: times.at(-1) ?? fromMs }
}

const SECOND_MS = 1_000

/** Recordings, voicemails and notes of a call. */
export function recordMoments({ recordings, voicemails, notes }: Known): Draft[] {
  return [
    ...recordings.map(({ id, at, create_date: created, conversation_started_at: began, status, duration }): Draft => {
      const told = began ?? at
      const params = { seconds: duration, status }
      return { ...recordOf('recording', 'connect.recording', id, told ?? created, told !== null), params, rank: 6 }
    }),
    ...voicemails.map(({ id, at, create_date: created, duration }): Draft => {
      // Of unknown length, where the provider has not said how long it is.
      const params = { seconds: duration === 0 ? '' : duration }
      return { ...recordOf('voicemail', 'connect.voicemail', id, at ?? created, at !== null), params, rank: 6 }
    }),
    ...notes.map(({ id, at, text }): Draft => {
      return { ...recordOf('note', 'mail.message', id, at, false), params: { text }, rank: 7 }
    }),
  ]
}

function recordOf(
  kind: string,
  model: string,
  id: number,
  at: string,
  isTold: boolean,
): Omit<Draft, 'params' | 'rank'> {
  const clock = isTold ? 'provider' : 'ours'
  return { kind, lane: 'records', title: kind, ref: [model, id], writtenMs: storedMs(at), clock }
}

/** How legs ended in SIP, by their SID. What a leg dialled ended with that code, not the leg itself. */
function reasonsOf(deliveries: readonly DeliveryRow[]): Map<string, string> {
  return new Map(
    deliveries.flatMap((delivery) => {
      const fields = formOf(delivery)
      const why = fields.has('DialCallStatus') || delivery.sid === null ? '' : sipWords(fields)
      return why === '' ? [] : [[delivery.sid ?? '', why] as const]
    }),
  )
}
