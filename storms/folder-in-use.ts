// A second service is started on the data folder of one that runs, again and again, while deliveries and callers arrive.
import path from 'node:path'
import { countAcknowledged } from './account.ts'
import { ring } from './callers.ts'
import { sendPostCalls } from './deliveries.ts'
import { ServiceUnderStorm } from './service.ts'
import { addTally, calm, rounds, type Tally, type Weather } from './storm.ts'

const PER_SECOND = 20

/** The second is refused with a sentence that names the first, which goes on. */
export async function folderInUse(weather: Weather): Promise<Tally> {
  const starting = { dataDir: path.join(weather.folder, 'data') }
  const service = await ServiceUnderStorm.start(starting)
  weather.afterwards(() => service.stop('SIGKILL'))
  await service.setUp()
  return rounds(weather, async () => {
    let isOver = false
    const url = (): string => service.url
    const until = (): boolean => isOver
    const sending = Promise.all([sendPostCalls({ url, until, perSecond: PER_SECOND }), ring({ url, until })])
    const started = await startSecond(service)
    isOver = true
    const [sent, heard] = await sending
    return addTally(await countAcknowledged({ services: [service], sent, heard }), started)
  })
}

async function startSecond({ dataDir, child }: ServiceUnderStorm): Promise<Tally> {
  const began = performance.now()
  const { isRefused, said, service: second } = await ServiceUnderStorm.attempt({ dataDir })
  const refusedMs = performance.now() - began
  await second.stop('SIGKILL')
  const isSentence = said.includes(`in use by process ${child.pid}`) && !said.includes('    at ')
  const remark = isRefused && isSentence ? {} : { remark: `the second one said: ${said}` }
  return { ...calm(), of: 1, wrong: isRefused && isSentence ? 0 : 1, figures: { refusedMs }, ...remark }
}
