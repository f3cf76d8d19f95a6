import { type AgentNames, formOf, msOf } from './delivery-moments.ts'
import { agentIn, sipWords } from './delivery-words.ts'
import type { DeliveryRow, Known, LegRow } from './find-moments.ts'
import type { Draft } from './moment.ts'

/** Rank of a leg's end, after everything that has the same time. */
const ENDED = 8

/** When legs began, were answered and ended, and why. */
export function legMoments(legs: readonly LegRow[], deliveries: readonly DeliveryRow[], agents: AgentNames): Draft[] {
  const reasons = reasonsOf(deliveries)
  return legs.flatMap((leg): Draft[] => {
    const params = {
      from: leg.caller_name ?? agentIn(leg.from, agents) ?? leg.from,
      to: leg.called_name ?? agentIn(leg.to, agents) ?? leg.to,
      status: leg.status,
    }
    const base = { kind: 'leg', lane: 'status', leg: leg.id, ref: ['connect.channel', leg.id] } as const
    const begins: Draft = {
      ...base,
      ref: ['connect.channel', leg.id],
      title: 'leg_begins',
      params,
      rank: 2,
      writtenMs: msOf(leg.started_at ?? leg.create_date),
      clock: leg.started_at === null ? 'ours' : 'provider',
    }
    const later = (at: string | null, part: Pick<Draft, 'title' | 'params' | 'rank'>): Draft[] =>
      at === null ? [] : [{ ...begins, ...part, writtenMs: msOf(at), clock: 'provider' }]
    const why = { sip: reasons.get(leg.sid) ?? '', error: leg.error }
    return [
      begins,
      ...later(leg.answered_at, { title: 'leg_answered', params, rank: 3 }),
      ...later(leg.ended_at, { title: 'leg_ended', params: { ...params, ...why }, rank: ENDED }),
    ]
  })
}

/** Recordings, voicemails and notes of a call. */
export function recordMoments({ recordings, voicemails, notes }: Known): Draft[] {
  return [
    ...recordings.map(({ id, at, create_date: created, conversation_started_at: began, status, duration }): Draft => {
      const told = began ?? at
      const params = { seconds: duration, status }
      return { ...recordOf('recording', 'connect.recording', id, told ?? created, told !== null), params, rank: 6 }
    }),
    ...voicemails.map(({ id, at, create_date: created, duration }): Draft => {
      const params = { seconds: duration }
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
  return { kind, lane: 'records', title: kind, ref: [model, id], writtenMs: msOf(at), clock }
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
