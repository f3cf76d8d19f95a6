// The service is killed again and again while deliveries arrive.
import path from 'node:path'
import { countAcknowledged, OR_NONE } from './account.ts'
import { sendPostCalls } from './deliveries.ts'
import { ServiceUnderStorm } from './service.ts'
import { addTally, calm, pause, rounds, type Tally, type Weather } from './storm.ts'
import { stormDatabase } from './storm-database.ts'

const KILLS_A_ROUND = 3
const BETWEEN_KILLS_MS = [700, 2_500] as const

/** What was acknowledged before each kill is there once, after the last start. */
export function killNine(weather: Weather): Promise<Tally> {
  return killAgainAndAgain(weather, KILLS_A_ROUND * weather.size)
}

/** The same in little: whether storms can be run at all. */
export function breeze(weather: Weather): Promise<Tally> {
  return killAgainAndAgain(weather, 1)
}

async function killAgainAndAgain(weather: Weather, killsARound: number): Promise<Tally> {
  const { databaseUrl } = await stormDatabase(weather)
  const starting = { dataDir: path.join(weather.folder, 'data'), databaseUrl }
  let service = await ServiceUnderStorm.start(starting)
  weather.afterwards(() => service.stop('SIGKILL'))
  await service.setUp()
  return rounds(weather, async () => {
    let isOver = false
    let readyMs = 0
    const sending = sendPostCalls({ url: () => service.url, until: () => isOver })
    for (let kill = 0; kill < killsARound; kill += 1) {
      const [least, most] = BETWEEN_KILLS_MS
      await pause(least + Math.random() * (most - least))
      await service.stop('SIGKILL')
      const killed = performance.now()
      service = await ServiceUnderStorm.start(starting)
      readyMs = Math.max(readyMs, performance.now() - killed)
    }
    isOver = true
    const sent = await sending
    const tally = await countAcknowledged({ services: [service], sent, expected: OR_NONE })
    return addTally(tally, { ...calm(), figures: { readyMs } })
  })
}
