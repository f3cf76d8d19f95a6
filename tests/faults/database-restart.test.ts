// A PostgreSQL server that crashes and comes back under load: nothing acknowledged is lost, nothing is done twice, and
// nobody hears of an internal error.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aConversationId, adoptSecret, aTranscript, sign } from '../fixtures/post-call.ts'
import { SERVER_URL } from '../support/database.ts'
import { findPostgresBinaries, type PostgresServer, startPostgres } from '../support/postgres-server.ts'
import { ServiceProcess } from '../support/service-process.ts'
import { eventually } from '../support/test-app.ts'

const DELIVERIES = 120
const AT_ONCE = 6
const RESTARTS = 2
const PATIENCE_MS = 90_000
const TEST_TIMEOUT_MS = 300_000
const NOT_HERE = 'needs a PostgreSQL server of its own, and runs with the tests on PostgreSQL'

let server: PostgresServer | undefined
let service: ServiceProcess
let dataDir: string
let key: string

beforeAll(async () => {
  if (SERVER_URL === undefined || findPostgresBinaries() === undefined) return
  server = await startPostgres()
  dataDir = mkdtempSync(path.join(os.tmpdir(), 'connect-restart-'))
  const env = { DATA_DIR: dataDir, DATABASE_URL: server.url, LOG_LEVEL: 'fatal' }
  service = await ServiceProcess.start(env)
  key = readFileSync(path.join(dataDir, 'local-admin.key'), 'utf8').trim()
  await adoptSecret((...asked) => service.call(key, ...asked))
}, TEST_TIMEOUT_MS)
afterAll(async () => {
  if (server === undefined) return
  await service.stop('SIGKILL')
  await server.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

describe('a server that crashes and comes back', { timeout: TEST_TIMEOUT_MS }, () => {
  it('loses no delivery, logs none twice, and turns no caller away with an internal error', async ({ skip }) => {
    skip(server === undefined, NOT_HERE)
    const conversations = Array.from({ length: DELIVERIES }, aConversationId)
    const waiting = [...conversations]
    const statuses = { deliveries: new Set<number>(), api: new Set<number>() }
    let isOver = false
    const deliveries = Array.from({ length: AT_ONCE }, async () => {
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
        statuses.deliveries.add(await deliver(next))
      }
    })
    const reading = (async () => {
      while (!isOver) statuses.api.add(await read())
    })()
    for (let restart = 0; restart < RESTARTS; restart += 1) {
      const before = waiting.length
      await eventually(
        async () => waiting.length < before - DELIVERIES / (RESTARTS * 4) || waiting.length === 0,
        PATIENCE_MS,
      )
      await server?.restart()
    }
    await Promise.all(deliveries)
    isOver = true
    await reading
    expect([...statuses.deliveries]).toEqual([200])
    expect([...statuses.api].filter((status) => status !== 200 && status !== 503)).toEqual([])

    await eventually(async () => (await fetch(`${service.url}/readyz`)).status === 200, PATIENCE_MS)
    const domain = [['voiceai_conversation_id', 'in', conversations]]
    const count = () => service.call<number>(key, 'connect.call', 'search_count', { domain })
    await eventually(async () => (await count()) === DELIVERIES, PATIENCE_MS)
    const recordings = { domain: [['sid', 'in', conversations]] }
    expect(await service.call(key, 'connect.recording', 'search_count', recordings)).toBe(DELIVERIES)
    const spool = path.join(dataDir, 'spool')
    await eventually(async () => listFolder(spool).length === 0, PATIENCE_MS)
    expect(await count()).toBe(DELIVERIES)
  })

  it('a crash of the server is noticed by what a process keeps in memory: changes are heard again', async ({
    skip,
  }) => {
    skip(server === undefined, NOT_HERE)
    const second = await ServiceProcess.start({
      DATA_DIR: dataDir,
      DATABASE_URL: server?.url ?? '',
      LOG_LEVEL: 'fatal',
    })
    const [id] = await service.call<number[]>(key, 'connect.settings', 'search')
    await server?.restart()
    await eventually(async () => {
      const replies = await Promise.all([service, second].map(({ url }) => fetch(`${url}/readyz`)))
      return replies.every((reply) => reply.ok)
    }, PATIENCE_MS)
    await service.call(key, 'connect.settings', 'write', {
      ids: [id],
      vals: { voiceai_agent_token: 'after the crash' },
    })
    const headers = { 'x-voiceai-agent-token': 'after the crash', 'content-type': 'application/json' }
    const ask = async () => {
      const address = `${second.url}/connect_voiceai/get_current_date`
      return (await fetch(address, { method: 'POST', headers, body: '{}' })).status
    }
    await eventually(async () => (await ask()) === 200, PATIENCE_MS)
    expect(await second.stop()).toBe(0)
  })

  it('stops cleanly after all that', async ({ skip }) => {
    skip(server === undefined, NOT_HERE)
    expect(await service.stop()).toBe(0)
  })
})

async function deliver(conversation: string): Promise<number> {
  const body = JSON.stringify(aTranscript({ conversationId: conversation }))
  const headers = { 'voiceai-signature': sign(body), 'content-type': 'application/json' }
  return (await fetch(`${service.url}/connect_voiceai/post_call`, { method: 'POST', headers, body })).status
}

async function read(): Promise<number> {
  const headers = { authorization: `bearer ${key}`, 'content-type': 'application/json' }
  const address = `${service.url}/json/2/connect.call/search_count`
  return (await fetch(address, { method: 'POST', headers, body: '{}' })).status
}

function listFolder(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
