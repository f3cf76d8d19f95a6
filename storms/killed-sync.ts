// The service is killed in the middle of a synchronisation, between any two requests to the provider.
import { cpSync } from 'node:fs'
import path from 'node:path'
import { Client } from 'pg'
import { startEmulators } from '../emulators/start.ts'
import { ServiceUnderStorm } from './service.ts'
import { addTally, calm, rounds, type Tally, type Weather } from './storm.ts'
import { stormDatabase } from './storm-database.ts'
import { AREAS, type Area, SyncWorld } from './sync-world.ts'

const AGENTS = ['Front desk', 'After hours', 'Billing']
/** One that the platform's emulator has. */
const VOICE = { voice_id: 'EmulatedVoiceAlice0001', name: 'Alice' }
const DOMAIN = 'stormy-telephones'

/** What both providers hold is what one whole run makes there: nothing is missing, nothing is there twice. */
export async function killedSync(weather: Weather): Promise<Tally> {
  const place = await Place.prepare(weather)
  const undisturbed = await place.begin()
  const wanted = new Map<Area, { things: string[]; requests: number }>()
  for (const area of AREAS) {
    const before = undisturbed.requests(area)
    const run = await undisturbed.sync(area)
    if (!(await undisturbed.isDone(run))) throw new Error(`an undisturbed ${area} run did not end`)
    const requests = undisturbed.requests(area) - before
    wanted.set(area, { things: undisturbed.things(area), requests })
  }
  await undisturbed.end()
  return rounds(weather, async () => {
    const world = await place.begin()
    let round = calm()
    for (const [area, { things, requests }] of wanted) {
      const run = await world.sync(area)
      await world.killAfter(area, Math.ceil(Math.random() * requests))
      const takenUpMs = await world.takenUp(run)
      const wrong = (await world.isDone(run)) ? 0 : 1
      round = addTally(round, { ...compare(world.things(area), things), wrong, figures: { takenUpMs } })
    }
    await world.end()
    return round
  })
}

function compare(held: readonly string[], wanted: readonly string[]): Tally {
  const distinct = new Set(held)
  const lost = wanted.filter((thing) => !distinct.has(thing)).length
  return { ...calm(), of: wanted.length, lost, doubled: held.length - distinct.size }
}

/** An installation that was set up and has not met the providers yet, to be copied for each round. */
class Place {
  readonly #weather: Weather
  readonly #serverUrl: string | undefined
  readonly #prepared: string
  #copies = 0

  private constructor(weather: Weather, serverUrl: string | undefined) {
    this.#weather = weather
    this.#serverUrl = serverUrl
    this.#prepared = path.join(weather.folder, 'prepared')
  }

  static async prepare(weather: Weather): Promise<Place> {
    const { databaseUrl } = await stormDatabase(weather)
    const place = new Place(weather, databaseUrl)
    const service = await ServiceUnderStorm.start({ dataDir: place.#prepared, databaseUrl })
    weather.afterwards(() => service.stop('SIGKILL'))
    const voice = await service.call<number>('connect.voiceai_voice', 'create', { vals_list: VOICE })
    const tools = await service.call<number[]>('connect.voiceai_agent_tool', 'search')
    for (const name of AGENTS) {
      const vals = { name, voice, prompt: 'You help callers.', tools: [[6, 0, tools]] }
      await service.call('connect.voiceai_agent', 'create', { vals_list: vals })
    }
    const domain = { subdomain: DOMAIN, friendly_name: 'Telephones' }
    await service.call('connect.telco.domain', 'create', { vals_list: domain })
    await service.stop()
    return place
  }

  /** A copy of it, beside providers of its own. */
  async begin(): Promise<SyncWorld> {
    this.#copies += 1
    const dataDir = path.join(this.#weather.folder, `copy-${this.#copies}`)
    cpSync(this.#prepared, dataDir, { recursive: true })
    const databaseUrl = await this.#copyDatabase(`copy_${this.#copies}`)
    const providers = await startEmulators()
    this.#weather.afterwards(() => providers.stop())
    const env = { TELCO_BASE_URL: providers.telco.url, VOICEAI_BASE_URL: providers.voiceai.url }
    return SyncWorld.start(this.#weather, providers, { dataDir, databaseUrl, env })
  }

  async #copyDatabase(name: string): Promise<string | undefined> {
    if (this.#serverUrl === undefined) return undefined
    const [from, to] = [new URL(this.#serverUrl), new URL(this.#serverUrl)]
    from.pathname = '/template1'
    to.pathname = `/${name}`
    const client = new Client({ connectionString: from.href })
    await client.connect()
    await client.query(`create database ${name} template postgres`)
    await client.end()
    return to.href
  }
}
