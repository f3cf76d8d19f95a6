// An installation beside both providers, whose synchronisation can be cut off.
import type { Emulators } from '../emulators/start.ts'
import { PUBLIC_URL } from '../tests/support/telco.ts'
import { ServiceUnderStorm, type Starting } from './service.ts'
import { eventually, pause, type Weather } from './storm.ts'

export const AREAS = ['voiceai', 'telco'] as const
export type Area = (typeof AREAS)[number]

const LOOK_MS = 1
const SYNC_MS_MAX = 90_000

/** One installation and its providers. */
export class SyncWorld {
  readonly #providers: Emulators
  readonly #starting: Starting
  #service: ServiceUnderStorm

  private constructor(providers: Emulators, starting: Starting, service: ServiceUnderStorm) {
    this.#providers = providers
    this.#starting = starting
    this.#service = service
  }

  static async start(weather: Weather, providers: Emulators, starting: Starting): Promise<SyncWorld> {
    const service = await ServiceUnderStorm.start(starting)
    const world = new SyncWorld(providers, starting, service)
    weather.afterwards(() => world.#service.stop('SIGKILL'))
    const ids = await service.call<number[]>('connect.settings', 'search')
    const { telco, voiceai } = providers
    const vals = {
      api_url: PUBLIC_URL,
      account_sid: telco.account.sid,
      auth_token: telco.account.authToken,
      voiceai_api_key: voiceai.workspace.apiKey,
      voiceai_enabled: true,
    }
    await service.call('connect.settings', 'write', { ids, vals })
    return world
  }

  async sync(area: Area): Promise<number> {
    const { run_id: run } = await this.#service.call<{ run_id: number }>('connect.settings', `${area}_sync`)
    return run
  }

  requests(area: Area): number {
    return this.#providers[area].requests.length
  }

  /** Kills it when it has asked the provider so many things more. */
  async killAfter(area: Area, requests: number): Promise<void> {
    const end = performance.now() + SYNC_MS_MAX
    const enough = this.requests(area) + requests
    while (this.requests(area) < enough && performance.now() < end) await pause(LOOK_MS)
    await this.#service.stop('SIGKILL')
  }

  /** Starts it again; the milliseconds until somebody works on the run, or it has ended. */
  async takenUp(run: number): Promise<number> {
    const attempts = async (): Promise<number> => (await this.#read(run)).attempts ?? 0
    this.#service = await ServiceUnderStorm.start(this.#starting)
    const started = performance.now()
    await eventually(async () => (await this.#hasEnded(run)) || (await attempts()) > 1, SYNC_MS_MAX)
    return performance.now() - started
  }

  /** Waits for its end; whether it went well. */
  async isDone(run: number): Promise<boolean> {
    await eventually(() => this.#hasEnded(run), SYNC_MS_MAX)
    const { state, errors } = await this.#read(run)
    return state === 'done' && errors.length === 0
  }

  /** Everything that the service makes at a provider, by what it is and its name. */
  things(area: Area): string[] {
    const { telco, voiceai } = this.#providers
    const named = (kind: string, all: Iterable<string>): string[] => [...all].map((name) => `${kind} ${name}`)
    if (area === 'telco') {
      const { applications, domains, credentialLists } = telco.account
      return [
        ...named(
          'application',
          applications.list().map((each) => String(each.friendly_name)),
        ),
        ...named(
          'domain',
          domains.list().map((each) => String(each.domain_name)),
        ),
        ...named(
          'list',
          credentialLists.list().map((each) => String(each.friendly_name)),
        ),
      ]
    }
    const { tools, agents, webhooks } = voiceai.workspace
    return [
      ...named(
        'tool',
        [...tools.values()].map((each) => each.config.name),
      ),
      ...named(
        'agent',
        [...agents.values()].map((each) => each.name),
      ),
      ...named(
        'webhook',
        [...webhooks.values()].map((each) => each.url),
      ),
    ]
  }

  async end(): Promise<void> {
    await this.#service.stop('SIGKILL')
    await this.#providers.stop()
  }

  async #hasEnded(run: number): Promise<boolean> {
    const { state } = await this.#read(run)
    return state === 'done' || state === 'failed'
  }

  async #read(run: number): Promise<Run> {
    const [row] = await this.#service.call<Run[]>('connect.sync_run', 'read', { ids: [run] })
    if (row === undefined) throw new Error(`the run ${run} is gone`)
    return row
  }
}

interface Run {
  state: string
  attempts: number | null
  errors: { message: string }[]
}
