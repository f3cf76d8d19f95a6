import type { BenchDatabases } from './databases.ts'
import type { Load } from './load.ts'
import type { Plan } from './measure.ts'
import { Meter, median, pace } from './meter.ts'
import type { BenchRoute } from './route.ts'
import { type Measured, startService, together } from './sides.ts'

/** One route at a fixed rate, with next to nothing and with everything in the ledger. */
export interface LedgerSize {
  route: string
  emptyP50Ms: number
  fullP50Ms: number
  ratio: number
}

/** Far above the numbers that the measurement before it has used. */
const FIRST_REQUEST = 100_000_000

/** What the size of the ledger costs: the service on an empty and on the loaded database, taking turns. */
export async function compareLedgers(
  { empty, full }: { empty: BenchDatabases; full: BenchDatabases },
  plan: Plan,
  { load, say }: { load: Load; say: (text: string) => void },
): Promise<LedgerSize[]> {
  const start = ({ serviceEnvironments }: BenchDatabases): Promise<Measured> =>
    Promise.all(serviceEnvironments(1).map((each) => startService(each))).then(together)
  const [onEmpty, onFull] = await Promise.all([start(empty), start(full)])
  const meters = {
    empty: new Meter(onEmpty, load, empty, FIRST_REQUEST),
    full: new Meter(onFull, load, full, FIRST_REQUEST),
  }
  try {
    const sizes: LedgerSize[] = []
    for (const route of plan.routes) {
      say(`${full.kind}: ${route.name} with an empty ledger and with the loaded one`)
      const { [full.kind]: perSecond } = plan.pacedPerSecond
      const { [full.kind]: connections } = plan.connections
      sizes.push(await compare(meters, route, { plan, connections, perSecond }))
    }
    return sizes
  } finally {
    await Promise.all([onEmpty.stop(), onFull.stop()])
  }
}

async function compare(
  meters: { empty: Meter; full: Meter },
  route: BenchRoute,
  { plan, connections, perSecond }: { plan: Plan; connections: number; perSecond: number },
): Promise<LedgerSize> {
  const { warmUpSeconds, seconds, rounds } = plan
  for (const meter of [meters.empty, meters.full]) {
    await pace(meter, { routes: [route.name], connections, seconds: warmUpSeconds, perSecond })
  }
  const p50Ms: { empty: number[]; full: number[] } = { empty: [], full: [] }
  for (let round = 0; round < rounds; round += 1) {
    for (const which of ['empty', 'full'] as const) {
      const { p50Ms: ofTurn } = await pace(meters[which], { routes: [route.name], connections, seconds, perSecond })
      p50Ms[which].push(ofTurn)
    }
  }
  const [emptyP50Ms, fullP50Ms] = [median(p50Ms.empty), median(p50Ms.full)]
  return { route: route.name, emptyP50Ms, fullP50Ms, ratio: fullP50Ms / emptyP50Ms }
}
