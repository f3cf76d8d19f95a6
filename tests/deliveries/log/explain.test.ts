import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { useSecret } from '../../fixtures/post-call.ts'
import { ACCOUNT_SID, AUTH_TOKEN, aVoiceRequest, sendTelco, setUpTelco } from '../../support/telco.ts'
import { eventually, TestApp } from '../../support/test-app.ts'

const TOOLS = [
  ...['conversation_initiation', 'transfer', 'create_partner', 'get_available_slots', 'create_event'],
  ...['get_current_date', 'get_meetings', 'remove_meeting'],
].map((name) => `/connect_voiceai/${name}`)
const HELPDESK_TOOLS = ['create_ticket', 'update_ticket', 'fetch_ticket', 'search_tickets', 'ticket_activity'].map(
  (name) => `/connect_voiceai_helpdesk/${name}`,
)
const TELCO = [
  ...['callstatus', 'callaction', 'connect.user/call_action/1', 'number', 'markup/1', 'callflow/1/gather', 'domain'],
  ...['recordingstatus', 'vm_recordingstatus', 'message', 'message_status', 'outgoing_callerid'],
].map((name) => `/telco/webhook/${name}`)
const POST_CALL = '/connect_voiceai/post_call'

let app: TestApp
let minute = 0

beforeAll(async () => {
  // A minute for each rejection, so that none finds the budget for explanations spent.
  app = await TestApp.start({ clock: () => new Date(Date.now() + minute * 60_000) })
  await setUpTelco(app)
  await useSecret(app, 'the secret of the webhook')
})
afterAll(() => app.stop())

it('there are 26 routes', () => {
  expect(new Set([...TOOLS, ...HELPDESK_TOOLS, ...TELCO, POST_CALL]).size).toBe(26)
})

it.each([...TOOLS, ...HELPDESK_TOOLS])('%s with a wrong token names the token and its setting', async (target) => {
  minute += 1
  await app.post(target, {}, { 'x-voiceai-agent-token': 'another token of the agent' })
  const { reason, sentence } = await lastRejected()
  expect(sentence).toContain('The agent token is not the one in the settings')
  expect(sentence).toContain('Sync with ElevenLabs')
  expect(sentence.endsWith(reason)).toBe(true)
  await app.post(target, {}, {})
  expect((await lastRejected()).sentence).toContain('The header x-voiceai-agent-token is missing')
})

it.each(TELCO)('%s signed with another Auth Token names the token, and not https', async (target) => {
  minute += 1
  const headers = { 'x-forwarded-proto': 'https' }
  await sendTelco(app, target, aVoiceRequest(), { token: 'another token', headers })
  const { reason, sentence } = await lastRejected()
  expect(sentence).toContain(`The Auth token in the settings does not belong to account ${ACCOUNT_SID}`)
  expect(sentence).toContain('Twilio calls another address than https://')
  expect(sentence).toContain(reason)
})

it('a token with which something was accepted is not the suspect, and one with which nothing was is', async () => {
  minute += 1
  await app.admin.ask('connect.settings', 'write', { ids: [1], vals: { auth_token: 'a token that is entered now' } })
  const headers = { 'x-forwarded-proto': 'https' }
  const target = '/telco/webhook/callstatus'
  await sendTelco(app, target, aVoiceRequest(), { token: 'another token', headers })
  expect((await lastRejected()).sentence).toContain('the Auth token is probably wrong')
  minute += 1
  await sendTelco(app, target, aVoiceRequest(), { token: 'a token that is entered now', headers })
  await sendTelco(app, target, aVoiceRequest(), { token: 'another token', headers })
  expect((await lastRejected()).sentence).toMatch(
    /Webhook \d+ was accepted with this Auth token, so this one is probably not from Twilio/,
  )
  await app.admin.ask('connect.settings', 'write', { ids: [1], vals: { auth_token: AUTH_TOKEN } })
})

