import type { Connection } from './connection.ts'

/** One thing that happened in a call. */
export interface Moment {
  at: string
  what: string
  detail: string
}

interface Leg {
  sid: string
  caller_number: string | null
  called_number: string | null
  status: string
  started_at: string | null
  answered_at: string | null
  ended_at: string | null
  create_date: string
}

interface Delivery {
  received_at: string
  route: string
  verdict: string
  status: number
  ms: number
}

/** Legs, deliveries, recordings and notes of a call in the order in which they happened. */
export async function callTimeline(connection: Connection, callId: number): Promise<Moment[]> {
  const legs = await connection.call<Leg[]>('connect.channel', 'search_read', { domain: [['call', '=', callId]] })
  const sids = legs.map((leg) => leg.sid)
  const [deliveries, recordings] = await Promise.all([
    connection.call<Delivery[]>('connect.delivery', 'search_read', {
      domain: ['|', ['call_ref', '=', callId], ['call_sid', 'in', sids]],
      fields: ['received_at', 'route', 'verdict', 'status', 'ms'],
    }),
    connection.call<{ create_date: string; status: string; duration: number }[]>('connect.recording', 'search_read', {
      domain: [['call', '=', callId]],
      fields: ['create_date', 'status', 'duration'],
    }),
  ])
  const moments = [
    ...legs.flatMap(legMoments),
    ...deliveries.map(({ received_at: at, route, verdict, status, ms }) => ({
      at,
      what: 'delivery',
      detail: `${route} ${verdict} (${status}, ${ms} ms)`,
    })),
    ...recordings.map(({ create_date: at, status, duration }) => ({
      at,
      what: 'recording',
      detail: `${status}, ${duration} s`,
    })),
  ]
  return moments.toSorted((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at)))
}

function legMoments(leg: Leg): Moment[] {
  const detail = `${leg.caller_number ?? ''} to ${leg.called_number ?? ''}`
  const moments: Moment[] = [{ at: leg.started_at ?? leg.create_date, what: 'leg begins', detail }]
  if (leg.answered_at !== null) moments.push({ at: leg.answered_at, what: 'answered', detail })
  if (leg.ended_at !== null) moments.push({ at: leg.ended_at, what: leg.status, detail })
  return moments
}
