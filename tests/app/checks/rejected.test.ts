// What the checks say of webhooks that were rejected: whether a setting is wrong, or a stranger tried.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Installed } from '../../../src/app/checks/finding.ts'
import { REJECTED_CHECK } from '../../../src/app/checks/rejected.ts'
import { readSettings } from '../../../src/app/own-api/connection.ts'
import { sql } from '../../../src/database/drizzle.ts'
import { aConversationId, aTranscript, deliver, sign, useSecret } from '../../fixtures/post-call.ts'
import { AUTH_TOKEN, aVoiceRequest, sendTelco, setUpTelco } from '../../support/telco.ts'
import { TestApp } from '../../support/test-app.ts'

const STATUS = '/telco/webhook/callstatus'
const POST_CALL = '/connect_voiceai/post_call'
const HTTPS = { 'x-forwarded-proto': 'https' }
const LOOK = 'connect deliveries list --rejected; connect deliveries explain <id> says whether a setting is wrong.'
const NOTHING = 'Others of the same kind were accepted with the same settings, so nothing has to be changed.'

let app: TestApp

beforeAll(async () => {
  app = await TestApp.start()
  await setUpTelco(app)
  await useSecret(app)
})
beforeEach(async () => {
  await app.app.deliveries.drained()
  await app.db.query(sql`delete from connect_delivery`)
})
afterAll(() => app.stop())

async function found() {
  await app.app.deliveries.drained()
  const connection = {
    call: <Result>(model: string, name: string, args?: object) => app.admin.ask<Result>(model, name, args),
  }
  return REJECTED_CHECK.look({ connection, settings: await readSettings<Installed>(connection) })
}

function note(count: number, fix: string) {
  const whose = fix === NOTHING ? ', not from the provider' : ''
  return { result: 'note', finding: `${count} in the last hour${whose}`, fix }
}

const forged = () => sendTelco(app, STATUS, aVoiceRequest(), { token: 'made up', headers: HTTPS })

it('nothing was rejected', async () => {
  expect(await found()).toMatchObject([{ result: 'ok', finding: 'none in the last hour' }])
})

it('a forged telephony webhook leads to no setting where the provider is let in', async () => {
  await sendTelco(app, STATUS, aVoiceRequest(), { headers: HTTPS })
  await forged()
  await app.post(STATUS, 'CallSid=CA1', { 'content-type': 'application/x-www-form-urlencoded' })
  expect(await found()).toEqual([note(2, NOTHING)])
})

it('where nobody was let in, or only the checks themselves, a setting may be wrong', async () => {
  await forged()
  expect(await found()).toEqual([note(1, LOOK)])
  await sendTelco(
    app,
    '/telco/webhook/callaction',
    { CallSid: 'CA00000000000000000000000000000077' },
    { headers: HTTPS },
  )
  expect(await found()).toEqual([note(1, LOOK)])
})

it('what was let in before the token was changed says nothing of the new one', async () => {
  await sendTelco(app, STATUS, aVoiceRequest(), { headers: HTTPS })
  await app.app.deliveries.drained()
  await app.db.query(sql`update connect_delivery set received_at = received_at - interval '2 minutes'`)
  await app.admin.ask('connect.settings', 'write', {
    ids: [1],
    vals: { auth_token: 'another one of 32 characters....' },
  })
  await sendTelco(app, STATUS, aVoiceRequest(), { headers: HTTPS })
  expect(await found()).toEqual([note(1, LOOK)])
  await app.admin.ask('connect.settings', 'write', { ids: [1], vals: { auth_token: AUTH_TOKEN } })
})

it('one that the provider has signed for another address leads to the setting, whatever else is let in', async () => {
  await sendTelco(app, STATUS, aVoiceRequest(), { headers: HTTPS })
  await forged()
  await sendTelco(app, STATUS, aVoiceRequest(), {
    url: `https://phone.example.com${STATUS}`,
    headers: { ...HTTPS, 'x-forwarded-host': 'phone.example.com' },
  })
  expect(await found()).toEqual([note(2, LOOK)])
})

it('forged reports of conversations and tools are judged by their own kind', async () => {
  await sendTelco(app, STATUS, aVoiceRequest(), { headers: HTTPS })
  const body = '{"type":"post_call_transcription","data":{}}'
  const made = () => app.post(POST_CALL, body, { 'elevenlabs-signature': sign(body, { secret: 'made up' }) })
  expect((await made()).status).toBe(401)
  expect(await found()).toEqual([note(1, LOOK)])
  await deliver(app, aTranscript({ conversationId: aConversationId() }))
  expect(await found()).toEqual([note(1, NOTHING)])
  await app.post('/connect_voiceai/get_current_date', {}, { 'x-voiceai-agent-token': 'made up' })
  // Each kind says what is so of it.
  expect(await found()).toEqual([note(1, LOOK), note(1, NOTHING)])
})