it.each(TELCO.slice(0, 2))('%s signed for another host names the host', async (target) => {
  minute += 1
  const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'phone.example.com' }
  await sendTelco(app, target, aVoiceRequest(), { url: `https://phone.example.com${target}`, headers })
  const { reason, sentence } = await lastRejected()
  expect(sentence).toMatch(/Twilio calls phone\.example\.com, but the public address is pbx\.example\.com/)
  expect(sentence.endsWith(reason)).toBe(true)
})

it('a delivery over plain http is rejected for want of https, and its explanation says that first and then what is wrong besides', async () => {
  minute += 1
  await sendTelco(app, '/telco/webhook/callstatus', aVoiceRequest(), { token: 'another token' })
  const { reason, sentence } = await lastRejected()
  expect(reason).toMatch(
    /^Telco requires HTTPS to be setup! The request came over plain http, .*\(X-Forwarded-Proto\)\.$/,
  )
  expect(sentence).toMatch(/^With the current settings: Telco requires HTTPS .* The Auth token in the settings/)
  expect(sentence).toContain(reason)
  minute += 1
  await app.post('/telco/webhook/callstatus', 'CallSid=CA1', { 'content-type': 'application/x-www-form-urlencoded' })
  const unsigned = await lastRejected()
  expect(unsigned.sentence).toContain(`${unsigned.reason} The request has no signature.`)
})

it.each([
  ['another secret', 0, 'does not match the post-call webhook secret'],
  ['the secret of the webhook', -45, 'The signed time is 45 minutes before the clock here'],
  ['the secret of the webhook', 45, 'The signed time is 45 minutes after the clock here'],
])('%s in post_call, signed %i minutes off', async (secret, minutes, sentence) => {
  minute += 1
  const seconds = Math.floor((Date.now() + (minute + minutes) * 60_000) / 1_000)
  const body = '{"type":"post_call_transcription","data":{}}'
  const digest = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')
  expect((await app.post(POST_CALL, body, { 'elevenlabs-signature': `t=${seconds},v0=${digest}` })).status).toBe(401)
  const last = await lastRejected()
  expect(last.sentence).toContain(sentence)
  expect(last.reason).toBe(last.sentence)
})

it('a burst of rejections is logged whole, and each can be explained later', async () => {
  minute += 1
  const target = '/telco/webhook/callstatus?burst=1'
  for (let at = 0; at < 70; at += 1) await sendTelco(app, target, aVoiceRequest(), { token: 'another token' })
  const rows = await eventually(async () => {
    const found = await app.admin.ask<{ id: number }[]>('connect.delivery', 'search_read', {
      domain: [['target', '=', target]],
      fields: ['reason'],
    })
    return found.length === 70 ? found : undefined
  })
  for (const { id } of rows) expect((await explain(id)).sentence).toContain('does not belong to account')
})

it('what was let in is explained too, and what is not there is refused', async () => {
  await sendTelco(app, '/telco/webhook/callstatus?good=1', aVoiceRequest())
  const [good] = await eventually(async () => {
    const found = await app.admin.ask<{ id: number }[]>('connect.delivery', 'search_read', {
      domain: [['target', 'ilike', 'good=1']],
    })
    return found.length > 0 ? found : undefined
  })
  expect((await explain(good?.id ?? 0)).sentence).toContain('accepted')
  expect((await app.admin.call('connect.delivery', 'explain', { ids: [4_711] })).status).toBe(404)
})

let seen = 0

async function lastRejected(): Promise<{ reason: string; sentence: string }> {
  const { id, reason } = await eventually(async () => {
    const [row] = await app.admin.ask<{ id: number; reason: string }[]>('connect.delivery', 'search_read', {
      domain: [
        ['verdict', '=', 'rejected'],
        ['id', '>', seen],
      ],
      fields: ['reason'],
      limit: 1,
    })
    return row
  })
  seen = id
  return { reason, ...(await explain(id)) }
}

function explain(id: number): Promise<{ sentence: string }> {
  return app.admin.ask('connect.delivery', 'explain', { ids: [id] })
}
