import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../src/database/drizzle.ts'
import { writeSettings } from '../fixtures/post-call.ts'
import { aCall } from '../fixtures/records.ts'
import { ALL_ROUTES, INITIATION, POST_CALL, TOKEN_ROUTES, TOOLS } from '../fixtures/routes.ts'
import { countRows } from '../fixtures/row-counts.ts'
import { type Answer, TestApp } from '../support/test-app.ts'

const TOKEN = 'x-voiceai-agent-token'
const MIB = 1024 * 1024

let app: TestApp

beforeAll(async () => {
  app = await TestApp.start()
})
afterAll(() => app.stop())

async function expectRefused(answer: Answer): Promise<void> {
  expect(answer.status).toBe(401)
  expect(answer.body).toEqual({ error: 'Unauthorized' })
  expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
}

describe('and 5.1.2 the agent token', () => {
  // A body that would do something, were the sender believed.
  const body = { call_id: 1, name: 'Intruder', subject: 'Intruder', note: 'Intruder', partner_id: 1, ticket_id: 1 }

  it.each(TOKEN_ROUTES)('%s is refused with 401 and writes nothing unless the token is right', async (route) => {
    const before = await countRows(app)
    const wrong = `${app.token.slice(0, -1)}${app.token.endsWith('0') ? '1' : '0'}`
    await expectRefused(await app.post(route, body))
    for (const given of [
      '',
      wrong,
      app.token.slice(1),
      `${app.token}x`,
      app.token.toUpperCase(),
      'é',
      'x'.repeat(5_000),
    ]) {
      await expectRefused(await app.post(route, body, { [TOKEN]: given }))
    }
    // The token counts in its own header only.
    await expectRefused(await app.post(route, body, { authorization: `Bearer ${app.token}` }))
    await expectRefused(await app.post(`${route}?${TOKEN}=${app.token}`, body))
    await expectRefused(await app.post(route, { ...body, [TOKEN]: app.token }))
    expect(await countRows(app)).toEqual(before)
  })

  it.each(TOKEN_ROUTES)('%s accepts the right token, whatever the case of the header name', async (route) => {
    const answer = await app.post(route, {}, { 'X-Voiceai-Agent-Token': app.token })
    expect(answer.status).not.toBe(401)
    expect(answer.status).toBeLessThan(500)
  })

  it('two token headers are refused, also when one of them is right', async () => {
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const sent = request(
        app.url + INITIATION,
        { method: 'POST', headers: ['host', 'x', TOKEN, app.token, TOKEN, 'other'] },
        (reply) => {
          reply.resume()
          resolve(reply.statusCode)
        },
      )
      sent.on('error', reject)
      sent.end('{}')
    })
    expect(status).toBe(401)
  })

  it('a refusal comes before anything is said of the body', async () => {
    for (const route of TOKEN_ROUTES) {
      await expectRefused(await app.post(route, '{not json'))
      await expectRefused(await app.post(route, 'x', { 'content-type': 'text/plain' }))
      await expectRefused(await app.post(route, 'x', { 'content-type': 'no type at all' }))
      await expectRefused(await app.post(route, Buffer.alloc(2 * MIB, 'x')))
    }
  })
})

describe('and 5.1.3 the setting', () => {
  it('the token of a fresh installation is a random UUID', () => {
    expect(app.token).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  })

  it('after the token was changed the old one is refused and the new one is accepted, at once', async () => {
    const other = 'a-token-that-somebody-chose'
    await writeSettings(app, { voiceai_agent_token: other })
    for (const route of TOKEN_ROUTES) await expectRefused(await app.tool(route))
    for (const route of TOKEN_ROUTES) expect((await app.tool(route, {}, { [TOKEN]: other })).status).not.toBe(401)
    await writeSettings(app, { voiceai_agent_token: app.token })
    expect((await app.tool(INITIATION)).status).toBe(200)
  })

  it('everybody is refused while the settings have no token', async () => {
    const [row] = await app.db.query<{ token: string }>(sql`select voiceai_agent_token as token from connect_settings`)
    await app.db.query(sql`update connect_settings set voiceai_agent_token = ''`)
    app.app.platform.settings.forget()
    try {
      for (const route of TOKEN_ROUTES) {
        await expectRefused(await app.tool(route))
        await expectRefused(await app.tool(route, {}, { [TOKEN]: '' }))
        await expectRefused(await app.post(route, {}))
      }
    } finally {
      await app.db.query(sql`update connect_settings set voiceai_agent_token = ${row?.token ?? ''}`)
      app.app.platform.settings.forget()
    }
    expect((await app.tool(INITIATION)).status).toBe(200)
  })
})

