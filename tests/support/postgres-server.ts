// A throwaway PostgreSQL server: its own folder, its own port on loopback, gone when the process that started it is.
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import {
  accessSync,
  chownSync,
  closeSync,
  constants,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
} from 'node:fs'
import { createServer } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Client } from 'pg'

const OLDEST_MAJOR = 15
const READY_TIMEOUT_MS = 110_000
const POLL_MS = 50
const STOP_TIMEOUT_MS = 10_000
const LOG_TAIL_LINES = 20
const PORTS = [20_000, 32_000] as const
const PORT_TRIES_MAX = 100
const MEMORY_FOLDER = '/dev/shm'
const MEMORY_FREE_MIN_BYTES = 1024 ** 3

// Nobody reads these rows after a crash of the machine, so nothing waits for the disk.
const SETTINGS = ['fsync=off', 'full_page_writes=off', 'max_connections=200', 'listen_addresses=127.0.0.1']

export type PostgresBinaries = { folder: string; version: string }
export type PostgresServer = {
  url: string
  version: string
  /** Ends it as a crash would, and brings it back on the same rows and the same port. */
  restart: () => Promise<void>
  /** Ends it as a crash would, and leaves it away. */
  halt: () => Promise<void>
  /** Brings it back on the same rows and the same port. */
  resume: () => Promise<void>
  stop: () => Promise<void>
}
type SystemUser = { uid: number; gid: number }

/** Starts a server that ends with this process, however this process ends. */
export async function startPostgres(binaries = findPostgresBinaries()): Promise<PostgresServer> {
  if (!binaries) throw new Error(`no initdb and postgres of PostgreSQL ${OLDEST_MAJOR} or newer were found`)
  const user = findServerUser()
  const folder = makeFastFolder('connect-postgres-')
  if (user) chownSync(folder, user.uid, user.gid)
  const port = await findFreePort()
  const url = `postgres://connect@127.0.0.1:${port}/postgres`
  let server: ChildProcess | undefined
  let guard: ChildProcess | undefined
  const stop = async () => {
    if (server) await end(server)
    guard?.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  const start = async () => {
    server = launch(binaries, { folder, port, user })
    guard = watchOver(server, folder)
    return waitUntilReady(url, server)
  }
  const halt = async () => {
    if (server) await end(server)
    guard?.kill('SIGKILL')
  }
  const resume = async () => void (await start())
  const restart = async () => {
    await halt()
    await resume()
  }
  try {
    await createCluster(binaries, folder, user)
    return { url, version: await start(), restart, halt, resume, stop }
  } catch (error) {
    const log = readLogTail(folder)
    await stop()
    throw new Error(`PostgreSQL of ${binaries.folder} did not start: ${String(error)}${log}`, { cause: error })
  }
}

/** The oldest supported release on this machine: PGlite already stands for the newest one. */
export function findPostgresBinaries(): PostgresBinaries | undefined {
  const debian = '/usr/lib/postgresql'
  const packaged = existsSync(debian) ? readdirSync(debian).map((release) => path.join(debian, release, 'bin')) : []
  const onPath = (process.env.PATH ?? '').split(path.delimiter).filter((folder) => path.isAbsolute(folder))
  return [...packaged, ...onPath]
    .filter((folder) => ['initdb', 'postgres'].every((name) => existsSync(path.join(folder, name))))
    .map((folder) => ({ folder, version: readReleaseVersion(folder) }))
    .filter(({ version }) => Number.parseInt(version, 10) >= OLDEST_MAJOR)
    .sort((a, b) => Number.parseFloat(a.version) - Number.parseFloat(b.version))[0]
}

/** Connects once and tells the server's version; throws when it does not answer. */
export async function readServerVersion(url: string): Promise<string> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5000 })
  client.on('error', () => {})
  await client.connect()
  try {
    const { rows } = await client.query<{ server_version: string }>('show server_version')
    return rows[0]?.server_version.split(' ')[0] ?? 'unknown'
  } finally {
    await client.end()
  }
}

/** A new temporary folder, in memory where there is room for it. */
export function makeFastFolder(prefix: string): string {
  return mkdtempSync(path.join(hasRoomInMemory() ? MEMORY_FOLDER : os.tmpdir(), prefix))
}

function hasRoomInMemory(): boolean {
  try {
    accessSync(MEMORY_FOLDER, constants.W_OK)
    const { bavail, bsize } = statfsSync(MEMORY_FOLDER)
    return bavail * bsize >= MEMORY_FREE_MIN_BYTES
  } catch {
    return false
  }
}

function readReleaseVersion(folder: string): string {
  const { stdout } = spawnSync(path.join(folder, 'postgres'), ['--version'], { encoding: 'utf8' })
  return /\(PostgreSQL\) (\d+(?:\.\d+)?)/.exec(stdout ?? '')?.[1] ?? '0'
}

