// What the log says of a delivery beside its verdict: which call it is about, which tool with what time-out, and where it is stored.

import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { useSecret } from '../../fixtures/post-call.ts'
import { aVoiceRequest, sendTelco, setUpTelco } from '../../support/telco.ts'
import { eventually, TestApp } from '../../support/test-app.ts'

const SECRET = 'the secret of the webhook'
const MS_PER_SECOND = 1_000

interface Logged {
  id: number
  call_ref: number | null
  tool: string | null
  budget_ms: number | null
  inbox: number | null
  received_at: string
  verdict: string
}

let app: TestApp
let call: number
const form = aVoiceRequest()

beforeAll(async () => {
  app = await TestApp.start()
  await setUpTelco(app)
  await useSecret(app, SECRET)
  await sendTelco(app, '/telco/webhook/callstatus', { ...form, CallStatus: 'in-progress' })
  call = (await logged('/telco/webhook/callstatus')).call_ref ?? 0
  expect(call).toBeGreaterThan(0)
})
afterAll(() => app.stop())

function logged(route: string): Promise<Logged> {
  return eventually(async () => {
    const [row] = await app.admin.ask<Logged[]>('connect.delivery', 'search_read', {
      domain: [['route', '=', route]],
      fields: ['call_ref', 'tool', 'budget_ms', 'inbox', 'received_at', 'verdict'],
      limit: 1,
    })
    return row
  })
}

it.each([
  ['calendar_get_current_date', '/connect_voiceai/get_current_date', {}],
  ['calendar_get_available_slots', '/connect_voiceai/get_available_slots', { user_id: 1 }],
  ['helpdesk_fetch_ticket', '/connect_voiceai_helpdesk/fetch_ticket', { ticket_id: 4_711 }],
])(
  '%s is logged with the call that the platform names in its header, and with its time-out',
  async (tool, target, body) => {
    await app.tool(target, body, { 'x-connect-call': String(call) })
    const row = await logged(target)
    expect(row).toMatchObject({ call_ref: call, budget_ms: expect.any(Number) })
    expect(row.tool).toBe(tool)
    expect(row.budget_ms).toBeGreaterThanOrEqual(5_000)
  },
)

it('a tool that was pushed with another time-out is logged with that one', async () => {
  const [tool] = await app.admin.ask<{ id: number }[]>('connect.voiceai_agent_tool', 'search_read', {
    domain: [['path', 'ilike', 'get_meetings']],
    fields: ['id'],
  })
  await app.admin.ask('connect.voiceai_agent_tool', 'write', { ids: [tool?.id], vals: { response_timeout_secs: 7 } })
  await app.db.script(`update connect_voiceai_agent_tool set tool_id = 'tool_1' where id = ${tool?.id}`)
  await app.admin.ask('connect.voiceai_agent_tool', 'write', { ids: [tool?.id], vals: { description: 'Meetings.' } })
  await eventually(async () => {
    await app.tool('/connect_voiceai/get_meetings', { partner_id: 1 }, { 'x-connect-call': String(call) })
    return (await logged('/connect_voiceai/get_meetings')).budget_ms === 7 * MS_PER_SECOND || undefined
  })
})

it.each(['recordingstatus', 'vm_recordingstatus', 'callaction'])(
  '%s is logged with the call of its leg, by its SID',
  async (name) => {
    const target = `/telco/webhook/${name}`
    await sendTelco(app, target, { ...form, RecordingSid: `RE${'a'.repeat(32)}`, RecordingStatus: 'in-progress' })
    expect(await logged(target)).toMatchObject({ call_ref: call, verdict: 'handled' })
  },
)

it('a post_call body is logged with its row of the inbox', async () => {
  const body = JSON.stringify({ type: 'post_call_transcription', data: { conversation_id: 'conv_facts' } })
  const seconds = Math.floor(Date.now() / MS_PER_SECOND)
  const digest = createHmac('sha256', SECRET).update(`${seconds}.${body}`).digest('hex')
  const answer = await app.post('/connect_voiceai/post_call', body, {
    'voiceai-signature': `t=${seconds},v0=${digest}`,
  })
  expect(answer.status).toBe(200)
  const { inbox } = await logged('/connect_voiceai/post_call')
  const [stored] = await app.admin.ask<{ conversation: string }[]>('connect.inbox', 'read', { ids: [inbox] })
  expect(stored?.conversation).toBe('conv_facts')
})

it('the moment it came has its milliseconds, and the verdict is one of four', async () => {
  const { received_at: at } = await logged('/telco/webhook/callstatus')
  expect(at).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}$/)
  const { verdict } = await app.admin.ask<{ verdict: { type: string; selection: [string, string][] } }>(
    'connect.delivery',
    'fields_get',
    { allfields: ['verdict'] },
  )
  expect(verdict.selection.map(([value]) => value)).toEqual(['handled', 'refused', 'rejected', 'failed'])
})

it('what is wrong with a header that holds no signature is said the same in the log and when it is explained', async () => {
  const target = '/telco/webhook/callstatus?malformed=1'
  await app.request(target, {
    method: 'POST',
    headers: {
      'x-twilio-signature': 'not a signature',
      'content-type': 'application/x-www-form-urlencoded',
      'x-forwarded-proto': 'https',
    },
    body: new URLSearchParams(form).toString(),
  })
  const [row] = await eventually(async () => {
    const found = await app.admin.ask<{ id: number; reason: string }[]>('connect.delivery', 'search_read', {
      domain: [['target', '=', target]],
      fields: ['reason'],
    })
    return found.length > 0 ? found : undefined
  })
  const { sentence } = await app.admin.ask<{ sentence: string }>('connect.delivery', 'explain', { ids: [row?.id] })
  expect(row?.reason).toContain('holds no signature')
  expect(sentence).toBe(`With the current settings: ${row?.reason}`)
})
