// Two PostgreSQL servers, the second of which has everything that the first has committed, behind one address.
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { findFreePort, findPostgresBinaries, findServerUser } from '../tests/support/postgres-server.ts'
import { eventually, StormSkipped, type Weather } from './storm.ts'

const START_MS_MAX = 60_000
const USER = 'connect'
const SETTINGS = ['listen_addresses=127.0.0.1', 'max_connections=200', 'wal_level=replica', 'hot_standby=on']
/** Milliseconds between two looks at a server, and how many must fail until the other one is asked. */
const LOOK = { everyMs: 500, fails: 2 }
/** Where Debian has programs that people seldom start. */
const ENV = { PATH: `${process.env.PATH}:/usr/sbin`, LANG: 'C' }

export interface TwoServers {
  /** Of whichever is the primary. */
  url: string
  /** Ends the primary without a word, as a machine that is gone. */
  killPrimary(): void
  /** Makes the standby the primary, which is what somebody on call does, or what Patroni does by itself. */
  promote(): Promise<void>
}

/** Starts both servers and HAProxy before them; skips the storm where one of the programs is not there. */
export async function startTwoServers({ folder, afterwards }: Weather): Promise<TwoServers> {
  const binaries = findPostgresBinaries()?.folder
  if (binaries === undefined) throw new StormSkipped('PostgreSQL is not installed')
  requireHaproxy()
  const user = findServerUser()
  const running: ChildProcess[] = []
  const [primary, standby, front] = [await findFreePort(), await findFreePort(), await findFreePort()]
  const place = (name: string): string => {
    const made = path.join(folder, name)
    mkdirSync(made, { recursive: true, mode: 0o700 })
    if (user !== undefined) chownSync(made, user.uid, user.gid)
    return made
  }
  // Both are reached by the servers' own user, who may not look into the folder of the person who runs the storm.
  chmodSync(folder, 0o755)
  const tool = (name: string, args: readonly string[]) =>
    promisify(execFile)(path.join(binaries, name), args, { ...user, cwd: folder, env: ENV })
  const start = (port: number, cluster: string): ChildProcess => {
    const settings = [...SETTINGS, `unix_socket_directories=${cluster}`].flatMap((each) => ['-c', each])
    const args = ['-D', cluster, '-p', String(port), ...settings]
    const options = { ...user, cwd: folder, env: ENV, stdio: 'ignore' as const, detached: true }
    const server = spawn(path.join(binaries, 'postgres'), args, options)
    running.push(server)
    afterwards(() => endGroup(server))
    return server
  }
  const [first, second] = [place('primary'), place('standby')]
  await tool('initdb', ['-D', first, '--auth=trust', '-U', USER, '--no-sync', '-E', 'UTF8', '--locale=C'])
  const dying = start(primary, first)
  await answers(primary)
  const source = ['-h', '127.0.0.1', '-p', String(primary), '-U', USER]
  await tool('pg_basebackup', [...source, '-D', second, '-R', '-X', 'stream', '-c', 'fast', '--no-sync'])
  start(standby, second)
  await answers(standby)
  // From here on nothing is committed that the standby does not have.
  await ask(primary, `alter system set synchronous_standby_names = '*'`)
  await ask(primary, 'select pg_reload_conf()')
  await until(async () => (await ask(primary, 'select sync_state from pg_stat_replication'))[0]?.sync_state === 'sync')
  await startHaproxy({ folder, afterwards }, postgresFront(front, { primary, standby }))
  const url = urlOf(front)
  await answers(front)
  return {
    url,
    killPrimary: () => endGroup(dying),
    async promote() {
      await ask(standby, 'select pg_promote()')
    },
  }
}

/** One address for web requests, which go to whichever process is alive. */
export async function startWebFront(
  weather: Pick<Weather, 'folder' | 'afterwards'>,
  urls: readonly string[],
): Promise<string> {
  requireHaproxy()
  const port = await findFreePort()
  const servers = urls.map(
    (url, at) => `  server connect${at} ${new URL(url).host} check inter ${LOOK.everyMs}ms fall ${LOOK.fails}`,
  )
  const text = [
    'listen web',
    '  mode http',
    `  bind 127.0.0.1:${port}`,
    '  timeout client 35s',
    '  timeout server 35s',
    // Alive, not ready: while the database is away a process still answers callers, and keeps what is signed on its disk.
    '  option httpchk GET /healthz',
    '  option redispatch',
    '  retries 2',
    ...servers,
  ]
  await startHaproxy(weather, text)
  const address = `http://127.0.0.1:${port}`
  await until(async () => (await fetch(`${address}/healthz`)).ok)
  return address
}

function postgresFront(port: number, { primary, standby }: { primary: number; standby: number }): string[] {
  const look = `check inter ${LOOK.everyMs}ms fall ${LOOK.fails} on-marked-down shutdown-sessions`
  return [
    'listen postgres',
    '  mode tcp',
    `  bind 127.0.0.1:${port}`,
    '  timeout client 1h',
    '  timeout server 1h',
    `  server primary 127.0.0.1:${primary} ${look}`,
    `  server standby 127.0.0.1:${standby} ${look} backup`,
  ]
}

function requireHaproxy(): void {
  if (spawnSync('haproxy', ['-v'], { env: ENV }).status !== 0) throw new StormSkipped('haproxy is not installed')
}

async function startHaproxy(
  { folder, afterwards }: Pick<Weather, 'folder' | 'afterwards'>,
  text: readonly string[],
): Promise<void> {
  const file = path.join(folder, `haproxy-${text[0]?.split(' ')[1]}.cfg`)
  writeFileSync(file, `defaults\n  timeout connect 2s\n${text.join('\n')}\n`)
  const haproxy = spawn('haproxy', ['-db', '-f', file], { env: ENV, stdio: 'ignore' })
  afterwards(() => haproxy.kill('SIGKILL'))
  await once(haproxy, 'spawn')
}

async function answers(port: number): Promise<void> {
  await until(async () => (await ask(port, 'select 1')).length === 1)
}

async function until(check: () => Promise<boolean>): Promise<void> {
  if (!(await eventually(check, START_MS_MAX))) throw new Error('the servers did not start in time')
}

async function ask(port: number, query: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: urlOf(port), connectionTimeoutMillis: 5_000 })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(query)).rows
  } finally {
    await client.end()
  }
}

function urlOf(port: number): string {
  return `postgres://${USER}@127.0.0.1:${port}/postgres`
}

/** The server and everything that it started, at once. */
function endGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended already.
  }
}
