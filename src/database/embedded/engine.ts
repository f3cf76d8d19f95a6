// The engine's process, seen from the service: started, started again when it ends, and ended when it does not answer.
import { type ChildProcess, fork } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { lstatSync, mkdirSync, rmSync } from 'node:fs'
import { getCompileCacheDir } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { ConfigError, systemEnvironment } from '../../config.ts'
import type { DiskRoom } from '../../disk-room.ts'
import { asError } from '../../errors.ts'
import type { Logger } from '../../log.ts'
import { explainDamage } from './damage.ts'
import type { EngineNews } from './engine-process.ts'

const PROGRAM = fileURLToPath(new URL('./engine-process.ts', import.meta.url))
/** The driver adds this name to the folder that it is given as its host. */
const SOCKET_FILE = '.s.PGSQL.5432'
/** Of an address of a socket, on every system that we know (unix(7): 108 with its end on Linux, 104 elsewhere). */
const SOCKET_PATH_BYTES_MAX = 103
const START_TIMEOUT_MS = 120_000
const STOP_TIMEOUT_MS = 20_000
/** Between attempts at starting an engine again that does not start. */
const AGAIN_MS = 500
/** How often the log says that it still does not start. */
const SAID_AGAIN_MS = 60_000
/** As the system says it of a socket at which nobody listens. */
const NOBODY_LISTENS = 'ECONNREFUSED'
const ERROR_CHARS_MAX = 2_000

interface EngineParts {
  dataDir: string
  folder: string
  room: DiskRoom
  /** Where an operator finds why it ended, or does not start. */
  log?: Pick<Logger, 'error' | 'warn'> | undefined
}

/** The engine of one data folder, in a process of its own. The caller that starts it holds the lock of the data folder. */
export class Engine {
  readonly #parts: EngineParts
  /** The folder of its socket. */
  readonly host: string
  #child: ChildProcess | undefined
  /** Pending while no process serves. */
  #up = Promise.withResolvers<void>()
  #isClosed = false
  /** Why the process that runs is being ended by us. */
  #killedFor: string | undefined

  private constructor(parts: EngineParts) {
    this.#parts = parts
    this.host = socketFolder(parts.dataDir)
  }

  /** Resolves when it can be connected to; throws what it says of a folder that it cannot open. */
  static async start(parts: EngineParts): Promise<Engine> {
    const engine = new Engine(parts)
    await engine.#start()
    return engine
  }

  /** Identifies the process that runs now; undefined while none does. */
  get process(): number | undefined {
    return this.#child?.pid
  }

