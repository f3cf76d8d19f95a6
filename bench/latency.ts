import { type Latency, type Meter, pace } from './meter.ts'
import type { DatabaseKind } from './route.ts'
import { ROUTES } from './routes.ts'

/** One point: so many calls a second, and what the answers to their requests took. */
export interface LatencyPoint extends Latency {
  callsPerSecond: number
}

interface Measuring {
  kind: DatabaseKind
  plan: { connections: number; warmUpSeconds: number; seconds: number; pacedSeconds: number }
  say: (text: string) => void
}

/**
 * All measured requests once: it rings, the caller chooses from the menu, the agent is told who that is, looks at the tickets and
 * opens one, the call ends and is reported, a message comes.
 */
export const REQUESTS_OF_A_CALL = ROUTES.map(({ name }) => name)
const POINTS = 10

/** Calls at ten rates, evenly up to as many as are answered when there is no pause. */
export async function measureLatency(service: Meter, { kind, plan, say }: Measuring): Promise<LatencyPoint[]> {
  const { connections, warmUpSeconds, seconds, pacedSeconds } = plan
  const order = { routes: REQUESTS_OF_A_CALL, connections }
  await service.run({ ...order, seconds: warmUpSeconds })
  const { inTime, seconds: took } = await service.run({ ...order, seconds: seconds * 2 })
  const points: LatencyPoint[] = []
  for (let point = 1; point <= POINTS; point += 1) {
    const perSecond = (inTime / took) * (point / POINTS)
    const callsPerSecond = perSecond / REQUESTS_OF_A_CALL.length
    say(`${kind}: ${callsPerSecond.toFixed(1)} calls a second, ${REQUESTS_OF_A_CALL.length} requests each`)
    points.push({ callsPerSecond, ...(await pace(service, { ...order, seconds: pacedSeconds, perSecond })) })
  }
  return points
}

/** The most calls a second at which 99 of 100 answers take less than `p99Ms`; 0 when there is none. */
export function callsWithin(points: readonly LatencyPoint[], p99Ms: number): number {
  return Math.max(0, ...points.filter((point) => point.p99Ms < p99Ms).map(({ callsPerSecond }) => callsPerSecond))
}
