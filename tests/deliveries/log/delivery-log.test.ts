import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../../src/database/drizzle.ts'
import { withoutTable } from '../../fixtures/database-trouble.ts'
import {
  aConversationId,
  aTranscript,
  callOf,
  deliver,
  SECRET,
  useSecret,
  writeSettings,
} from '../../fixtures/post-call.ts'
import { aCall, aPartner } from '../../fixtures/records.ts'
import { INITIATION, POST_CALL } from '../../fixtures/routes.ts'
import { TestApp } from '../../support/test-app.ts'

const TOKEN = 'x-voiceai-agent-token'

let app: TestApp

beforeAll(async () => {
  app = await TestApp.start()
  await useSecret(app)
})
afterAll(() => app.stop())

interface Logged {
  id: number
  area: string
  route: string
  verdict: string
  reason: string | null
  status: number
  ms: number
  received_at: string
  call_ref: number | null
  conversation: string | null
  call_sid: string | null
  target: string
  headers: Record<string, string>
  body: string
  body_bytes: number
  reply: string
}

/** The newest rows of the log, as an administrator reads them. */
async function lastLogged(count = 1): Promise<Logged[]> {
  await app.app.deliveries.drained()
  const ids = await app.admin.ask<number[]>('connect.delivery', 'search', { limit: count, order: 'id desc' })
  const fields = [
    'area',
    'route',
    'verdict',
    'reason',
    'status',
    'ms',
    'received_at',
    'call_ref',
    'conversation',
    'call_sid',
    'target',
    'headers',
    'body',
    'body_bytes',
    'reply',
  ]
  const rows = await app.admin.ask<Logged[]>('connect.delivery', 'read', { ids, fields })
  return rows.toReversed()
}

describe('every delivery is logged', () => {
  it('a tool that was handled, with all there is to know of it', async () => {
    const call = await aCall(app, { partner: await aPartner(app) })
    const body = { subject: 'Broken', call_id: String(call) }
    const answer = await app.tool('/connect_voiceai_helpdesk/create_ticket?x=1', body, { 'user-agent': 'agent/1' })
    const [logged] = await lastLogged()
    expect(logged).toMatchObject({
      area: 'helpdesk',
      route: '/connect_voiceai_helpdesk/create_ticket',
      verdict: 'handled',
      reason: null,
      status: 200,
      call_ref: call,
      conversation: null,
      target: '/connect_voiceai_helpdesk/create_ticket?x=1',
      body: JSON.stringify(body),
      body_bytes: JSON.stringify(body).length,
      reply: answer.text,
    })
    expect(logged?.headers).toMatchObject({
      [TOKEN]: '****',
      'user-agent': 'agent/1',
      'content-type': 'application/json',
    })
    expect(logged?.ms).toBeGreaterThanOrEqual(0)
    expect(Math.abs(Date.parse(`${logged?.received_at.replace(' ', 'T')}Z`) - Date.now())).toBeLessThan(60_000)
  })

  it('a refusal says why', async () => {
    await app.tool('/connect_voiceai_helpdesk/fetch_ticket', { ticket_id: 999_999 })
    await app.tool('/connect_voiceai_helpdesk/fetch_ticket', 'text', { 'content-type': 'text/plain' })
    await app.tool('/connect_voiceai_helpdesk/fetch_ticket', 'x'.repeat(1024 * 1024 + 1))
    const [unknown, type, large] = await lastLogged(3)
    expect(unknown).toMatchObject({
      verdict: 'refused',
      status: 404,
      reason: 'Ticket not found',
      reply: '{"error":"Ticket not found"}',
    })
    expect(type).toMatchObject({ verdict: 'refused', status: 400 })
    expect(large).toMatchObject({ verdict: 'refused', status: 413, reason: 'The body is too large.', body: '' })
  })

  it('a rejected one is logged without its body, and the answer does not say what the log says', async () => {
    const answer = await app.post(INITIATION, { caller_id: 'secret number' }, { [TOKEN]: 'wrong-token-value' })
    const [logged] = await lastLogged()
    expect(logged).toMatchObject({
      area: 'voiceai',
      route: INITIATION,
      verdict: 'rejected',
      status: 401,
      reason: expect.stringContaining('is not the one in the settings'),
      body: '',
      reply: answer.text,
    })
    expect(logged?.headers[TOKEN]).toBe('****')
    expect(answer.text).not.toContain('differs')
  })

  it.each([
    [{}, `The header ${TOKEN} is missing`],
    [{ [TOKEN]: '' }, `The header ${TOKEN} is missing`],
    [{ [TOKEN]: 'x' }, 'The agent token is not the one in the settings'],
  ])('the reason of a rejection: %j', async (headers, reason) => {
    await app.post(INITIATION, {}, headers)
    expect((await lastLogged())[0]).toMatchObject({ reason: expect.stringContaining(reason) })
  })

  it('a post-call delivery belongs to its conversation and its call', async () => {
    const conversationId = aConversationId()
    await deliver(app, aTranscript({ conversationId }))
    const { id } = await callOf(app, conversationId)
    const [logged] = await lastLogged()
    expect(logged).toMatchObject({
      route: POST_CALL,
      verdict: 'handled',
      status: 200,
      conversation: conversationId,
      call_ref: id,
      reply: '',
    })
    expect(logged?.headers['voiceai-signature']).toMatch(/^t=\d+,v0=/)
    expect(JSON.parse(logged?.body ?? '')).toMatchObject({ data: { conversation_id: conversationId } })
  })

  it('an initiation belongs to its call, its leg and its conversation', async () => {
    const call = await aCall(app, { sid: 'CA_logged' })
    await app.tool(INITIATION, { call_sid: 'CA_logged', conversation_id: 'conv_logged' })
    expect((await lastLogged())[0]).toMatchObject({
      call_ref: call,
      call_sid: 'CA_logged',
      conversation: 'conv_logged',
    })
  })

  it('one that failed inside is logged as failed, with the answer that was given', async () => {
    await withoutTable(app, 'helpdesk_ticket', () =>
      app.tool('/connect_voiceai_helpdesk/fetch_ticket', { ticket_id: 1 }),
    )
    const [logged] = await lastLogged()
    expect(logged).toMatchObject({ verdict: 'failed', status: 503, reason: expect.stringContaining('helpdesk_ticket') })
    expect(logged?.reply).not.toContain('helpdesk_ticket')
  })

  it('texts that the database cannot hold do not keep a delivery out of the log', async () => {
    const before = await app.count('connect_delivery')
    await app.tool(
      '/connect_voiceai_helpdesk/fetch_ticket',
      Buffer.from('{"ticket_id":"\\u0000\u0000\\ud800"}\xff', 'latin1'),
    )
    await app.tool('/connect_voiceai/transfer', { channel_sid: `CA${'x'.repeat(10_000)}`, exten: '101' })
    await app.tool(INITIATION, { call_sid: 'y'.repeat(10_000), conversation_id: 'z'.repeat(10_000) })
    await app.tool(INITIATION, { caller_id: 'x'.repeat(200_000) })
    await app.app.deliveries.drained()
    expect(await app.count('connect_delivery')).toBe(before + 4)
    const [last] = await lastLogged()
    expect(last?.body_bytes).toBeGreaterThan(200_000)
    expect(last?.body).toHaveLength(65_536)
  })
})

