// The service as a process of its own, started as `npm start` starts it, and seen from outside only.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { adoptSecret } from '../tests/fixtures/post-call.ts'
import { ACCOUNT_SID, AUTH_TOKEN, PUBLIC_URL } from '../tests/support/telco.ts'
import { eventually } from './storm.ts'

const ROOT = path.dirname(import.meta.dirname)
/** A first start makes the whole database, which a busy machine takes its time for. */
const START_TIMEOUT_MS = 180_000
const STOP_TIMEOUT_MS = 40_000
const ASK_TIMEOUT_MS = 20_000
/** Ids that one search names. */
const IDS_AT_ONCE = 500
const NO_PROVIDER = { TELCO_BASE_URL: 'http://127.0.0.1:9', VOICEAI_BASE_URL: 'http://127.0.0.1:9' }

export const AGENT_TOKEN = 'the token of the agents in the storms'

/** What several processes on one server share, so that each can read the others' secrets. */
export const SHARED_KEY = { SECRET_KEY: 'the secret key of the storms' }

export interface Starting {
  dataDir: string
  databaseUrl?: string | undefined
  env?: Record<string, string>
}

export class ServiceUnderStorm {
  readonly dataDir: string
  readonly child: ChildProcess
  /** What it wrote to its log and said otherwise. */
  said = ''

  private constructor({ dataDir, databaseUrl, env = {} }: Starting) {
    this.dataDir = dataDir
    const database = databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }
    const { PATH, HOME } = process.env
    this.child = spawn(process.execPath, ['src/main.ts'], {
      cwd: ROOT,
      env: {
        PATH,
        HOME,
        PORT: '0',
        LOG_LEVEL: 'fatal',
        DATA_DIR: dataDir,
        ...database,
        ...NO_PROVIDER,
        PAGE: 'off',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.said += text
      })
    }
  }

  /** Resolves when it listens and is ready; throws with what it said when it ends instead. */
  static async start(starting: Starting): Promise<ServiceUnderStorm> {
    const service = new ServiceUnderStorm(starting)
    const isReady = await eventually(async () => service.hasEnded || (await service.isReady()), START_TIMEOUT_MS)
    if (service.hasEnded || !isReady) {
      await service.stop('SIGKILL')
      throw new Error(`the service did not start: ${service.said}`)
    }
    return service
  }

  /** Resolves when it listens, ready or not; throws with what it said when it ends instead. */
  static async listening(starting: Starting): Promise<ServiceUnderStorm> {
    const service = new ServiceUnderStorm(starting)
    await eventually(async () => service.hasEnded || service.url !== '', START_TIMEOUT_MS)
    if (!service.hasEnded && service.url !== '') return service
    await service.stop('SIGKILL')
    throw new Error(`the service does not listen: ${service.said}`)
  }

  /** Starts one that may refuse to: what it said, and whether it has ended by itself. */
  static async attempt(starting: Starting): Promise<{ isRefused: boolean; said: string; service: ServiceUnderStorm }> {
    const service = new ServiceUnderStorm(starting)
    await eventually(async () => service.hasEnded || (await service.isReady()), START_TIMEOUT_MS)
    return { isRefused: service.hasEnded, said: service.said, service }
  }

  get hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null
  }

  /** Where it listens; empty until it does. */
  get url(): string {
    const [, url] = /listens on (\S+)/.exec(this.said) ?? []
    return url ?? ''
  }

  get key(): string {
    return readFileSync(path.join(this.dataDir, 'local-admin.key'), 'utf8').trim()
  }

  async isReady(): Promise<boolean> {
    if (this.url === '') return false
    const reply = await fetch(`${this.url}/readyz`, { signal: AbortSignal.timeout(ASK_TIMEOUT_MS) })
    return reply.ok
  }

  /** Gives it the secrets that deliveries are signed with. */
  async setUp(): Promise<this> {
    const [id] = await this.call<number[]>('connect.settings', 'search')
    const vals = {
      voiceai_agent_token: AGENT_TOKEN,
      auth_token: AUTH_TOKEN,
      account_sid: ACCOUNT_SID,
      api_url: PUBLIC_URL,
    }
    await this.call('connect.settings', 'write', { ids: [id], vals })
    await adoptSecret((...asked) => this.call(...asked))
    return this
  }

  async call<Result>(model: string, method: string, args: object = {}): Promise<Result> {
    const reply = await fetch(`${this.url}/json/2/${model}/${method}`, {
      method: 'POST',
      headers: { authorization: `bearer ${this.key}`, 'content-type': 'application/json' },
      body: JSON.stringify(args),
      signal: AbortSignal.timeout(ASK_TIMEOUT_MS),
    })
    if (!reply.ok) throw new Error(`${model}/${method}: ${reply.status} ${await reply.text()}`)
    return (await reply.json()) as Result
  }

  /** How many records there are of each value. */
  async countBy(
    model: string,
    field: string,
    values: readonly string[],
    also: readonly unknown[] = [],
  ): Promise<Map<string, number>> {
    const counts = new Map<string, number>()
    for (let at = 0; at < values.length; at += IDS_AT_ONCE) {
      const domain = [[field, 'in', values.slice(at, at + IDS_AT_ONCE)], ...also]
      const args = { domain, fields: [field], limit: IDS_AT_ONCE * 4 }
      for (const row of await this.call<Record<string, string>[]>(model, 'search_read', args)) {
        const value = row[field] ?? ''
        counts.set(value, (counts.get(value) ?? 0) + 1)
      }
    }
    return counts
  }

  /** Whether nothing waits any more, neither on disk nor in the inbox. */
  async isWorkedOff(): Promise<boolean> {
    const domain = [['state', 'in', ['received', 'failed']]]
    return this.spooled.length === 0 && (await this.call<number>('connect.inbox', 'search_count', { domain })) === 0
  }

  get spooled(): string[] {
    const folder = path.join(this.dataDir, 'spool')
    return existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : []
  }

  /** Ends it; false when it had to be killed because it did not end by itself in time. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<boolean> {
    if (this.hasEnded) return true
    const ended = once(this.child, 'close', { signal: AbortSignal.timeout(STOP_TIMEOUT_MS) })
    this.child.kill(signal)
    return ended.then(
      () => true,
      () => !this.child.kill('SIGKILL'),
    )
  }
}