// PostgreSQL refuses to run as root, so root hands it to a user that may do nothing else.
export function findServerUser(): SystemUser | undefined {
  if (process.getuid?.() !== 0) return undefined
  const accounts = readFileSync('/etc/passwd', 'utf8').split('\n')
  for (const name of ['postgres', 'nobody']) {
    const [, , uid, gid] = accounts.find((line) => line.startsWith(`${name}:`))?.split(':') ?? []
    if (uid && gid) return { uid: Number(uid), gid: Number(gid) }
  }
  throw new Error('PostgreSQL cannot run as root, and this machine has neither a user "postgres" nor "nobody"')
}

/**
 * Below the ports that the system hands out by itself: until the server listens there, and each time that it is restarted,
 * one of those may go to somebody else.
 */
export async function findFreePort(): Promise<number> {
  for (let tries = 0; tries < PORT_TRIES_MAX; tries += 1) {
    const port = randomInt(...PORTS)
    const probe = createServer().listen(port, '127.0.0.1')
    if (!(await once(probe, 'listening').catch(() => false))) continue
    probe.close()
    await once(probe, 'close')
    return port
  }
  throw new Error('no free port was found')
}

async function createCluster(binaries: PostgresBinaries, folder: string, user?: SystemUser): Promise<void> {
  const initdb = async (locale: string) => {
    const options = ['--auth=trust', '-U', 'connect', '--no-sync', '-E', 'UTF8', `--locale=${locale}`]
    await promisify(execFile)(path.join(binaries.folder, 'initdb'), ['-D', path.join(folder, 'cluster'), ...options], {
      ...user,
      cwd: folder,
      env: serverEnvironment(folder),
    })
  }
  await initdb('C.UTF-8').catch(() => initdb('C'))
}

function launch(binaries: PostgresBinaries, place: { folder: string; port: number; user: SystemUser | undefined }) {
  const { folder, port, user } = place
  const settings = [...SETTINGS, `unix_socket_directories=${folder}`].flatMap((setting) => ['-c', setting])
  const log = openSync(path.join(folder, 'server.log'), 'a')
  // A process group of its own: an interrupt at the keyboard must not end the server before the tests that use it.
  const args = ['-D', path.join(folder, 'cluster'), '-p', String(port), ...settings]
  const server = spawn(path.join(binaries.folder, 'postgres'), args, {
    ...user,
    cwd: folder,
    env: serverEnvironment(folder),
    stdio: ['ignore', log, log],
    detached: true,
  })
  closeSync(log)
  // When it cannot be started at all, that is told by its never having had a process id.
  server.on('error', () => {})
  if (server.pid === undefined) throw new Error('the system could not start it')
  server.unref()
  return server
}

// Variables such as PGDATA or LC_ALL of the person running the tests must not change the server.
function serverEnvironment(folder: string): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, HOME: folder, LANG: 'C' }
}

// The system closes the guard's standard input when this process is gone, also after kill -9; no handler is needed.
function watchOver(server: ChildProcess, folder: string): ChildProcess {
  const script = `read -r _
    kill -QUIT "$1"
    for _ in 1 2 3 4 5 6 7 8 9 10; do [ -e "$2/cluster/postmaster.pid" ] || break; sleep 0.2; done
    rm -rf "$2"`
  const guard = spawn('/bin/sh', ['-c', script, 'connect-postgres-guard', String(server.pid), folder], {
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  guard.unref()
  return guard
}

async function waitUntilReady(url: string, server: ChildProcess): Promise<string> {
  const deadline = Date.now() + READY_TIMEOUT_MS
  let lastError: unknown
  while (Date.now() < deadline) {
    if (hasEnded(server)) throw new Error(`it ended with ${server.exitCode ?? server.signalCode}`)
    try {
      return await readServerVersion(url)
    } catch (error) {
      lastError = error
    }
    await delay(POLL_MS)
  }
  throw new Error(`it did not answer within ${READY_TIMEOUT_MS / 1000} s`, { cause: lastError })
}

async function end(server: ChildProcess): Promise<void> {
  if (server.pid === undefined || hasEnded(server)) return
  const ended = once(server, 'exit', { signal: AbortSignal.timeout(STOP_TIMEOUT_MS) })
  server.ref()
  server.kill('SIGQUIT')
  await ended.catch(() => server.kill('SIGKILL'))
}

function hasEnded(server: ChildProcess): boolean {
  return server.exitCode !== null || server.signalCode !== null
}

function readLogTail(folder: string): string {
  const log = path.join(folder, 'server.log')
  if (!existsSync(log)) return ''
  const lines = readFileSync(log, 'utf8').trimEnd().split('\n').slice(-LOG_TAIL_LINES)
  return `\nThe end of its log:\n${lines.map((line) => `  ${line}`).join('\n')}`
}
