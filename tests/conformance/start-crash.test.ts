// A delivery that was acknowledged is in the ledger after a crash, whenever the crash came
// (docs/decisions/0005-inbox.md).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../../src/database/database.ts'
import { sql } from '../../src/database/drizzle.ts'
import { openEmbedded } from '../../src/database/embedded/embedded.ts'
import { openServer } from '../../src/database/server/server.ts'
import { POST_CALL } from '../../src/voiceai/conversations/post-call.ts'
import { aConversationId, adoptSecret, aTranscript, sign } from '../fixtures/post-call.ts'
import { Place, ServiceProcess } from '../support/service-process.ts'
import { eventually } from '../support/test-app.ts'

const POOL = 3
/** A busy machine starts slowly, and what was left over is looked at every few seconds. */
const TEST_TIMEOUT_MS = 180_000

let place: Place

beforeAll(async () => {
  place = await Place.prepared()
})
afterAll(() => place.remove())

function openDatabase(): Promise<Database> {
  return place.databaseUrl === undefined ? openEmbedded(place.dataDir) : openServer(place.databaseUrl, POOL)
}

async function start(): Promise<ServiceProcess> {
  const service = await ServiceProcess.start({ ...place.env, LOG_LEVEL: 'fatal' })
  await adoptSecret((...asked) => service.call(place.localKey, ...asked))
  return service
}

function deliver(service: ServiceProcess, conversation: string): Promise<Response> {
  const body = JSON.stringify(aTranscript({ conversationId: conversation }))
  const headers = { 'voiceai-signature': sign(body), 'content-type': 'application/json' }
  return fetch(`${service.url}/connect_voiceai/post_call`, { method: 'POST', headers, body })
}

function callsOf(service: ServiceProcess, conversation: string): Promise<number> {
  const domain = [['voiceai_conversation_id', '=', conversation]]
  return service.call<number>(place.localKey, 'connect.call', 'search_count', { domain })
}

async function expectOneCall(service: ServiceProcess, conversation: string): Promise<void> {
  await eventually(async () => (await callsOf(service, conversation)) === 1)
  const recordings = { domain: [['sid', '=', conversation]] }
  expect(await service.call(place.localKey, 'connect.recording', 'search_count', recordings)).toBe(1)
}

describe('kill -9', { timeout: TEST_TIMEOUT_MS }, () => {
  it('right after the acknowledgement loses no conversation and logs none twice', async () => {
    const conversations = Array.from({ length: 20 }, aConversationId)
    let service = await start()
    const answers = await Promise.all(conversations.map((each) => deliver(service, each)))
    expect(answers.map((answer) => answer.status)).toEqual(conversations.map(() => 200))
    await service.stop('SIGKILL')
    service = await start()
    for (const conversation of conversations) await expectOneCall(service, conversation)
    // The platform did not hear of the crash, but may well deliver again.
    await Promise.all(conversations.map((each) => deliver(service, each)))
    for (const conversation of conversations) expect(await callsOf(service, conversation)).toBe(1)
    expect(await service.stop()).toBe(0)
  })

  it('before the work on it began leaves it to the next start', async () => {
    const conversation = aConversationId()
    const db = await openDatabase()
    await db.query(
      sql`insert into connect_inbox (kind, state, conversation, payload, received_at, attempts, next_attempt_at)
          values (${POST_CALL}, 'received', ${conversation}, ${JSON.stringify(aTranscript({ conversationId: conversation }))},
            now() at time zone 'utc', 0, now() at time zone 'utc')`,
    )
    await db.close()
    const service = await start()
    await expectOneCall(service, conversation)
    expect(await service.stop()).toBe(0)
  })

  it('between acknowledgement and work, while the ledger cannot be written, loses nothing', async ({ skip }) => {
    skip(place.databaseUrl === undefined, 'the embedded database cannot be locked from outside')
    const conversation = aConversationId()
    let service = await start()
    const db = await openDatabase()
    const release = Promise.withResolvers<void>()
    const locked = Promise.withResolvers<void>()
    const holding = db.transaction(async (tx) => {
      // A server ends a transaction of ours that does nothing; this one stands for another process that holds the table.
      await tx.query(sql`set local idle_in_transaction_session_timeout = 0`)
      await tx.query(sql`lock table connect_call in access exclusive mode`)
      locked.resolve()
      await release.promise
    })
    await locked.promise
    expect((await deliver(service, conversation)).status).toBe(200)
    await service.stop('SIGKILL')
    release.resolve()
    await holding
    expect(await db.query(sql`select 1 from connect_call where voiceai_conversation_id = ${conversation}`)).toEqual([])
    await db.close()
    service = await start()
    await expectOneCall(service, conversation)
    expect(await service.stop()).toBe(0)
  })
})