describe('no secret reaches the log', () => {
  it('whatever part of a request somebody puts it in', async () => {
    const vals = {
      voiceai_api_key: 'sk_of_the_platform',
      auth_token: 'auth-token-of-telco',
      telco_api_secret: 'telco-secret',
    }
    await writeSettings(app, vals)
    const secrets = [app.token, SECRET, ...Object.values(vals)]
    for (const secret of secrets) {
      await app.tool(
        `/connect_voiceai_helpdesk/fetch_ticket?token=${secret}`,
        { ticket_id: secret },
        { 'x-other': `is ${secret}` },
      )
      await app.tool(
        '/connect_voiceai_helpdesk/create_ticket',
        { subject: secret, call_id: 1 },
        { authorization: `bearer ${secret}` },
      )
      await app.tool('/connect_voiceai/transfer', { channel_sid: 'CA1', exten: secret })
      await app.post(INITIATION, { a: secret }, { cookie: secret, 'x-api-key': secret })
    }
    await app.app.deliveries.drained()
    const rows = await app.db.query(sql`select row_to_json(d)::text as text from connect_delivery d`)
    const text = JSON.stringify(rows)
    for (const secret of secrets) expect(text).not.toContain(secret)
    expect(text).toContain('****')
  })

  it('nor does a token that is no longer valid, or was never', async () => {
    await app.post(INITIATION, {}, { [TOKEN]: 'an-older-token-of-ours' })
    const rows = await app.db.query(sql`select row_to_json(d)::text as text from connect_delivery d`)
    expect(JSON.stringify(rows)).not.toContain('an-older-token-of-ours')
  })

  it('nobody but administrators reads the delivery log', async () => {
    for (const groups of [['base.group_user'], ['connect.group_user'], ['helpdesk.group_manager']]) {
      const person = await app.person(groups)
      expect((await person.call('connect.delivery', 'search_read')).status).toBe(403)
    }
    expect((await (await app.webhookUser()).call('connect.delivery', 'search_read')).status).toBe(403)
    const administrator = await app.person(['base.group_user', 'connect.group_admin'])
    expect((await administrator.call('connect.delivery', 'search_read', { limit: 1 })).status).toBe(200)
    expect(
      (await administrator.call('connect.delivery', 'write', { ids: [1], vals: { reason: 'x' } })).status,
    ).toBeGreaterThanOrEqual(400)
  })
})

describe('the log is bounded', () => {
  it('keeps a flood of rejections out, and counts them', async () => {
    await app.app.deliveries.drained()
    const before = await app.count('connect_delivery')
    for (let round = 0; round < 8; round += 1) {
      await Promise.all(Array.from({ length: 50 }, () => app.post(INITIATION, {})))
    }
    await app.app.deliveries.drained()
    expect((await app.count('connect_delivery')) - before).toBeLessThanOrEqual(600)
    const metrics = await app.request('/metrics')
    expect(metrics.text).toMatch(/connect_deliveries_total\{[^}]*verdict="rejected"[^}]*\} \d{3}/)
  })

  it('a database that refuses it loses log rows, never an answer', async () => {
    await withoutTable(app, 'connect_delivery', async () => {
      expect((await app.tool('/connect_voiceai/get_current_date')).status).toBe(200)
      await app.app.deliveries.drained()
    })
    expect((await app.tool('/connect_voiceai/get_current_date')).status).toBe(200)
  })
})
