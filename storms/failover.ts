// The primary of two PostgreSQL servers is gone, and the standby takes over, under three serving processes and two workers.
import path from 'node:path'
import { countAcknowledged, OR_NONE } from './account.ts'
import { ring } from './callers.ts'
import { sendPostCalls } from './deliveries.ts'
import { startTwoServers, startWebFront } from './primary-and-standby.ts'
import { ServiceUnderStorm, SHARED_KEY } from './service.ts'
import { addTally, calm, eventually, pause, type Tally, type Weather } from './storm.ts'

const PER_SECOND = 100
const SERVERS = 3
const WORKERS = 2
const BEFORE_MS = 5_000
/** How long somebody, or a program, takes to see that the primary is gone and to decide. */
const DECIDING_MS = 5_000
const AFTER_MS = 5_000
const RECOVERY_MS = 120_000

/** Deliveries and callers go on arriving; what was acknowledged is there once afterwards. */
export async function failover(weather: Weather): Promise<Tally> {
  const database = await startTwoServers(weather)
  const { servers, workers, url } = await startProcesses(weather, database.url)
  let isOver = false
  const sending = { url: () => url, until: () => isOver }
  const sent = Promise.all([sendPostCalls({ ...sending, perSecond: PER_SECOND }), ring(sending)])
  await pause(BEFORE_MS)
  database.killPrimary()
  await pause(DECIDING_MS)
  const promoted = performance.now()
  await database.promote()
  const areReady = async (): Promise<boolean> =>
    (await Promise.all(servers.map((each) => each.isReady()))).every(Boolean)
  await eventually(areReady, RECOVERY_MS)
  const readyMs = performance.now() - promoted
  await pause(AFTER_MS)
  isOver = true
  const [deliveries, heard] = await sent
  const all = { services: servers, sent: deliveries, heard, expected: OR_NONE }
  const tally = addTally(await countAcknowledged(all), { ...calm(), figures: { readyMs } })
  const gone = workers.filter(({ hasEnded }) => hasEnded).length
  return gone === 0 ? tally : addTally(tally, { ...calm(), wrong: gone, remark: 'a worker ended by itself' })
}

async function startProcesses(weather: Weather, databaseUrl: string) {
  const env = { ...SHARED_KEY, MEDIA_DIR: path.join(weather.folder, 'media') }
  const servers: ServiceUnderStorm[] = []
  for (let nth = 0; nth < SERVERS; nth += 1) {
    const dataDir = path.join(weather.folder, `server-${nth}`)
    const server = await ServiceUnderStorm.start({ dataDir, databaseUrl, env: { ...env, WORKER: 'off' } })
    weather.afterwards(() => server.stop('SIGKILL'))
    if (nth === 0) await server.setUp()
    servers.push(server)
  }
  const workers: ServiceUnderStorm[] = []
  for (let nth = 0; nth < WORKERS; nth += 1) {
    const dataDir = path.join(weather.folder, `worker-${nth}`)
    const worker = await ServiceUnderStorm.start({ dataDir, databaseUrl, env })
    weather.afterwards(() => worker.stop('SIGKILL'))
    workers.push(worker)
  }
  const url = await startWebFront(
    weather,
    servers.map((server) => server.url),
  )
  return { servers, workers, url }
}
