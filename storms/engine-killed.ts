// The process of the embedded engine is killed, or stands still, while deliveries and callers arrive; the service goes on.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { areWorkedOff, countAcknowledged } from './account.ts'
import { ring } from './callers.ts'
import { sendPostCalls } from './deliveries.ts'
import { ServiceUnderStorm } from './service.ts'
import { addTally, eventually, pause, recovered, rounds, type Tally, type Weather } from './storm.ts'

const PER_SECOND = 20
const KILLS_A_ROUND = 5
const BETWEEN_KILLS_MS = [700, 2_500] as const
const RECOVERY_MS = 60_000

/** Killed again and again. */
export async function engineKilled(weather: Weather): Promise<Tally> {
  return withEngine(weather, async (service) => {
    const [least, most] = BETWEEN_KILLS_MS
    await pause(least + Math.random() * (most - least))
    process.kill(engineOf(service), 'SIGKILL')
  })
}

/** It takes what it is asked and answers nothing, until the service ends it. */
export async function engineFrozen(weather: Weather): Promise<Tally> {
  return withEngine(weather, async (service) => {
    const frozen = engineOf(service)
    process.kill(frozen, 'SIGSTOP')
    await eventually(async () => !enginesOf(service).includes(frozen), RECOVERY_MS)
  })
}

async function withEngine(weather: Weather, harm: (service: ServiceUnderStorm) => Promise<void>): Promise<Tally> {
  const service = await ServiceUnderStorm.start({ dataDir: path.join(weather.folder, 'data') })
  weather.afterwards(() => service.stop('SIGKILL'))
  await service.setUp()
  return rounds(weather, async () => {
    let isOver = false
    const recoveriesMs: number[] = []
    const url = (): string => service.url
    const until = (): boolean => isOver
    const sending = Promise.all([sendPostCalls({ url, until, perSecond: PER_SECOND }), ring({ url, until })])
    for (let kill = 0; kill < KILLS_A_ROUND; kill += 1) {
      await harm(service)
      const killed = performance.now()
      await eventually(async () => enginesOf(service).length > 0 && (await service.isReady()), RECOVERY_MS)
      recoveriesMs.push(performance.now() - killed)
    }
    isOver = true
    const [sent, heard] = await sending
    await eventually(() => areWorkedOff([service]), RECOVERY_MS)
    const tally = await countAcknowledged({ services: [service], sent, heard })
    return addTally(tally, recovered(recoveriesMs))
  })
}

function engineOf(service: ServiceUnderStorm): number {
  const [engine] = enginesOf(service)
  if (engine === undefined) throw new Error('the service has no engine')
  return engine
}

/** The engines that the service has started. */
export function enginesOf({ child }: ServiceUnderStorm): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((id) => isEngine(id, child.pid))
}

function isEngine(id: number, parent: number | undefined): boolean {
  try {
    const [, parentId] = /^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${id}/status`, 'utf8')) ?? []
    return Number(parentId) === parent && readFileSync(`/proc/${id}/cmdline`, 'utf8').includes('engine-process')
  } catch {
    // It has ended meanwhile.
    return false
  }
}
