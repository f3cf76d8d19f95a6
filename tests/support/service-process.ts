// The service as a process of its own, as `npm start` runs it.
import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { cpSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { inject } from 'vitest'
import { CHILD_ENV, CHILD_FLAGS } from './child-node.ts'
import { createServerDatabase, dropServerDatabase, SERVER_URL } from './database.ts'

const MAIN = path.join(import.meta.dirname, '../../src/main.ts')
const COMMAND = path.join(import.meta.dirname, '../../src/cli/main.ts')
/** The text behind TEST_CIPHER, as an installation would be given it. */
const SECRET_KEY = 'the secret key of the tests'
const READY_TIMEOUT_MS = 110_000
const EXIT_TIMEOUT_MS = 110_000
/** Each with its data folder. */
const running = new Map<ChildProcess, string | undefined>()

/** A data folder, and a database on the server when the tests run on one: prepared, or empty. */
export class Place {
  readonly dataDir: string
  readonly databaseUrl: string | undefined

  private constructor(dataDir: string, databaseUrl: string | undefined) {
    this.dataDir = dataDir
    this.databaseUrl = databaseUrl
  }

  static async prepared(): Promise<Place> {
    const dataDir = newFolder()
    if (SERVER_URL === undefined) cpSync(inject('template'), dataDir, { recursive: true })
    return new Place(dataDir, SERVER_URL === undefined ? undefined : await createServerDatabase())
  }

  static async empty(): Promise<Place> {
    return new Place(newFolder(), SERVER_URL === undefined ? undefined : await createServerDatabase('template0'))
  }

  get env(): Record<string, string> {
    return {
      DATA_DIR: this.dataDir,
      SECRET_KEY,
      ...(this.databaseUrl === undefined ? {} : { DATABASE_URL: this.databaseUrl }),
    }
  }

  get localKey(): string {
    return readFileSync(path.join(this.dataDir, 'local-admin.key'), 'utf8').trim()
  }

  /** Takes it away, with whatever a failed test has left running. */
  async remove(): Promise<void> {
    for (const [child, dataDir] of running) if (dataDir === this.dataDir) child.kill('SIGKILL')
    rmSync(this.dataDir, { recursive: true, force: true, maxRetries: 10 })
    if (this.databaseUrl !== undefined) await dropServerDatabase(this.databaseUrl)
  }
}

export class ServiceProcess {
  readonly child: ChildProcessByStdio<null, Readable, Readable>
  /** Where it listens; empty until it is ready. */
  url = ''
  out = ''
  err = ''

  private constructor(env: Record<string, string>, program: readonly string[] = [MAIN]) {
    const { PATH = '' } = process.env
    this.child = spawn(process.execPath, [...CHILD_FLAGS, ...program], {
      env: { PATH, PORT: '0', LOG_LEVEL: 'warn', ...CHILD_ENV, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    running.set(this.child, env.DATA_DIR)
    this.child.once('close', () => running.delete(this.child))
    this.child.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.out += text
      const [, url] = /Connect listens on (\S+)\n[\s\S]*API: /.exec(this.out) ?? []
      if (url !== undefined) this.url = url
    })
    this.child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.err += text
    })
  }

  /** Resolves when it is ready; throws with what it said when it ends instead. */
  static async start(env: Record<string, string>): Promise<ServiceProcess> {
    const service = new ServiceProcess(env)
    await service.#until(() => service.url !== '')
    return service
  }

  /** Resolves when it listens and says that it waits for its database; throws with what it said when it ends instead. */
  static async startWaiting(env: Record<string, string>): Promise<ServiceProcess> {
    const service = new ServiceProcess(env)
    await service.#until(() => {
      const [, url] = /Connect listens on (\S+)\n.* is unavailable: /.exec(service.out) ?? []
      if (url !== undefined) service.url = url
      return service.url !== ''
    })
    return service
  }

  /** A worker, which serves nobody; what it says is in `out`. */
  static startWorker(env: Record<string, string>): ServiceProcess {
    return new ServiceProcess(env, [COMMAND, 'worker'])
  }

  /** Runs one that is expected not to start; gives its exit code. */
  static async refused(env: Record<string, string>): Promise<{ code: number | null; out: string; err: string }> {
    const service = new ServiceProcess(env)
    const code = await service.exited()
    return { code, out: service.out, err: service.err }
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    if (!this.#hasEnded()) this.child.kill(signal)
    return this.exited()
  }

  /** Its exit code once it has ended; null when a signal ended it. */
  async exited(): Promise<number | null> {
    if (!this.#hasEnded()) {
      const ended = once(this.child, 'close', { signal: AbortSignal.timeout(EXIT_TIMEOUT_MS) })
      await ended.catch((error: unknown) => {
        this.child.kill('SIGKILL')
        throw new Error(`the service did not end: ${this.err}`, { cause: error })
      })
    }
    return this.child.exitCode
  }

  /** Calls the API with a key. */
  async call<Result>(key: string, model: string, method: string, args: object = {}): Promise<Result> {
    const reply = await fetch(`${this.url}/json/2/${model}/${method}`, {
      method: 'POST',
      headers: { authorization: `bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(args),
    }).catch((error: unknown) => {
      if (this.#hasEnded()) throw new Error(`the service has ended: ${this.err}`, { cause: error })
      throw error
    })
    if (!reply.ok) throw new Error(`${model}/${method}: ${reply.status} ${await reply.text()}`)
    return (await reply.json()) as Result
  }

  async #until(isThere: () => boolean): Promise<void> {
    const end = performance.now() + READY_TIMEOUT_MS
    while (!isThere()) {
      if (this.#hasEnded()) throw new Error(`the service ended: ${this.err}${this.out}`)
      if (performance.now() > end) throw new Error(`the service is not ready: ${this.err}${this.out}`)
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }

  #hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null
  }
}

function newFolder(): string {
  const folder = path.join(path.dirname(inject('template')), `service-${randomBytes(6).toString('hex')}`)
  mkdirSync(folder, { recursive: true })
  return folder
}
