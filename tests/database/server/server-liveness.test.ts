// What one process, one connection or one lock that stands still does to the others on a PostgreSQL server.
import { once } from 'node:events'
import net from 'node:net'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Database, isUnavailable } from '../../../src/database/database.ts'
import { sql } from '../../../src/database/drizzle.ts'
import { Listener, MISSED } from '../../../src/database/listener.ts'
import { openServer } from '../../../src/database/server/server.ts'
import { openTestDatabase } from '../../support/database.ts'
import { eventually } from '../../support/test-app.ts'

const NOT_HERE = 'the embedded database is one process with one connection'
const LOCK = 77_001
const POOL = 2
/** No shorter than in the service, because a busy machine is not deaf. */
const HEARD_WITHIN_MS = 4_000

let url: string | undefined
let release: () => Promise<void>
const open: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  const opened = await openTestDatabase()
  url = opened.url
  release = opened.release
})
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})
afterAll(() => release())

async function aProcess(address = url ?? ''): Promise<Database> {
  const db = await openServer(address, POOL)
  open.push(() => db.close())
  return db
}

const lock = (db: Pick<Database, 'query'>) => db.query(sql`select pg_advisory_xact_lock(${LOCK}::int)`)

describe('on a server', () => {
  it('a process that freezes inside a transaction loses its locks, and the others go on', async ({ skip }) => {
    skip(url === undefined, NOT_HERE)
    const [frozen, other] = [await aProcess(), await aProcess()]
    const holds = Promise.withResolvers<void>()
    const thaw = Promise.withResolvers<void>()
    const failed = frozen
      .transaction(async (tx) => {
        await lock(tx)
        holds.resolve()
        await thaw.promise
        await tx.query(sql`select 1`)
      })
      .catch((error: unknown) => error)
    await holds.promise
    await other.transaction((tx) => lock(tx))
    thaw.resolve()
    // A process that froze hears that the database gave up on it, so that its work is done again.
    expect(isUnavailable(await failed)).toBe(true)
    expect(await frozen.query(sql`select 1 as one`)).toEqual([{ one: 1 }])
  })

  it('a lock that nobody gives up fails the statement that waits for it, as what may work later', async ({ skip }) => {
    skip(url === undefined, NOT_HERE)
    const holder = new pg.Client({ connectionString: url })
    await holder.connect()
    open.push(() => holder.end())
    await holder.query(`begin; select pg_advisory_xact_lock(${LOCK})`)
    const db = await aProcess()
    const failed = await db.transaction((tx) => lock(tx)).catch((error: unknown) => error)
    expect(isUnavailable(failed)).toBe(true)
  })

  it('a listening connection that went deaf is replaced, and its handlers learn that they may have missed something', async ({
    skip,
  }) => {
    skip(url === undefined, NOT_HERE)
    const proxy = await deafeningProxy(url ?? '')
    const through = new URL(url ?? '')
    through.port = String(proxy.port)
    const db = await aProcess()
    const listener = new Listener({
      options: { connectionString: through.href },
      ping: (channel, payload) => db.query(sql`select pg_notify(${channel}, ${payload})`),
      pingEveryMs: 20,
      heardWithinMs: HEARD_WITHIN_MS,
    })
    open.push(() => listener.close())
    const heard: string[] = []
    await listener.listen('connect_settings', (payload) => heard.push(payload))
    await db.transaction((tx) => tx.notify('connect_settings', 'first'))
    await eventually(async () => heard.includes('first'))
    expect(heard).not.toContain(MISSED)
    proxy.deafen()
    await db.transaction((tx) => tx.notify('connect_settings', 'unheard'))
    await eventually(async () => heard.includes(MISSED))
    await eventually(async () => proxy.connections() >= 2)
    await eventually(async () => {
      await db.transaction((tx) => tx.notify('connect_settings', 'again'))
      return heard.includes('again')
    })
    expect(heard).not.toContain('unheard')
  })
})

/** Passes everything on, until it lets nothing through to the connections that are open then. */
async function deafeningProxy(target: string) {
  const { hostname, port } = new URL(target)
  const made: { isDeaf: boolean }[] = []
  const sockets: net.Socket[] = []
  const server = net.createServer((client) => {
    const state = { isDeaf: false }
    made.push(state)
    const upstream = net.connect(Number(port), hostname)
    sockets.push(client, upstream)
    client.on('error', () => upstream.destroy()).on('close', () => upstream.destroy())
    upstream.on('error', () => client.destroy()).on('close', () => client.destroy())
    client.pipe(upstream)
    upstream.on('data', (chunk) => {
      if (!state.isDeaf) client.write(chunk)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  open.push(async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address = server.address() as net.AddressInfo
  return {
    port: address.port,
    connections: () => made.length,
    deafen: () => {
      for (const state of made) state.isDeaf = true
    },
  }
}
