// What the API refuses: a real status, the body of the JSON-2 API, and one sentence that names what is wrong.
import { request as httpRequest } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, type Caller, TestApp } from '../support/test-app.ts'

let app: TestApp
let admin: Caller
let partner: number

beforeAll(async () => {
  app = await TestApp.start()
  admin = app.admin
  partner = await admin.ask<number>('res.partner', 'create', { vals_list: { name: 'Zoe' } })
})
afterAll(() => app.stop())

function expectError(
  { status, headers, body }: Answer,
  expected: { status: number; name: string; message: string },
): void {
  expect(body).toEqual({
    name: expected.name,
    message: expected.message,
    arguments: [expected.message],
    context: expect.objectContaining({ code: expect.any(String) }),
    debug: '',
  })
  expect(status).toBe(expected.status)
  expect(headers.get('content-type')).toMatch(/^application\/json/)
}

describe('the error body', () => {
  const url = '/json/2/res.partner/search'
  it.each([
    [401, 'werkzeug.exceptions.Unauthorized', url, '{}', {}],
    [401, 'werkzeug.exceptions.Unauthorized', '/json/2/no.model/no_method', '{}', {}],
    [404, 'odoo.exceptions.MissingError', '/json/2/no.model/search', '{}', { key: true }],
    [404, 'odoo.exceptions.MissingError', '/json/2/res.partner/no_method', '{}', { key: true }],
    [404, 'odoo.exceptions.MissingError', '/json/2/res.partner', '{}', { key: true }],
    [404, 'odoo.exceptions.MissingError', '/json/2/res.partner/search/more', '{}', { key: true }],
    [404, 'odoo.exceptions.MissingError', '/json/1/res.partner/search', '{}', { key: true }],
    [404, 'odoo.exceptions.MissingError', '/api/nothing', '{}', { key: true }],
    [400, 'werkzeug.exceptions.BadRequest', url, '{not json', { key: true }],
    [400, 'werkzeug.exceptions.BadRequest', url, '[]', { key: true }],
    [400, 'werkzeug.exceptions.BadRequest', url, '"text"', { key: true }],
    [400, 'werkzeug.exceptions.BadRequest', url, '7', { key: true }],
    [415, 'werkzeug.exceptions.UnsupportedMediaType', url, '{}', { key: true, type: 'text/plain' }],
    [
      415,
      'werkzeug.exceptions.UnsupportedMediaType',
      url,
      'a=1',
      { key: true, type: 'application/x-www-form-urlencoded' },
    ],
    [422, 'odoo.exceptions.ValidationError', url, '{"domain":7}', { key: true }],
  ])(
    'an error body is that of %i %s for %s with %s',
    async (status, name, address, body, { key, type }: { key?: boolean; type?: string }) => {
      const answer = await app.post(address, body, {
        ...(key === true ? { authorization: `bearer ${admin.key}` } : {}),
        ...(type === undefined ? {} : { 'content-type': type }),
      })
      expectError(answer, { status, name, message: (answer.body as { message: string }).message })
    },
  )

  it('the error body of a body over the limit is 413', async () => {
    const answer = await admin.call('res.partner', 'search', { domain: 'x'.repeat(17 * 1024 * 1024) })
    expectError(answer, {
      status: 413,
      name: 'werkzeug.exceptions.RequestEntityTooLarge',
      message: 'The body is too large.',
    })
  })

  it.each(['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('of %s is 405 with what is allowed', async (method) => {
    const answer = await app.request(url, { method })
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST'])
    const withBody = await app.request(url, { method: method === 'GET' ? 'PUT' : method, body: 'x' })
    expect(withBody.status).toBe(405)
  })

  it('the error body of no body at all is that of no arguments', async () => {
    const headers = { authorization: `bearer ${admin.key}` }
    expect((await app.request('/json/2/res.partner/search_count', { method: 'POST', headers })).status).toBe(200)
    const answer = await app.request('/json/2/res.partner/write', { method: 'POST', headers })
    expect(answer.status).toBe(422)
  })

  it('the error body of a path that is no path is a 4xx', async () => {
    for (const path of [
      '/json/2/%00/%00',
      '/json/2/..%2f/x',
      '/json/2/res.partner/__proto__',
      '/json/2/__proto__/search',
      '/json/2/%ff/x',
    ]) {
      const status = await new Promise<number | undefined>((resolve, reject) => {
        const headers = { authorization: `bearer ${admin.key}` }
        httpRequest(`${app.url}${path}`, { method: 'POST', headers }, (reply) => {
          reply.resume()
          resolve(reply.statusCode)
        })
          .on('error', reject)
          .end()
      })
      expect([400, 404]).toContain(status)
    }
  })
})

describe('one call is one transaction', () => {
  it('one call is one transaction, whose second record takes the first one with it', async () => {
    const before = await app.count('res_partner')
    const created = await admin.call('res.partner', 'create', { vals_list: [{ name: 'Good' }, { name: '' }] })
    expect(created.status).toBe(422)
    expect(await app.count('res_partner')).toBe(before)
    const ids = await admin.ask<number[]>('connect.voiceai_agent_tool', 'search', { limit: 2, order: 'id' })
    const renamed = await admin.call('connect.voiceai_agent_tool', 'write', { ids, vals: { name: 'same_name' } })
    expect(renamed.status).toBe(409)
    expect(
      await admin.ask('connect.voiceai_agent_tool', 'search_count', { domain: [['name', '=', 'same_name']] }),
    ).toBe(0)
    const used = await admin.ask<number>('res.partner', 'create', { vals_list: { name: 'Free' } })
    const [me] = await admin.ask<{ partner_id: [number] }[]>('res.users', 'read', {
      ids: [admin.userId],
      fields: ['partner_id'],
    })
    const removed = await admin.call('res.partner', 'unlink', { ids: [used, me?.partner_id[0]] })
    expect(removed.status).toBe(409)
    expect(await admin.ask('res.partner', 'search_count', { domain: [['id', '=', used]] })).toBe(1)
  })

  it('one call is one transaction that leaves nothing behind when it is refused at its end', async () => {
    const before = await app.count('res_partner')
    const answer = await admin.call('res.partner', 'create', {
      vals_list: { name: 'Linked' },
      context: { connect_call_id: 2_000_000_000 },
    })
    expect(answer.status).toBe(404)
    expect(await app.count('res_partner')).toBe(before)
    expect((await admin.call('res.partner', 'read', { ids: [partner] })).status).toBe(200)
  })
})

it('a refusal names its kind, the model and the field, and the line of the log', async () => {
  const call = (method: string, args: object) => admin.call('res.partner', method, args)
  const contextOf = ({ body }: Answer) => (body as { context: object }).context
  const wrong = await call('create', { vals_list: { name: 'Zoe', lang: 'German!' } })
  expect(contextOf(wrong)).toMatchObject({ code: 'wrong-shape', kind: 'refused', model: 'res.partner', field: 'lang' })
  expect(contextOf(await call('read', { ids: [2_000_000_000_000] }))).toEqual({
    code: 'no-such-record',
    kind: 'not-found',
    model: 'res.partner',
    params: { model: 'res.partner', named: '2000000000000' },
    labels: { 'res.partner': 'Contact' },
  })
  expect(contextOf(await app.request('/api/me'))).toMatchObject({ kind: 'unauthorized' })
  const [one, other] = [await call('search_count', {}), await call('search_count', {})]
  expect(one.headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/)
  expect(other.headers.get('x-request-id')).not.toBe(one.headers.get('x-request-id'))
  expect(wrong.headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/)
})
