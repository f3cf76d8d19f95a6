// Open pages hear of what webhooks change (docs/reference/domain.md#live-lists).
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { sql } from '../../src/database/drizzle.ts'
import { setCallPrice, setCallSummary } from '../../src/ledger/calls/call-updates.ts'
import { beginRecordingTurn, refreshRecordingState, setRecordingState } from '../../src/ledger/legs/recording-state.ts'
import {
  aConversationId,
  aFailure,
  anAudio,
  aTranscript,
  callOf,
  deliver,
  recordingsOf,
  useSecret,
} from '../fixtures/post-call.ts'
import { aCall, aSid, aVoiceAgent } from '../fixtures/records.ts'
import { INITIATION } from '../fixtures/routes.ts'
import { eventually, TestApp } from '../support/test-app.ts'

let app: TestApp
/** As what the service changes by itself. */
let service: { db: TestApp['db']; identity: { userId: number } }
let heard: string[] = []

beforeAll(async () => {
  app = await TestApp.start()
  service = { db: app.db, identity: { userId: 0 } }
  await useSecret(app)
  await app.db.listen('connect_records', (payload) => heard.push(payload))
})
beforeEach(() => {
  heard = []
})
afterAll(() => app.stop())

async function expectHeard(model: string, id: number): Promise<void> {
  await eventually(async () => heard.some((payload) => isAbout(payload, model, id)))
}

interface Told {
  model: string
  ids: number[] | null
  gone?: true
  calls?: number[]
}

function isAbout(payload: string, model: string, id: number): boolean {
  const told = JSON.parse(payload) as Told
  return told.model === model && told.ids?.includes(id) === true
}

function hear(fits: (told: Told) => boolean): Promise<Told> {
  return eventually(async () => heard.map((payload) => JSON.parse(payload) as Told).find(fits))
}

it('a ticket that the agent creates, and its call', async () => {
  const call = await aCall(app)
  heard = []
  const answer = await app.tool('/connect_voiceai_helpdesk/create_ticket', { call_id: call, subject: 'Leak' })
  const { ticket_id: ticket } = answer.body as { ticket_id: number }
  await expectHeard('helpdesk.ticket', ticket)
  await expectHeard('connect.call', call)
  heard = []
  await app.tool('/connect_voiceai_helpdesk/update_ticket', { ticket_id: ticket, priority: '2' })
  await expectHeard('helpdesk.ticket', ticket)
})

it('a call that an agent takes', async () => {
  await aVoiceAgent(app, 'agent_live')
  const sid = aSid()
  const call = await aCall(app, { sid })
  heard = []
  await app.tool(INITIATION, { call_sid: sid, agent_id: 'agent_live' })
  await expectHeard('connect.call', call)
})

it('the call and the recording of a conversation, and its audio', async () => {
  const conversationId = aConversationId()
  await deliver(app, aTranscript({ conversationId }))
  const { id } = await callOf(app, conversationId)
  const [recording] = await recordingsOf(app, conversationId)
  await expectHeard('connect.call', id)
  await expectHeard('connect.recording', recording?.id ?? 0)
  heard = []
  await deliver(app, anAudio(conversationId, Buffer.from('sound')))
  await expectHeard('connect.recording', recording?.id ?? 0)
})

it('the call of a conversation that never began, and that took place after all', async () => {
  const conversationId = aConversationId()
  await deliver(app, aFailure(conversationId))
  const { id } = await callOf(app, conversationId)
  heard = []
  await deliver(app, aTranscript({ conversationId }))
  await expectHeard('connect.call', id)
})

it('a post, and the record that it is on', async () => {
  const ticket = await app.admin.ask<number>('helpdesk.ticket', 'create', { vals_list: { name: 'Leak' } })
  heard = []
  const post = await app.admin.ask<number>('helpdesk.ticket', 'message_post', { ids: [ticket], body: 'On it.' })
  await expectHeard('mail.message', post)
  await expectHeard('helpdesk.ticket', ticket)
})

it('deliveries that were logged, with the calls they are about, and a stored one that was worked on', async () => {
  const call = await aCall(app)
  await app.tool('/connect_voiceai_helpdesk/create_ticket', { call_id: call, subject: 'Leak' })
  const logged = await hear(({ model, calls }) => model === 'connect.delivery' && calls?.includes(call) === true)
  expect(logged.ids?.length).toBeGreaterThan(0)
  heard = []
  await deliver(app, aTranscript({ conversationId: aConversationId() }))
  const stored = await hear(({ model }) => model === 'connect.inbox')
  heard = []
  await app.admin.ask('connect.inbox', 'replay', { ids: stored.ids })
  await expectHeard('connect.inbox', stored.ids?.[0] ?? 0)
})

it('the price of a call, and its summary', async () => {
  const call = await aCall(app)
  heard = []
  await setCallPrice(app.db, call, { amount: -0.02, unit: 'USD' })
  await expectHeard('connect.call', call)
  heard = []
  await setCallSummary(service, sql`${call}::bigint`, 'The boiler leaks.')
  await expectHeard('connect.call', call)
})

it('a leg whose recording is started, with its call', async () => {
  const call = await aCall(app)
  const leg = await app.admin.ask<number>('connect.channel', 'create', { vals_list: { sid: aSid(), call } })
  for (const act of [
    () => beginRecordingTurn(service, leg, 'starting'),
    () => setRecordingState(service, { id: leg, state: 'on', ref: 'RE1' }),
    () => refreshRecordingState(service, { id: leg, state: 'off', ref: null }),
  ]) {
    heard = []
    await act()
    // The leg's own row may only now be heard of: that names no call.
    const told = await hear(({ model, calls }) => model === 'connect.channel' && calls !== undefined)
    expect(told).toMatchObject({ ids: [leg], calls: [call] })
  }
})

it('a record that is gone is said to be gone', async () => {
  const id = await app.admin.ask<number>('res.partner', 'create', { vals_list: { name: 'Zoe' } })
  heard = []
  await app.admin.ask('res.partner', 'unlink', { ids: [id] })
  // Its creation may only now be heard of.
  const told = await hear(({ model, gone }) => model === 'res.partner' && gone === true)
  expect(told).toEqual({ model: 'res.partner', ids: [id], gone: true })
})
