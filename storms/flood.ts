// Strangers send as much as they can, while the providers and their callers go on.
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { countAcknowledged } from './account.ts'
import { ring } from './callers.ts'
import { renderStatuses, sendPostCalls } from './deliveries.ts'
import type { Flooded, FloodOrder } from './flood-thread.ts'
import { ServiceUnderStorm } from './service.ts'
import { addTally, calm, pause, rounds, type Tally, type Weather } from './storm.ts'
import { stormDatabase } from './storm-database.ts'

const FLOOD_MS = 12_000
/** What the providers of a busy office send. */
const PER_SECOND = 20
const FLOODERS = 64

/** Unsigned forms, deliveries and tool calls of every size, and connections that say nothing. */
export async function flood(weather: Weather): Promise<Tally> {
  const { databaseUrl } = await stormDatabase(weather)
  const service = await ServiceUnderStorm.start({ dataDir: path.join(weather.folder, 'data'), databaseUrl })
  weather.afterwards(() => service.stop('SIGKILL'))
  await service.setUp()
  return rounds(weather, async () => {
    const flooding = startFlood(weather, service.url)
    let isOver = false
    const url = (): string => service.url
    const until = (): boolean => isOver
    const sending = Promise.all([sendPostCalls({ url, until, perSecond: PER_SECOND }), ring({ url, until })])
    await pause(FLOOD_MS * weather.size)
    isOver = true
    const [sent, heard] = await sending
    const { requests, statuses } = await flooding.stop()
    const letIn = statuses.filter(([status]) => status.startsWith('2')).reduce((sum, [, count]) => sum + count, 0)
    const tally = await countAcknowledged({ services: [service], sent, heard, expected: ['200'] })
    const letInAs = letIn === 0 ? '' : ` (${renderStatuses(new Map(statuses))})`
    const remark = `beside ${requests} requests of strangers${letInAs}`
    return addTally(tally, { ...calm(), wrong: letIn, remark })
  })
}

/** Strangers in a thread of their own, so that their work is not taken for the service's. */
export function startFlood({ afterwards }: Weather, url: string): { stop(): Promise<Flooded> } {
  const order: FloodOrder = { url, flooders: FLOODERS }
  const thread = new Worker(new URL('./flood-thread.ts', import.meta.url), { workerData: order })
  afterwards(() => thread.terminate())
  return {
    stop: () =>
      new Promise((resolve, reject) => {
        thread.once('message', resolve)
        thread.once('error', reject)
        thread.postMessage('stop')
      }),
  }
}
