// Open pages hear of what webhooks change (docs/reference/domain.md#live-lists).
import { afterAll, beforeAll, beforeEach, it } from 'vitest'
import {
  aConversationId,
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
let heard: string[] = []

beforeAll(async () => {
  app = await TestApp.start()
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

function isAbout(payload: string, model: string, id: number): boolean {
  const told = JSON.parse(payload) as { model: string; ids: number[] }
  return told.model === model && told.ids.includes(id)
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
