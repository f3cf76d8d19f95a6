// Everything at once, in an order of chance: kills, outages, frozen processes, a frozen database, strangers.
import path from 'node:path'
import { countAcknowledged, OR_NONE } from './account.ts'
import { type Sent, sendPostCalls, together } from './deliveries.ts'
import { startFlood } from './flood.ts'
import { freezeServer } from './frozen-processes.ts'
import { ServiceUnderStorm, SHARED_KEY, type Starting } from './service.ts'
import { addTally, calm, pause, rounds, type Tally, type Weather } from './storm.ts'
import { stormDatabase } from './storm-database.ts'

const BLOWS = 5
const PER_SECOND = 50
const BETWEEN_MS = [500, 3_000] as const
const LASTS_MS = [1_000, 4_000] as const
const RECOVERY_MS = 120_000

/** One embedded service, or two on a server; what was acknowledged by any is there once. */
export async function everything(weather: Weather): Promise<Tally> {
  const { databaseUrl, server } = await stormDatabase(weather)
  const mediaDir = path.join(weather.folder, 'media')
  const processes = server === undefined ? 1 : 2
  const offices: Office[] = []
  for (let number = 0; number < processes; number += 1) {
    const dataDir = path.join(weather.folder, `data-${number}`)
    const env = { ...SHARED_KEY, MEDIA_DIR: mediaDir }
    offices.push(await Office.open(weather, { dataDir, databaseUrl, env }))
  }
  await offices[0]?.service.setUp()
  const serverTurns = new Turns()
  const blows: (() => Promise<void>)[] = [
    () => one(offices).kill(),
    () => one(offices).freeze(),
    () => strangers(weather, one(offices)),
    ...(server === undefined
      ? []
      : [() => server.restart(), () => outage(server), () => freeze(weather, server.url)].map(
          (blow) => () => serverTurns.next(blow),
        )),
  ]
  return rounds(weather, async () => {
    let isOver = false
    const until = (): boolean => isOver
    const sending = offices.map((office) =>
      sendPostCalls({ url: () => office.service.url, until, perSecond: PER_SECOND }),
    )
    const count = BLOWS * weather.size
    const blowing = Array.from({ length: count }, async () => {
      await pause(between(BETWEEN_MS) * count * Math.random())
      await blows[Math.floor(Math.random() * blows.length)]?.()
    })
    await Promise.all(blowing)
    isOver = true
    const sent: Sent = together(...(await Promise.all(sending)))
    const services = offices.map(({ service }) => service)
    const readyMs = Math.max(...offices.map((office) => office.slowestStartMs))
    const tally = await countAcknowledged({ services, sent, expected: OR_NONE })
    return addTally(tally, { ...calm(), figures: readyMs === 0 ? {} : { readyMs } })
  })
}

/** One thing after the other: what is frozen is not killed, and what is away does not crash. */
class Turns {
  #last: Promise<unknown> = Promise.resolve()

  next(work: () => Promise<void>): Promise<void> {
    const done = this.#last.then(work)
    this.#last = done.catch(() => undefined)
    return done
  }
}

/** A service that is started again whenever it was killed; what befalls it comes in turns. */
class Office {
  service: ServiceUnderStorm
  /** The longest that it took to be ready again after a kill, with every start that the database refused. */
  slowestStartMs = 0
  readonly #starting: Starting
  readonly #turns = new Turns()

  private constructor(starting: Starting, service: ServiceUnderStorm) {
    this.#starting = starting
    this.service = service
  }

  static async open({ afterwards }: Weather, starting: Starting): Promise<Office> {
    const office = new Office(starting, await ServiceUnderStorm.start(starting))
    afterwards(() => office.service.stop('SIGKILL'))
    return office
  }

  kill(): Promise<void> {
    return this.#turns.next(async () => {
      await this.service.stop('SIGKILL')
      const killed = performance.now()
      this.service = await this.#startAgain()
      this.slowestStartMs = Math.max(this.slowestStartMs, performance.now() - killed)
    })
  }

  freeze(): Promise<void> {
    return this.#turns.next(async () => {
      this.service.child.kill('SIGSTOP')
      await pause(between(LASTS_MS))
      this.service.child.kill('SIGCONT')
    })
  }

  /** While the database is away a start may be refused; anyone who runs it starts it again. */
  async #startAgain(): Promise<ServiceUnderStorm> {
    const end = performance.now() + RECOVERY_MS
    for (;;) {
      const { isRefused, said, service } = await ServiceUnderStorm.attempt(this.#starting)
      if (!isRefused) return service
      if (performance.now() > end) throw new Error(`the service does not start any more: ${said}`)
    }
  }
}

async function strangers(weather: Weather, { service }: Office): Promise<void> {
  const flooding = startFlood(weather, service.url)
  await pause(between(LASTS_MS))
  await flooding.stop()
}

async function outage(server: { halt(): Promise<void>; resume(): Promise<void> }): Promise<void> {
  await server.halt()
  await pause(between(LASTS_MS))
  await server.resume()
}

async function freeze({ afterwards }: Weather, url: string): Promise<void> {
  const thaw = await freezeServer(url)
  afterwards(thaw)
  await pause(between(LASTS_MS))
  thaw()
}

function one(offices: readonly Office[]): Office {
  const office = offices[Math.floor(Math.random() * offices.length)]
  if (office === undefined) throw new Error('there is no service')
  return office
}

function between([least, most]: readonly [number, number]): number {
  return least + Math.random() * (most - least)
}
