// Questions that agents could not answer: found in what is delivered after a call, listed once, answered by a text.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../src/database/drizzle.ts'
import { aConversationId, aTranscript, callOf, deliver, useSecret } from '../fixtures/post-call.ts'
import { aVoiceAgent } from '../fixtures/records.ts'
import { type Caller, TestApp } from '../support/test-app.ts'

const QUESTION = 'connect.voiceai_question'
const FIELDS = ['agent', 'call', 'question', 'reply', 'why', 'times', 'state', 'answer']
const ASKED = 'Do you open on Sunday?'
const ADMITTED = "I'm sorry, I don't have that information."

let app: TestApp
let agent: number

beforeAll(async () => {
  app = await TestApp.start()
  await useSecret(app)
  agent = await aVoiceAgent(app, 'agent_1')
})
afterAll(() => app.stop())

async function talk(question = ASKED, reply = ADMITTED): Promise<string> {
  const conversationId = aConversationId()
  const transcript = [
    { role: 'agent', message: 'Hello!', time_in_call_secs: 0 },
    { role: 'user', message: question, time_in_call_secs: 2 },
    { role: 'agent', message: reply, time_in_call_secs: 4 },
  ]
  const body = JSON.stringify(aTranscript({ conversationId, data: { agent_id: 'agent_1', transcript } }))
  await deliver(app, body)
  await callOf(app, conversationId)
  return conversationId
}

const questions = (caller: Caller = app.admin) =>
  caller.ask<Record<string, unknown>[]>(QUESTION, 'search_read', { domain: [], fields: FIELDS })

test('a question that an agent admits not to know is listed once, with its last call', async () => {
  await talk()
  const last = await callOf(app, await talk('do you open on sunday'))
  expect(await questions()).toMatchObject([
    {
      agent: [agent, expect.any(String)],
      call: [last.id, expect.any(String)],
      question: 'do you open on sunday',
      reply: ADMITTED,
      why: 'admitted',
      times: 2,
      state: 'open',
      answer: null,
    },
  ])
})

test('a conversation without such a question, and a repeated delivery, list nothing', async () => {
  await talk('Where are you?', 'In the main street.')
  expect(await questions()).toHaveLength(1)
})

test('an answer is a text that the agent knows, and a question that is asked again is open again', async () => {
  const [question] = await questions()
  const { knowledge } = await app.admin.ask<{ knowledge: number }>(QUESTION, 'give_answer', {
    ids: [question?.id],
    answer: 'On Sunday we are closed.',
  })
  const [text] = await app.admin.ask<Record<string, unknown>[]>('connect.voiceai_knowledge', 'read', {
    ids: [knowledge],
    fields: ['name', 'kind', 'text', 'usage', 'agents'],
  })
  expect(text).toMatchObject({
    name: 'do you open on sunday',
    kind: 'text',
    text: 'do you open on sunday\n\nOn Sunday we are closed.',
    usage: 'prompt',
    agents: [agent],
  })
  expect(await questions()).toMatchObject([{ state: 'answered', answer: [knowledge, expect.any(String)] }])
  await talk()
  expect(await questions()).toMatchObject([{ state: 'open', times: 3 }])
})

test('a dismissed question stays dismissed, and its words go with the transcript', async () => {
  const [question] = await questions()
  await app.admin.ask(QUESTION, 'dismiss', { ids: [question?.id] })
  const conversation = await talk()
  expect(await questions()).toMatchObject([{ state: 'dismissed' }])
  await app.db.query(sql`update connect_recording set turns = null where sid = ${conversation}`)
  expect(await questions()).toMatchObject([{ question: null, reply: null }])
})

test('people see questions of their own calls only, and administrators alone answer them', async () => {
  const user = await app.person(['connect.group_user'])
  const [question] = await questions()
  expect(await questions(user)).toEqual([])
  const refused = await user.call(QUESTION, 'give_answer', { ids: [question?.id], answer: 'No.' })
  expect(refused.status).toBe(403)
  expect((await user.call('connect.voiceai_knowledge', 'create', { vals_list: { text: 'a' } })).status).toBe(403)
  expect(await user.ask('connect.voiceai_knowledge', 'search_count', { domain: [] })).toBe(1)
})
