// The service is killed again and again while deliveries arrive, alone or together with its embedded engine.
import path from 'node:path'
import { countAcknowledged, OR_NONE } from './account.ts'
import { sendPostCalls } from './deliveries.ts'
import { enginesOf } from './engine-killed.ts'
import { ServiceUnderStorm } from './service.ts'
import { addTally, pause, recovered, rounds, type Tally, type Weather } from './storm.ts'
import { stormDatabase } from './storm-database.ts'

const KILLS_A_ROUND = 3
const BETWEEN_KILLS_MS = [700, 2_500] as const

/** What was acknowledged before each kill is there once, after the last start. */
export function killNine(weather: Weather): Promise<Tally> {
  return killAgainAndAgain(weather, KILLS_A_ROUND * weather.size, (service) => service.stop('SIGKILL'))
}

/** The same, when the engine gets `kill -9` with the service that started it. */
export function killedTogether(weather: Weather): Promise<Tally> {
  return killAgainAndAgain(weather, KILLS_A_ROUND * weather.size, (service) => {
    for (const engine of enginesOf(service)) process.kill(engine, 'SIGKILL')
    return service.stop('SIGKILL')
  })
}

/** The same in little: whether storms can be run at all. */
export function breeze(weather: Weather): Promise<Tally> {
  return killAgainAndAgain(weather, 1, (service) => service.stop('SIGKILL'))
}

async function killAgainAndAgain(
  weather: Weather,
  killsARound: number,
  kill: (service: ServiceUnderStorm) => Promise<unknown>,
): Promise<Tally> {
  const { databaseUrl } = await stormDatabase(weather)
  const starting = { dataDir: path.join(weather.folder, 'data'), databaseUrl }
  let service = await ServiceUnderStorm.start(starting)
  weather.afterwards(() => service.stop('SIGKILL'))
  await service.setUp()
  return rounds(weather, async () => {
    let isOver = false
    const recoveriesMs: number[] = []
    const sending = sendPostCalls({ url: () => service.url, until: () => isOver })
    for (let killed = 0; killed < killsARound; killed += 1) {
      const [least, most] = BETWEEN_KILLS_MS
      await pause(least + Math.random() * (most - least))
      await kill(service)
      const at = performance.now()
      service = await ServiceUnderStorm.start(starting)
      recoveriesMs.push(performance.now() - at)
    }
    isOver = true
    const sent = await sending
    const tally = await countAcknowledged({ services: [service], sent, expected: OR_NONE })
    return addTally(tally, recovered(recoveriesMs))
  })
}
