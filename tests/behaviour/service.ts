// The only file here that knows where the service lives: its two programs, and what they are started with.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import pg from 'pg'

const ROOT = path.join(import.meta.dirname, '../..')
const SERVICE = path.join(ROOT, 'src/main.ts')
const COMMAND_LINE = path.join(ROOT, 'src/cli/main.ts')
const READY = /Connect listens on (\S+)\n[\s\S]*API: /
const STEADY = path.join(import.meta.dirname, 'steady.ts')
const FLAGS = ['--wasm-tiering-budget=1000000000', '--import', STEADY]
const READY_TIMEOUT_MS = 300_000
const STOP_TIMEOUT_MS = 60_000

export const PUBLIC_URL = 'https://pbx.example.com'
export const METRICS_TOKEN = 'the metrics token of the recorder'
const SECRET_KEY = 'the secret key of the recorder'

/** Where a recording is made: a data folder of its own, a database on a server or the embedded one, and both providers. */
export interface Installation {
  dataDir: string
  databaseUrl: string | undefined
  telcoUrl: string
  voiceaiUrl: string
}

export type Row = Record<string, unknown>

let processes = 0

function environment({ dataDir, databaseUrl, telcoUrl, voiceaiUrl }: Installation): Record<string, string> {
  processes += 1
  return {
    BEHAVIOUR_PROCESS: String(processes),
    PATH: process.env.PATH ?? '',
    PAGE: 'off',
    NODE_COMPILE_CACHE: path.join(ROOT, 'node_modules/.cache/node'),
    TZ: 'UTC',
    NO_COLOR: '1',
    HOST: '127.0.0.1',
    PORT: '0',
    LOG_LEVEL: process.env.BEHAVIOUR_LOG ?? 'silent',
    DATA_DIR: dataDir,
    API_URL: PUBLIC_URL,
    SECRET_KEY,
    METRICS_TOKEN,
    TELCO_BASE_URL: telcoUrl,
    VOICEAI_BASE_URL: voiceaiUrl,
    ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
  }
}

/** The service as a process, as `npm start` runs it, with a clock and random values of ours. */
export class Service {
  url = ''
  readonly #child: ChildProcess
  readonly #client: pg.Client | undefined
  readonly #waiting = new Map<number, (answer: { rows?: Row[]; error?: string }) => void>()
  #said = ''
  #asked = 0

  private constructor(installation: Installation, client: pg.Client | undefined) {
    this.#client = client
    this.#child = spawn(process.execPath, [...FLAGS, SERVICE], {
      cwd: ROOT,
      env: { ...environment(installation), BEHAVIOUR_SERVICE: '1', BEHAVIOUR_NOW_MS: String(Date.now()) },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    const hear = (text: string): void => {
      this.#said += text
    }
    this.#child.stdout?.setEncoding('utf8').on('data', hear)
    this.#child.stderr?.setEncoding('utf8').on('data', hear)
    this.#child.on('message', ({ id, ...answer }: { id: number; rows?: Row[]; error?: string }) => {
      this.#waiting.get(id)?.(answer)
      this.#waiting.delete(id)
    })
  }

  static async start(installation: Installation): Promise<Service> {
    const { databaseUrl } = installation
    const client = databaseUrl === undefined ? undefined : new pg.Client({ connectionString: databaseUrl })
    await client?.connect()
    const service = new Service(installation, client)
    const endMs = performance.now() + READY_TIMEOUT_MS
    while (service.url === '') {
      service.url = READY.exec(service.#said)?.[1] ?? ''
      if (service.#hasEnded || performance.now() > endMs) throw new Error(`the service did not start: ${service.#said}`)
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    return service
  }

  /** What it printed, which is little at the log level it has. */
  get said(): string {
    return this.#said
  }

  async setClock(ms: number): Promise<void> {
    await this.#ask({ clockMs: ms })
  }

  /** Reads from, or changes, the database beside the service. */
  async query(text: string): Promise<Row[]> {
    if (this.#client !== undefined) return (await this.#client.query(text)).rows as Row[]
    return this.#ask({ text })
  }

  /** As its operator stops it: everything under way is finished and written. */
  async stop(): Promise<void> {
    await this.#client?.end()
    if (this.#hasEnded) return
    const ended = once(this.#child, 'close', { signal: AbortSignal.timeout(STOP_TIMEOUT_MS) })
    this.#child.kill('SIGTERM')
    await ended.catch(() => {
      this.#child.kill('SIGKILL')
      throw new Error(`the service did not stop: ${this.#said}`)
    })
  }

  get #hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null
  }

  async #ask(question: { clockMs?: number; text?: string }): Promise<Row[]> {
    this.#asked += 1
    const id = this.#asked
    const { promise, resolve } = Promise.withResolvers<{ rows?: Row[]; error?: string }>()
    this.#waiting.set(id, resolve)
    this.#child.send({ id, ...question })
    const { rows, error } = await promise
    if (error !== undefined) throw new Error(`${error} in ${question.text}`)
    return rows ?? []
  }
}

export interface Ran {
  code: number | null
  out: string
  err: string
}

/** Runs `connect <args>` beside the service, on the same data folder. */
export async function runCommand(installation: Installation, args: readonly string[], input = ''): Promise<Ran> {
  const child = spawn(process.execPath, [...FLAGS, COMMAND_LINE, ...args], {
    cwd: ROOT,
    env: { ...environment(installation), BEHAVIOUR_NOW_MS: String(Date.now()), COLUMNS: '100' },
  })
  const ran: Ran = { code: null, out: '', err: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    ran.out += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    ran.err += text
  })
  child.stdin.end(input)
  await once(child, 'close')
  return { ...ran, code: child.exitCode }
}