  /** Resolves when a process serves, which is at once while one does; throws as a refused connection when none does in that time. */
  async untilUp(waitMs: number): Promise<void> {
    if (this.#child !== undefined) return
    const giveUp = new AbortController()
    const late = delay(waitMs, true, { ref: false, signal: giveUp.signal }).catch(() => true)
    const isLate = await Promise.race([this.#up.promise.then(() => false), late])
    giveUp.abort()
    if (!isLate) return
    const reason = `the embedded database is starting again, and took longer than ${waitMs} ms`
    throw Object.assign(new Error(reason), { code: NOBODY_LISTENS })
  }

  /** Ends the process, whatever it does; it is started again at once, and finds what was committed. */
  kill(why: string): void {
    if (this.#child === undefined) return
    this.#killedFor ??= why
    this.#child.kill('SIGKILL')
  }

  /** Has it write everything down and end. */
  async close(): Promise<void> {
    this.#isClosed = true
    const child = this.#child
    if (child === undefined) return
    const ended = once(child, 'exit', { signal: AbortSignal.timeout(STOP_TIMEOUT_MS) })
    child.ref()
    child.send('stop', () => undefined)
    await ended.catch(() => child.kill('SIGKILL'))
    rmSync(path.join(this.host, SOCKET_FILE), { force: true })
  }

  async #start(): Promise<void> {
    requireRoomToStart(this.#parts.room)
    // Flags that Node was given count for the engine too: `fork` hands them on.
    const child = fork(PROGRAM, [this.#parts.folder, path.join(this.host, SOCKET_FILE)], {
      stdio: ['pipe', 'ignore', 'pipe', 'ipc'],
      env: engineEnvironment(),
    })
    // Its end closes the pipe; what could not be written there is of no use to anybody.
    child.stdin?.on('error', () => undefined)
    const said = errorsOf(child)
    await untilReady(child, said)
    if (this.#isClosed) child.kill('SIGKILL')
    this.#child = child
    this.#killedFor = undefined
    this.#up.resolve()
    child.once('exit', (code, signal) => {
      this.#child = undefined
      this.#up = Promise.withResolvers()
      if (this.#isClosed) return
      const why = this.#killedFor ?? 'it ended by itself, or something else ended it'
      this.#parts.log?.error({ code, signal, why, said: said() }, 'the embedded database ended, and is started again')
      void this.#startAgain()
    })
    letGo(child)
  }

  async #startAgain(): Promise<void> {
    const began = performance.now()
    let saidAt = Number.NEGATIVE_INFINITY
    while (!this.#isClosed) {
      try {
        await explainDamage(this.#parts.folder, () => this.#start())
        const tookMs = Math.round(performance.now() - began)
        this.#parts.log?.warn({ tookMs }, 'the embedded database is back')
        return
      } catch (error) {
        // Anyone who asks the database meanwhile learns that it is unavailable.
        if (performance.now() - saidAt > SAID_AGAIN_MS) {
          saidAt = performance.now()
          this.#parts.log?.error({ err: asError(error) }, 'the embedded database does not start, and is tried again')
        }
        await delay(AGAIN_MS, undefined, { ref: false })
      }
    }
  }
}

function engineEnvironment(): Record<string, string> {
  const compiled = getCompileCacheDir()
  // The folder that Node was given: it makes one for its version there.
  return { ...systemEnvironment(), ...(compiled === undefined ? {} : { NODE_COMPILE_CACHE: path.dirname(compiled) }) }
}

/** Gives the end of what a process has written to standard error so far. */
function errorsOf(child: ChildProcess): () => string {
  let errors = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-ERROR_CHARS_MAX)
  })
  return () => errors.trim()
}

/** Resolves when the engine says that it serves; throws what it says instead. */
async function untilReady(child: ChildProcess, said: () => string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const timer = setTimeout(() => {
    child.kill('SIGKILL')
    reject(new Error(`the embedded database did not start within ${START_TIMEOUT_MS} ms`))
  }, START_TIMEOUT_MS)
  child.once('message', (news: EngineNews) => {
    if ('isReady' in news) return resolve()
    const { name, message, code } = news.failure
    reject(Object.assign(new Error(message), { name }, code === undefined ? {} : { code }))
  })
  child.once('error', reject)
  child.once('close', (code, signal) => {
    reject(new Error(`the embedded database ended while it started (${code ?? signal}): ${said()}`))
  })
  try {
    await promise
  } finally {
    clearTimeout(timer)
  }
}

/** A program that has nothing else to do may end, and its engine with it. */
function letGo(child: ChildProcess): void {
  child.unref()
  child.channel?.unref()
  for (const stream of [child.stdin, child.stderr]) (stream as { unref?(): void } | null)?.unref?.()
}

/** An engine that finds no room while it starts does not say so but stands still. */
export function requireRoomToStart(room: DiskRoom): void {
  try {
    room.require()
  } catch (error) {
    const { message } = asError(error)
    throw new ConfigError([`DATA_DIR has too little room for the embedded database. ${message} Make room there.`], {
      cause: error,
    })
  }
}

/**
 * Where the socket is: in the data folder, or where that has too long a path in a private folder beside temporary files, which has
 * the same name each time.
 */
function socketFolder(dataDir: string): string {
  const own = path.resolve(dataDir)
  if (Buffer.byteLength(path.join(own, SOCKET_FILE)) <= SOCKET_PATH_BYTES_MAX) return own
  const name = createHash('sha256').update(own).digest('hex').slice(0, 16)
  const folder = path.join(tmpdir(), `connect-${process.getuid?.() ?? 0}-${name}`)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const found = lstatSync(folder)
  const isPrivate = found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o077) === 0
  if (isPrivate) return folder
  throw new ConfigError([
    `DATA_DIR has a long path, and ${folder}, which is used for it, is not a private folder of ours.`,
  ])
}