describe('4 all endpoints are POST', () => {
  it.each(ALL_ROUTES)('%s answers every other method with 405 and Allow', async (route) => {
    for (const method of ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'QUERY', 'PROPFIND', 'REPORT']) {
      const answer = await app.request(route, { method, headers: { [TOKEN]: app.token } })
      expect([method, answer.status]).toEqual([method, 405])
      expect(answer.headers.get('allow')).toBe('POST')
    }
    const withBody = await app.request(route, {
      method: 'PUT',
      body: '{',
      headers: { 'content-type': 'application/json' },
    })
    expect(withBody.status).toBe(405)
  })

  it.each([
    '/connect_voiceai/',
    '/connect_voiceai/unknown',
    '/connect_voiceai/transfer/',
    '/connect_voiceai/transfer/1',
    '/connect_voiceai/Transfer',
    '/connect_voiceai_helpdesk/',
    '/connect_voiceai_helpdesk/delete_ticket',
    '/connect_voiceai_helpdesk/create_ticket/7',
  ])('%s is 404, by any method', async (path) => {
    for (const method of ['POST', 'GET', 'PUT', 'DELETE']) {
      const answer = await app.request(path, { method, headers: { [TOKEN]: app.token } })
      expect([method, answer.status]).toEqual([method, 404])
      expect(answer.text).not.toMatch(/<html/i)
    }
  })

  it('a query string changes nothing', async () => {
    expect((await app.tool('/connect_voiceai/get_current_date?x=1&x=2')).status).toBe(200)
  })
})

describe('4 bodies', () => {
  it.each(TOOLS)('%s takes JSON objects only', async (route) => {
    const before = await countRows(app)
    const ignoresBody = route.endsWith('/get_current_date')
    for (const body of ['[]', '"text"', '7', 'true', 'null', '{"a":', 'not json', '{"a":1}{}', '\u{fffd}']) {
      const answer = await app.tool(route, body)
      expect([body, answer.status]).toEqual([body, ignoresBody ? 200 : 400])
      if (!ignoresBody) expect(answer.body).toEqual({ error: expect.stringMatching(/JSON object/) })
    }
    expect(await countRows(app)).toEqual(before)
  })

  it.each(TOOLS)('%s reads JSON whatever its content type is called', async (route) => {
    const said = (await app.tool(route, '{}')).text
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'garbage',
      'Application/JSON; charset=utf-8',
      'application/vnd.api+json',
      '',
    ]) {
      const answer = await app.tool(route, '\ufeff {}\n', { 'content-type': type })
      if (route.endsWith('/get_current_date')) expect(answer.status).toBe(200)
      else expect([type, answer.text]).toEqual([type, said])
    }
  })

  it('a ticket is created by what curl -d sends', async () => {
    const call = await aCall(app)
    const answer = await app.tool(
      '/connect_voiceai_helpdesk/create_ticket',
      JSON.stringify({ call_id: call, subject: 'Leak' }),
      { 'content-type': 'application/x-www-form-urlencoded' },
    )
    expect(answer).toMatchObject({ status: 200, body: { ticket_name: 'Leak' } })
  })

  it.each(TOOLS)('%s answers 413 to a body over 1 MiB, and reads one of just that size', async (route) => {
    const before = await countRows(app)
    const full = `{"a":"${'x'.repeat(MIB - 8)}"}`
    expect(full).toHaveLength(MIB)
    expect((await app.tool(route, full)).status).not.toBe(413)
    expect((await app.tool(route, `${full} `)).status).toBe(413)
    expect(await countRows(app)).toEqual(before)
  })

  it('a conversation whose request is too large opens with the empty envelope', async () => {
    for (const body of [`{"a":"${'x'.repeat(MIB)}"}`, 'x'.repeat(3 * MIB)]) {
      const answer = await app.tool(INITIATION, body)
      expect(answer).toMatchObject({
        status: 200,
        body: { type: 'conversation_initiation_client_data', dynamic_variables: { call_id: '', partner_name: '' } },
      })
    }
    expect((await app.tool(INITIATION, 'x'.repeat(2 * MIB), { 'x-voiceai-agent-token': 'x' })).status).toBe(401)
  })

  it.each([INITIATION, POST_CALL])('%s reads the bytes whatever they are called', async (route) => {
    for (const type of ['text/plain', 'application/octet-stream', 'garbage', 'application/json; charset=latin1']) {
      const answer = await app.tool(route, '{}', { 'content-type': type })
      expect(answer.status).toBe(route === POST_CALL ? 401 : 200)
    }
  })
})
