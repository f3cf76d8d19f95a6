// Behind a connection pooler the service says at start what it needs instead, whatever the pooler was told to let through.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdtempSync, writeFileSync } from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openServer } from '../../../src/database/server/server.ts'
import { openTestDatabase } from '../../support/database.ts'
import { findFreePort, findServerUser } from '../../support/postgres-server.ts'
import { eventually } from '../../support/test-app.ts'

const NOT_HERE = 'the embedded database has no connections'
const ENV = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` }
const hasPooler = spawnSync('pgbouncer', ['--version'], { env: ENV }).status === 0
/** As the service gives them to each of its connections, in milliseconds. */
const OURS = { statement_timeout: 30_000, lock_timeout: 7_000, idle_in_transaction_session_timeout: 5_000 }
const LIMITS = Object.keys(OURS).join()

let url: string | undefined
let release: () => Promise<void>
const poolers: ChildProcess[] = []

beforeAll(async () => {
  const opened = await openTestDatabase()
  url = opened.url
  release = opened.release
})
afterAll(async () => {
  for (const pooler of poolers) {
    pooler.kill('SIGKILL')
    await once(pooler, 'exit').catch(() => undefined)
  }
  await release()
})

/** PgBouncer between us and the server; gives the address to connect to. */
async function startPooler(mode: 'transaction' | 'session', ignored: string): Promise<string> {
  const target = new URL(url ?? '')
  const folder = mkdtempSync(path.join(os.tmpdir(), 'connect-pooler-'))
  const port = await findFreePort()
  const file = (name: string, text: string): string => {
    writeFileSync(path.join(folder, name), text)
    chmodSync(path.join(folder, name), 0o644)
    return path.join(folder, name)
  }
  const users = file('users.txt', `"${decodeURIComponent(target.username)}" "${decodeURIComponent(target.password)}"\n`)
  const settings = [
    '[databases]',
    `* = host=${target.hostname} port=${target.port}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = trust',
    `auth_file = ${users}`,
    `pool_mode = ${mode}`,
    `ignore_startup_parameters = ${ignored}`,
  ]
  const user = findServerUser()
  if (user !== undefined) chownSync(folder, user.uid, user.gid)
  chmodSync(folder, 0o755)
  const pooler = spawn('pgbouncer', [file('pgbouncer.ini', settings.join('\n'))], {
    env: ENV,
    stdio: 'ignore',
    ...user,
  })
  poolers.push(pooler)
  await eventually(async () => {
    const socket = net.connect(port, '127.0.0.1')
    const isThere = await once(socket, 'connect').catch(() => false)
    socket.destroy()
    return isThere !== false
  })
  const address = new URL(target)
  address.port = String(port)
  return address.href
}

const CASES = [
  ['transaction', 'extra_float_digits', /pooler.* refuses our time limits .*Name the PostgreSQL server itself/],
  ['transaction', LIMITS, /pooler.* drops our \w+_timeout\. Name the PostgreSQL server itself/],
  ['session', LIMITS, /pooler.* drops our \w+_timeout\. Name the PostgreSQL server itself/],
] as const

describe('a connection pooler before the server', () => {
  for (const [mode, ignored, sentence] of CASES) {
    it(`a pooler of ${mode}s that ignores ${ignored} is named, with what to do`, async ({ skip }) => {
      skip(url === undefined, NOT_HERE)
      skip(!hasPooler, 'pgbouncer is not installed')
      const address = await startPooler(mode, ignored)
      await expect(openServer(address, 2)).rejects.toThrow(sentence)
    })
  }

  it('a pooler of transactions is named where the database has our limits by itself', async ({ skip }) => {
    skip(url === undefined, NOT_HERE)
    skip(!hasPooler, 'pgbouncer is not installed')
    const db = await openServer(url ?? '', 2)
    const name = new URL(url ?? '').pathname.slice(1)
    for (const [limit, ms] of Object.entries(OURS)) await db.script(`alter database "${name}" set ${limit} = ${ms}`)
    await db.close()
    const address = await startPooler('transaction', LIMITS)
    await expect(openServer(address, 2)).rejects.toThrow(
      /pools transactions or statements\. Name the PostgreSQL server/,
    )
  })
})
