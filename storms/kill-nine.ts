// The service is killed again and again while deliveries arrive.
import path from 'node:path'
import { type Sent, sendPostCalls, tellStatuses } from './deliveries.ts'
import { ServiceUnderStorm } from './service.ts'
import { addTally, calm, countConversations, eventually, pause, type Tally, type Weather } from './storm.ts'
import { stormDatabase } from './storm-database.ts'

const KILLS_A_ROUND = 3
const BETWEEN_KILLS_MS = [700, 2_500] as const
const RECOVERY_MS = 60_000

/** What was acknowledged before each kill is there once, after the last start. */
export async function killNine(weather: Weather): Promise<Tally> {
  const { databaseUrl } = await stormDatabase(weather)
  const starting = { dataDir: path.join(weather.folder, 'data'), databaseUrl }
  let service = await ServiceUnderStorm.start(starting)
  weather.afterwards(() => service.stop('SIGKILL'))
  await service.setUp()
  const began = performance.now()
  let tally = calm()
  let slowestStartMs = 0
  do {
    let isOver = false
    const sending = sendPostCalls({ url: () => service.url, until: () => isOver })
    for (let kill = 0; kill < KILLS_A_ROUND; kill += 1) {
      const [least, most] = BETWEEN_KILLS_MS
      await pause(least + Math.random() * (most - least))
      await service.stop('SIGKILL')
      const killed = performance.now()
      service = await ServiceUnderStorm.start(starting)
      slowestStartMs = Math.max(slowestStartMs, performance.now() - killed)
    }
    isOver = true
    tally = addTally(tally, await account(service, await sending))
  } while (performance.now() - began < weather.lastsMs && tally.lost + tally.doubled + tally.wrong === 0)
  return { ...tally, remark: `${tally.remark}; ready again within ${(slowestStartMs / 1_000).toFixed(1)} s` }
}

async function account(service: ServiceUnderStorm, sent: Sent): Promise<Tally> {
  const isWorkedOff = await eventually(() => service.isWorkedOff(), RECOVERY_MS)
  const failed = [...sent.statuses].some(([status]) => !['200', '503', 'none'].includes(status))
  const wrong = (isWorkedOff ? 0 : 1) + (failed ? 1 : 0)
  return addTally(await countConversations(service, sent.acknowledged), {
    ...calm(),
    wrong,
    remark: tellStatuses(sent),
  })
}
