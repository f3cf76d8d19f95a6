// A storm of callbacks, shuffled and repeated, on a service that is killed, or that loses its database, in the middle.
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { sql } from '../../src/database/drizzle.ts'
import { SERVER_URL } from '../support/database.ts'
import { Place, ServiceProcess } from '../support/service-process.ts'
import { ACCOUNT_SID, AUTH_TOKEN, type Fields, PUBLIC_URL, sendSigned, setUpTelco } from '../support/telco.ts'
import { callback, requestOf } from '../support/telco-office.ts'
import { eventually, TestApp } from '../support/test-app.ts'

const CLIENTS = 20
const SMALL_STORM = { calls: 100, callbacks: 800 }
/** The embedded engine does one thing at a time, so that more of them show nothing more there. */
const STORM = SERVER_URL === undefined ? SMALL_STORM : { calls: 500, callbacks: CLIENTS * 200 }
const TARGET = '/telco/webhook/callstatus'
const PAUSE_MS = 20

/** Counts records over the API. */
type Count = (model: string, domain: readonly unknown[]) => Promise<number>

const stops: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

describe('a storm of callbacks', () => {
  it(`a storm of callbacks of ${CLIENTS} clients on a service that is killed and restarted leaves exactly the rows of ${STORM.calls} calls`, async () => {
    const place = await Place.prepared()
    stops.push(() => place.remove())
    const start = async (): Promise<ServiceProcess> => {
      const started = await ServiceProcess.start(place.env)
      stops.push(() => started.stop())
      return started
    }
    let service = await start()
    const vals = { auth_token: AUTH_TOKEN, account_sid: ACCOUNT_SID, api_url: PUBLIC_URL }
    await service.call(place.localKey, 'connect.settings', 'write', { ids: [1], vals })
    let acknowledged = 0
    let restarted: Promise<void> | undefined
    const killAndRestart = async (): Promise<void> => {
      await service.stop('SIGKILL')
      service = await start()
    }
    await deliverAll(callbacksOf(STORM), async (fields) => {
      await restarted
      const status = await sendSigned(service.url, TARGET, fields)
      acknowledged += 1
      if (acknowledged === STORM.callbacks / 2) restarted = killAndRestart()
      return status === 200
    })
    expect(restarted).toBeDefined()
    const count: Count = (model, domain) => service.call(place.localKey, model, 'search_count', { domain })
    await expectWorkedOn(count, [place.dataDir])
    await expectLedger(count, STORM.calls)
  }, 240_000)

  it('a storm of callbacks through two processes whose connections to the database are cut leaves exactly the same', async (context) => {
    context.skip(SERVER_URL === undefined, 'the embedded database serves one process')
    const app = await TestApp.start()
    stops.push(() => app.stop())
    await setUpTelco(app)
    const second = await TestApp.start({ sharesDatabaseOf: app })
    stops.push(() => second.stop())
    let turn = 0
    await deliverAll(callbacksOf(SMALL_STORM), async (fields) => {
      turn += 1
      if (turn === SMALL_STORM.callbacks / 2) await cutConnections(app)
      const status = await sendSigned((turn % 2 === 0 ? app : second).url, TARGET, fields)
      return status === 200
    })
    const count: Count = (model, domain) => app.admin.ask(model, 'search_count', { domain })
    await expectWorkedOn(count, [app.config.dataDir, second.config.dataDir])
    await expectLedger(count, SMALL_STORM.calls)
  }, 120_000)
})

/** As when the server is restarted: every connection of this database ends, also those in a transaction. */
async function cutConnections(app: TestApp): Promise<void> {
  await app.db
    .query(sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()`)
    .catch(() => undefined)
}

/** Two legs of each call, six callbacks, and some of them again, in an order of their own. */
function callbacksOf({ calls, callbacks }: { calls: number; callbacks: number }): Fields[] {
  const random = randomFrom(42)
  const all: Fields[] = []
  for (let call = 0; call < calls; call += 1) {
    const root = { sid: `CA${call}-root` }
    const child = { sid: `CA${call}-child`, parent: root.sid, direction: 'outbound-dial' as const, to: '+14155550177' }
    const ended = { sequence: 3, seconds: 40, CallDuration: '37' }
    all.push(requestOf(root), callback(root, 'completed', ended))
    all.push(callback(child, 'initiated'), callback(child, 'ringing', { sequence: 1, seconds: 1 }))
    all.push(callback(child, 'in-progress', { sequence: 2, seconds: 3 }), callback(child, 'completed', ended))
  }
  while (all.length < callbacks) all.push(all[Math.floor(random() * all.length)] ?? {})
  return all
    .map((fields) => ({ fields, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ fields }) => fields)
}

/** Every callback until the service has acknowledged it, as the provider repeats those that it could not deliver. */
async function deliverAll(waiting: Fields[], send: (fields: Fields) => Promise<boolean>): Promise<void> {
  const client = async (): Promise<void> => {
    for (let fields = waiting.pop(); fields !== undefined; fields = waiting.pop()) {
      const isDelivered = await send(fields).catch(() => false)
      if (!isDelivered) {
        waiting.unshift(fields)
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
      }
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
}

/** What was acknowledged while the database was away waits on disk first, and is worked on a little later. */
async function expectWorkedOn(count: Count, dataDirs: readonly string[]): Promise<void> {
  const isLeft = [['state', 'in', ['received', 'failed', 'dead']]]
  const spools = dataDirs.map((folder) => path.join(folder, 'spool')).filter((folder) => existsSync(folder))
  await eventually(
    async () =>
      spools.every((folder) => readdirSync(folder).length === 0) && (await count('connect.inbox', isLeft)) === 0,
  )
}

async function expectLedger(count: Count, calls: number): Promise<void> {
  const isRight = [
    ['status', '=', 'completed'],
    ['duration', '=', 37],
  ]
  const [incoming, dialled] = [[['parent_channel', '=', null]], [['parent_channel', '!=', null]]]
  expect({
    calls: await count('connect.call', []),
    right: await count('connect.call', [...isRight, ['direction', '=', 'incoming'], ['called', '=', '+14155550199']]),
    legs: await count('connect.channel', []),
    first: await count('connect.channel', [...isRight, ...incoming, ['call', '!=', null]]),
    dialled: await count('connect.channel', [...isRight, ...dialled, ['call', '!=', null]]),
  }).toEqual({ calls, right: calls, legs: 2 * calls, first: calls, dialled: calls })
}

function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}
