// The database goes away and comes back while deliveries arrive.
import path from 'node:path'
import { areWorkedOff, countAcknowledged } from './account.ts'
import { ring } from './callers.ts'
import { sendPostCalls } from './deliveries.ts'
import { ServiceUnderStorm } from './service.ts'
import { addTally, calm, eventually, pause, rounds, type Tally, type Weather } from './storm.ts'
import { requireServer } from './storm-database.ts'

const PER_SECOND = 200
const SENDERS = 32
const QUIET_MS = 2_000
const OUTAGE_MS = 30_000
const RECOVERY_MS = 120_000
const RESTARTS = 3
const BETWEEN_RESTARTS_MS = 3_000

/** Half a minute without a database, at two hundred deliveries a second. */
export async function databaseOutage(weather: Weather): Promise<Tally> {
  const { service, server } = await startOverServer(weather)
  return rounds(weather, async () => {
    let isOver = false
    const url = (): string => service.url
    const until = (): boolean => isOver
    const sending = Promise.all([
      sendPostCalls({ url, until, perSecond: PER_SECOND, senders: SENDERS }),
      ring({ url, until }),
    ])
    await pause(QUIET_MS)
    await server.halt()
    await pause(OUTAGE_MS)
    isOver = true
    const [sent, heard] = await sending
    const backlog = service.spooled.length
    await server.resume()
    const resumed = performance.now()
    await eventually(() => service.isReady(), RECOVERY_MS)
    const readyMs = performance.now() - resumed
    await eventually(() => areWorkedOff([service]), RECOVERY_MS)
    const workedOffMs = performance.now() - resumed
    const tally = await countAcknowledged({ services: [service], sent, heard })
    return addTally(tally, { ...calm(), figures: { readyMs, workedOffMs }, remark: `${backlog} waited on disk` })
  })
}

/** The server crashes and is back at once, several times. */
export async function databaseRestart(weather: Weather): Promise<Tally> {
  const { service, server } = await startOverServer(weather)
  return rounds(weather, async () => {
    let isOver = false
    const url = (): string => service.url
    const until = (): boolean => isOver
    const sending = Promise.all([sendPostCalls({ url, until, perSecond: PER_SECOND }), ring({ url, until })])
    let readyMs = 0
    for (let restart = 0; restart < RESTARTS; restart += 1) {
      await pause(BETWEEN_RESTARTS_MS)
      await server.restart()
      const restarted = performance.now()
      await eventually(() => service.isReady(), RECOVERY_MS)
      readyMs = Math.max(readyMs, performance.now() - restarted)
    }
    isOver = true
    const [sent, heard] = await sending
    const tally = await countAcknowledged({ services: [service], sent, heard })
    return addTally(tally, { ...calm(), figures: { readyMs } })
  })
}

async function startOverServer(weather: Weather) {
  const server = await requireServer(weather)
  const service = await ServiceUnderStorm.start({ dataDir: path.join(weather.folder, 'data'), databaseUrl: server.url })
  weather.afterwards(() => service.stop('SIGKILL'))
  await service.setUp()
  return { service, server }
}
